/** The rings whose code is mutated, innermost first. */
export const rings = [
  "domain",
  "platform",
  "store",
  "api",
  "core",
  "http",
  "hosted",
  "actors",
  "sql",
  "server",
  "client"
] as const

export type Ring = (typeof rings)[number]

/**
 * A source file as the operators see it. All three texts have the same length, so that a position in one is a position in
 * the others.
 */
export interface Source {
  /** The path from the root, with forward slashes. */
  readonly path: string
  readonly ring: Ring
  readonly text: string
  /** The text with comments, declarations of types and the contents of strings and regular expressions blanked. */
  readonly code: string
  /** The text with comments, declarations of types and regular expressions blanked. Strings can be read here. */
  readonly strings: string
}

/** What a character of a source file belongs to. */
type Kind = "code" | "comment" | "string" | "regex"

const isWord = /[\w$]/

/** Words that a regular expression may follow, where an operand would be divided. */
const beforeRegex = /(?:^|[^\w$.])(?:return|typeof|case|in|of|yield|await|void|delete|throw)$/

/** Whether a slash after this code begins a regular expression, not a division. */
const startsRegex = (before: string): boolean => {
  const code = before.trimEnd()
  const last = code.at(-1) ?? "("
  return last === ")" || last === "]" || last === "}" || isWord.test(last) ? beforeRegex.test(code) : true
}

/** The end of a regular expression that starts here: after its closing slash. */
const endOfRegex = (text: string, start: number): number => {
  let inClass = false
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === "\\") at += 1
    else if (char === "[") inClass = true
    else if (char === "]") inClass = false
    else if (char === "/" && !inClass) return at + 1
    else if (char === "\n") break
  }
  return start + 1
}

/** The end of a string in single or double quotes: the position of its closing quote. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1
    else if (text[at] === text[start] || text[at] === "\n") return at
  }
  return text.length
}

/** What each character is. Quotes, backticks and the braces of a placeholder count as code. */
const kindsOf = (text: string): ReadonlyArray<Kind> => {
  const kinds = Array.from({ length: text.length }, (): Kind => "code")
  /** For each open template: how many braces are open in its placeholder; 0 in its own text. */
  const templates: Array<number> = []
  let at = 0
  const mark = (end: number, kind: Kind) => {
    kinds.fill(kind, at, end)
    at = end
  }
  const until = (end: number) => (end === -1 ? text.length : end)
  while (at < text.length) {
    const char = text[at]
    const depth = templates.at(-1)
    if (depth === 0) {
      if (char === "`") {
        templates.pop()
        at += 1
      } else if (text.startsWith("${", at)) {
        templates[templates.length - 1] = 1
        at += 2
      } else mark(char === "\\" ? at + 2 : at + 1, "string")
    } else if (text.startsWith("//", at)) mark(until(text.indexOf("\n", at)), "comment")
    else if (text.startsWith("/*", at)) mark(until(text.indexOf("*/", at)) + 2, "comment")
    else if (char === '"' || char === "'") {
      const end = endOfString(text, at)
      at += 1
      mark(end, "string")
      at += 1
    } else if (char === "`") {
      templates.push(0)
      at += 1
    } else if (char === "/" && startsRegex(text.slice(Math.max(0, at - 80), at))) mark(endOfRegex(text, at), "regex")
    else {
      if (depth !== undefined && char === "{") templates[templates.length - 1] = depth + 1
      if (depth !== undefined && char === "}") templates[templates.length - 1] = depth - 1
      at += 1
    }
  }
  return kinds.slice(0, text.length)
}

const blank = (text: string, kinds: ReadonlyArray<Kind>, hidden: ReadonlyArray<Kind>, filler: string): string =>
  Array.from({ length: text.length }, (_, at) => {
    const kind = kinds[at] ?? "code"
    const char = text[at] ?? ""
    return char === "\n" || !hidden.includes(kind) ? char : kind === "comment" ? " " : filler
  }).join("")

/** Interfaces and types, declared at the margin as the formatter puts them. They end where the next line at the margin begins. */
const declarations = /^(?:export )?(?:interface|type|import|declare) [^]*?\n(?=[^\s|&})>\]])/gm

/** Where declarations of types are. The code of a file that ends in one is complete with a line at the margin. */
const typesIn = (code: string): ReadonlyArray<readonly [start: number, end: number]> =>
  [...`${code}\n;`.matchAll(declarations)].map(({ index, 0: found }) => [index, index + found.length])

/** Reads a source file for the operators. */
export const sourceOf = (path: string, ring: Ring, text: string): Source => {
  const kinds = kindsOf(text)
  const code = blank(text, kinds, ["comment", "string", "regex"], "_")
  const withoutTypes = (masked: string) =>
    typesIn(code).reduce(
      (result, [start, end]) =>
        result.slice(0, start) + masked.slice(start, end).replaceAll(/[^\n]/g, " ") + result.slice(end),
      masked
    )
  return {
    path,
    ring,
    text,
    code: withoutTypes(code),
    strings: withoutTypes(blank(text, kinds, ["comment", "regex"], "_"))
  }
}

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" }

/** The position after the bracket that closes the one at `start`; undefined where none does. */
export const afterBracket = ({ code }: Source, start: number): number | undefined => {
  const open: Array<string> = []
  for (let at = start; at < code.length; at++) {
    const char = code[at] ?? ""
    const closes = closing[char]
    if (closes !== undefined) open.push(closes)
    else if (char === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at + 1
    }
  }
  return undefined
}

/** The number of the line of a position, from 1 on. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length

/** The whole lines that a range touches. */
export const linesAround = (text: string, start: number, end: number): string =>
  text.slice(
    text.lastIndexOf("\n", start - 1) + 1,
    text.indexOf("\n", end) === -1 ? undefined : text.indexOf("\n", end)
  )
