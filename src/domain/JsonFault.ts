/** Why a text is no JSON: it ends too early, or can't be read from a character on (the first is 1). */
export type JsonFault = { readonly kind: "unfinished" } | { readonly kind: "unexpected"; readonly position: number }

/** Whether a text may go on to be JSON: the parser finds nothing wrong before its end. */
const mayGoOn = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const message = String(error)
    if (/unterminated string|unexpected end/i.test(message)) return true
    const position = / at position (\d+)/.exec(message)?.[1]
    return position !== undefined && Number(position) >= text.length
  }
}

/** Finds where a text that is no JSON goes wrong: at the end of the longest beginning that may go on. */
export const jsonFault = (text: string): JsonFault => {
  if (mayGoOn(text)) return { kind: "unfinished" }
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1
    if (mayGoOn(text.slice(0, middle))) good = middle
    else bad = middle
  }
  return { kind: "unexpected", position: bad }
}
