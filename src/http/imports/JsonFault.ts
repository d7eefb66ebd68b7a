/** Why a text is no JSON: it ends too early, or can't be read from a character on (the first is 1). */
export type JsonFault = { readonly kind: "unfinished" } | { readonly kind: "unexpected"; readonly position: number }

/** What may come next: a kind of token is a letter, or the sign itself. `s` is a text, `v` any other value without parts. */
const VALUE = "sv{["
const FIRST_ELEMENT = "sv{[]"
const KEY = "s"
const FIRST_KEY = "s}"
const COLON = ":"
const END = ""

/** White space, then a token: a text, another value, or a sign. */
const token =
  /[ \t\r\n]*(?:("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/y

const space = /[ \t\r\n]*/y

/** A text that has begun and does not end. */
const open =
  /^"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/

/** Where a text begins that is not white space. */
const startOf = (text: string, from: number): number => {
  space.lastIndex = from
  return from + (space.exec(text)?.[0].length ?? 0)
}

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
    token.lastIndex = at
    const [whole, string, scalar, sign = ""] = token.exec(text) ?? []
    if (whole === undefined && expected.includes("s") && open.test(text.slice(at))) return { kind: "unfinished" }
    const kind = string !== undefined ? "s" : scalar !== undefined ? "v" : sign
    if (whole === undefined || !expected.includes(kind)) return { kind: "unexpected", position: at + 1 }
    at += whole.length
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
