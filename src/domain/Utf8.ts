const decoder = new TextDecoder("utf-8", { fatal: true })

/** Decodes UTF-8. Returns undefined if the bytes are invalid. An encoded U+FFFD is valid. */
export const decodeUtf8 = (bytes: Uint8Array | ArrayBuffer): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const isDecodable = (escapes: string): boolean => {
  try {
    decodeURIComponent(escapes)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether the percent-encoded bytes in a URL or form are valid UTF-8. URL parsers replace invalid bytes by U+FFFD,
 * which makes different strings equal. A percent sign that escapes nothing is taken literally.
 */
export const hasUtf8Escapes = (text: string): boolean =>
  !/%[89a-f][\da-f]/i.test(text) || (text.match(/(?:%[\da-f]{2})+/gi) ?? []).every(isDecodable)
