/** Why a text is no JSON: it ends too early, or can't be read from a character on (the first is 1). */
export type JsonFault =
  | { readonly kind: "unfinished" }
  | { readonly kind: "unexpected"; readonly position: number | undefined }

/** Of a longer text the place is said only if the parser knows it: each step of a search for it reads the text again. */
const MAX_SEARCHED_LENGTH = 16_384

/** What the parser says of a text: it may go on to be JSON, or is wrong somewhere, maybe the parser knows where. */
const parsed = (text: string): { readonly mayGoOn: boolean; readonly position: number | undefined } => {
  try {
    JSON.parse(text)
    return { mayGoOn: true, position: undefined }
  } catch (error) {
    const message = String(error)
    const found = / at position (\d+)/.exec(message)?.[1]
    const position = found === undefined ? undefined : Number(found)
    const isAtEnd = /unterminated string|unexpected end/i.test(message) || (position ?? 0) >= text.length
    return { mayGoOn: isAtEnd, position }
  }
}

/** Finds where a text that is no JSON goes wrong: at the end of the longest beginning that may go on. */
export const jsonFault = (text: string): JsonFault => {
  const { mayGoOn, position } = parsed(text)
  if (mayGoOn) return { kind: "unfinished" }
  if (text.length > MAX_SEARCHED_LENGTH) {
    return { kind: "unexpected", position: position === undefined ? undefined : position + 1 }
  }
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (parsed(text.slice(0, middle)).mayGoOn) good = middle
    else bad = middle
  }
  return { kind: "unexpected", position: bad }
}
