import { readdirSync, readFileSync } from "node:fs"
import { marked } from "marked"

/** The folder of the guides. */
export const folder = new URL("../../docs/guides/", import.meta.url)

/** A code block of a page, which a reader runs or compares with the output. */
export interface Block {
  /** The block's language, or its file type. */
  readonly language: string
  /** The text after the language: a file name, or `terminal`. */
  readonly note: string
  readonly code: string
}

/** The names of all guides, which `README.md` lists. */
export const guides: ReadonlyArray<string> = readdirSync(folder)
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => file.slice(0, -".md".length))
  .sort()

export const textOf = (guide: string): string => readFileSync(new URL(`${guide}.md`, folder), "utf8")

/** Steps that a page asks for outside the terminal, as equivalent commands in a comment. */
const unseen = /^<!-- run\n([\s\S]*)\n-->/

/** The blocks of a page, in order. */
export const blocksOf = (text: string): ReadonlyArray<Block> =>
  marked.lexer(text).flatMap((token): ReadonlyArray<Block> => {
    if (token.type === "html") {
      const code = unseen.exec(token["raw"])?.[1]
      return code === undefined ? [] : [{ language: "sh", note: "", code }]
    }
    if (token.type !== "code") return []
    const [language = "", note = ""] = String(token["lang"] ?? "").split(" ", 2)
    return [{ language, note, code: String(token["text"]) }]
  })
