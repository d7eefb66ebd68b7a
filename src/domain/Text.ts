/** The longest name, reference, username or title, in characters (decision 10a). */
export const TEXT_LENGTH = 255

/** True for text the database and every client can hold: no NUL, no lone surrogate (SEC-77). */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

/** Whether a text has at most so many characters: code points, so that an emoji counts as one. */
export const isWithin = (maximum: number, text: string): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && Array.from(text).length <= maximum)

/** The one canonical form of e-mails and usernames: trimmed, NFKC, lower case (decision 21). Idempotent. */
export const canonical = (text: string): string =>
  text.normalize("NFKC").toLowerCase().normalize("NFKC").toLowerCase().normalize("NFKC").trim()

/** What lists sort names by: case does not count. As short as a name, so that an index can hold it. */
export const sortKey = (text: string): string => canonical(text).slice(0, TEXT_LENGTH).toWellFormed()

/** Blank text counts as none. */
export const presence = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)
