/**
 * The rings whose code is mutated, from the inside out. `admin` is left out, because its tests run in a browser,
 * outside of `npm test`.
 */
export const rings = [
  "domain",
  "platform",
  "store",
  "api",
  "core",
  "http",
  "hosted",
  "oauth",
  "actors",
  "sql",
  "server",
  "client",
  "testing",
  "cli"
] as const

export type Ring = (typeof rings)[number]

/** A source file in the form that operators search. All three texts have the same length, so their positions correspond. */
export interface Source {
  /** The path from the root, with forward slashes. */
  readonly path: string
  readonly ring: Ring
  readonly text: string
  /** The text without comments, type declarations, regular expressions and the content of strings. */
  readonly code: string
  /** The text without comments, type declarations and regular expressions, but including strings. */
  readonly strings: string
}

/** The kind of text that a character belongs to. */
type Kind = "code" | "comment" | "string" | "regex"

const isWord = /[\w$]/

/** The keywords that can precede a regular expression. After any other word, a slash is a division. */
const beforeRegex = /(?:^|[^\w$.])(?:return|typeof|case|in|of|yield|await|void|delete|throw)$/

/** Whether a slash after this code starts a regular expression rather than a division. */
const startsRegex = (before: string): boolean => {
  const code = before.trimEnd()
  const last = code.at(-1) ?? "("
  return last === ")" || last === "]" || last === "}" || isWord.test(last) ? beforeRegex.test(code) : true
}

/** Returns the position after the closing slash of the regular expression that starts here. */
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

/** Returns the position of the closing quote of a string in single or double quotes. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1
    else if (text[at] === text[start] || text[at] === "\n") return at
  }
  return text.length
}

/** Returns the kind of each character. Quotes, backticks and the braces of a placeholder count as code. */
const kindsOf = (text: string): ReadonlyArray<Kind> => {
  const kinds = Array.from({ length: text.length }, (): Kind => "code")
  /** The number of open braces in the placeholder of each open template, or 0 outside of a placeholder. */
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

/** Top-level imports and type declarations. Each ends at the next line that isn't indented. */
const declarations = /^(?:export )?(?:interface|type|import|declare) [^]*?\n(?=[^\s|&})>\]])/gm

/** The ranges of the type declarations. The appended line ends a declaration at the end of the file. */
const typesIn = (code: string): ReadonlyArray<readonly [start: number, end: number]> =>
  [...`${code}\n;`.matchAll(declarations)].map(({ index, 0: found }) => [index, index + found.length])

/** Prepares a source file for the operators. */
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

/** Returns the position after the bracket that closes the one at `start`, or undefined if it isn't closed. */
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

/** The line number of a position, starting at 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length

/** Returns the complete lines that contain a range. */
export const linesAround = (text: string, start: number, end: number): string =>
  text.slice(
    text.lastIndexOf("\n", start - 1) + 1,
    text.indexOf("\n", end) === -1 ? undefined : text.indexOf("\n", end)
  )
