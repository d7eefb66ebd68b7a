/** Why a text is no JSON: it ends too early, or can't be read from a character on (the first is 1). */
export type JsonFault = { readonly kind: "unfinished" } | { readonly kind: "unexpected"; readonly position: number }

/** No row is nested more deeply than this. */
const DEEPEST = 64

/** What may come next: a kind of token is a letter, or the sign itself. `s` is a text, `v` any other value without parts. */
const VALUE = "sv{["
const FIRST_ELEMENT = "sv{[]"
const KEY = "s"
const FIRST_KEY = "s}"
const COLON = ":"
const END = ""

const space = /[ \t\r\n]*/y

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Matches an expression at a place of a text. */
const matchAt = (expression: RegExp, text: string, at: number): string => {
  expression.lastIndex = at
  return expression.exec(text)?.[0] ?? ""
}

/** A token: of which kind, and where it ends. `open`: a text that does not end. `wrong`: none. */
interface Token {
  readonly kind: string
  readonly end: number
}

const stringAt = (text: string, start: number): Token => {
  for (let at = start + 1; at < text.length; ) {
    const sign = text.charAt(at)
    if (sign === '"') return { kind: "s", end: at + 1 }
    if (sign < " ") return { kind: "wrong", end: at }
    const length = sign === "\\" ? matchAt(escape, text, at).length : 1
    if (length === 0) return { kind: text.length - at < "\\u0000".length ? "open" : "wrong", end: at }
    at += length
  }
  return { kind: "open", end: text.length }
}

const tokenAt = (text: string, at: number): Token => {
  const sign = text.charAt(at)
  if (sign === '"') return stringAt(text, at)
  if ("{}[],:".includes(sign)) return { kind: sign, end: at + 1 }
  const { length } = matchAt(scalar, text, at)
  return { kind: length === 0 ? "wrong" : "v", end: at + length }
}

/** Where a text begins that is not white space. */
const startOf = (text: string, from: number): number => from + matchAt(space, text, from).length

/** What may come after a value. `inside`: the lists and objects that are open. */
const afterValue = (inside: ReadonlyArray<string>): string => {
  const around = inside.at(-1)
  return around === undefined ? END : around === "{" ? ",}" : ",]"
}

/** Finds where a text that is no JSON goes wrong. */
export const jsonFault = (text: string): JsonFault => {
  const inside: Array<string> = []
  let expected = VALUE
  for (let at = startOf(text, 0); at < text.length; at = startOf(text, at)) {
    const { kind, end } = tokenAt(text, at)
    if (kind === "open" && expected.includes("s")) return { kind: "unfinished" }
    if (kind.length > 1 || !expected.includes(kind)) return { kind: "unexpected", position: at + 1 }
    if (inside.length > DEEPEST) return { kind: "unexpected", position: at + 1 }
    at = end
    if (kind === "{" || kind === "[") {
      inside.push(kind)
      expected = kind === "{" ? FIRST_KEY : FIRST_ELEMENT
    } else if (kind === ":") expected = VALUE
    else if (kind === ",") expected = inside.at(-1) === "{" ? KEY : VALUE
    else if (kind === "s" && (expected === KEY || expected === FIRST_KEY)) expected = COLON
    else {
      if (kind === "}" || kind === "]") inside.pop()
      expected = afterValue(inside)
    }
  }
  return { kind: "unfinished" }
}
