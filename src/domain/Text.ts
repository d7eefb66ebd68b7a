/** The longest name, reference, username or title, in characters (decision 10a). */
export const TEXT_LENGTH = 255

/** True for text the database and every client can hold: no NUL, no lone surrogate (SEC-77). */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

/** Whether a text has at most so many characters: code points, so that an emoji counts as one. */
export const isWithin = (maximum: number, text: string): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum)

/** Four characters make one at most, and a fifth none: what is longer in its raw form is too long for anything here. */
const MOST_TO_NORMALISE = 4 * TEXT_LENGTH

const normal = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC").toLowerCase().normalize("NFKC").trim()

/**
 * The one canonical form of e-mails and usernames: trimmed, NFKC, lower case (decision 21). Idempotent. Normalising takes
 * time that grows with the square of what is combined, so that a text which can't be anybody's name stays as it is (SEC-80).
 */
export const canonical = (text: string): string => {
  const trimmed = text.trim()
  return trimmed.length > MOST_TO_NORMALISE ? trimmed : normal(trimmed)
}

/** What lists sort names by: case does not count. As short as a name, so that an index can hold it. */
export const sortKey = (text: string): string => canonical(text).slice(0, TEXT_LENGTH).toWellFormed()

/** Blank text counts as none. */
export const presence = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)
