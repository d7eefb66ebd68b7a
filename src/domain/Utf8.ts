const decoder = new TextDecoder("utf-8", { fatal: true })

/** The text that bytes encode; undefined unless they are UTF-8. U+FFFD is a character like any other. */
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
 * Whether the percent-encoded bytes in a URL or a form are UTF-8. Parsers of URLs replace others by U+FFFD, so that different
 * texts become equal. A percent sign that escapes nothing stands for itself.
 */
export const hasUtf8Escapes = (text: string): boolean =>
  !/%[89a-f][\da-f]/i.test(text) || (text.match(/(?:%[\da-f]{2})+/gi) ?? []).every(isDecodable)
