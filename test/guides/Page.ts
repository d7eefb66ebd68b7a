import { readdirSync, readFileSync } from "node:fs"
import { marked } from "marked"

/** The folder of the guides. */
export const folder = new URL("../../docs/guides/", import.meta.url)

/** Something that a reader does with a page, or compares with what comes of it. */
export interface Block {
  /** The language of the block, or the kind of its file. */
  readonly language: string
  /** What follows the language: the name of a file, or `terminal`. */
  readonly note: string
  readonly code: string
}

/** The names of all guides; `README.md` lists them. */
export const guides: ReadonlyArray<string> = readdirSync(folder)
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => file.slice(0, -".md".length))
  .sort()

export const textOf = (guide: string): string => readFileSync(new URL(`${guide}.md`, folder), "utf8")

/** What a page asks people to do without a terminal, as commands that do the same, in a comment. */
const unseen = /^<!-- run\n([\s\S]*)\n-->/

/** The blocks of a page, in its order. */
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
