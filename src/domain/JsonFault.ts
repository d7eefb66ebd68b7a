/** The reason a string is not JSON: it ends too early, or it has an unexpected character. The first character has position 1. */
export type JsonFault =
  | { readonly kind: "unfinished" }
  | { readonly kind: "unexpected"; readonly position: number | undefined }

/**
 * Longer strings are not searched, since each step parses the string again. Their position is reported only if the parser
 * gives it.
 */
const MAX_SEARCHED_LENGTH = 16_384

/**
 * The parser's verdict on a string: whether more input could still make it valid JSON, and the error position if the
 * parser gives one.
 */
const tryToParse = (text: string): { readonly isPrefix: boolean; readonly position: number | undefined } => {
  try {
    JSON.parse(text)
    return { isPrefix: true, position: undefined }
  } catch (error) {
    const message = String(error)
    const found = / at position (\d+)/.exec(message)?.[1]
    const position = found === undefined ? undefined : Number(found)
    const isAtEnd = /unterminated string|unexpected end/i.test(message) || (position ?? 0) >= text.length
    return { isPrefix: isAtEnd, position }
  }
}

/** Finds the error in a string that is not JSON. The error follows the longest prefix that more input could still make valid. */
export const jsonFault = (text: string): JsonFault => {
  const { isPrefix, position } = tryToParse(text)
  if (isPrefix) return { kind: "unfinished" }
  if (text.length > MAX_SEARCHED_LENGTH) {
    return { kind: "unexpected", position: position === undefined ? undefined : position + 1 }
  }
  let validLength = 0
  let invalidLength = text.length
  while (invalidLength - validLength > 1) {
    const middle = (validLength + invalidLength) >>> 1
    if (tryToParse(text.slice(0, middle)).isPrefix) validLength = middle
    else invalidLength = middle
  }
  return { kind: "unexpected", position: invalidLength }
}
