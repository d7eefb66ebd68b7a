/** The maximum length of a name, reference, username or title, in characters (C10a). */
export const TEXT_LENGTH = 255

/** Returns whether the database and all clients can represent a string, which must not contain NUL or lone surrogates (SEC-77). */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

/** Returns whether a string has at most `maximum` characters, counted in code points. */
export const isWithin = (maximum: number, text: string): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum)

/** In UTF-16 units. Normalization combines at most four characters into one, so longer strings exceed every limit anyway. */
const MAX_UNNORMALIZED = 4 * TEXT_LENGTH

const normalize = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC").toLowerCase().normalize("NFKC").trim()

/**
 * The canonical form of emails and usernames: trimmed, NFKC, lower case (C21). Idempotent. Normalization takes quadratic
 * time, so strings too long to be a name are returned unchanged (SEC-80).
 */
export const canonical = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.length > MAX_UNNORMALIZED ? trimmed : normalize(trimmed)
}

/** The case-insensitive key for sorting by name, short enough for an index. */
export const sortKey = (text: string): string => canonical(text).slice(0, TEXT_LENGTH).toWellFormed()

/** Returns the text, or null if it is blank. */
export const nonBlank = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)
