/** The maximum length of a search text, in characters. */
export const SEARCH_LENGTH = 200

/** The default number of search results. */
export const SEARCH_RESULTS = 20

/** A search. `key` is the text in canonical form, like stored emails, usernames and sort keys. */
export interface Search {
  readonly text: string
  readonly key: string
  readonly maxResults: number
}

/** The smallest string greater than all strings with this prefix, in code point order. Undefined if there is none. */
export const prefixEnd = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  const last = points.findLastIndex((point) => point < 0x10ffff)
  const point = points[last]
  if (point === undefined) return undefined
  // Skip the surrogates, which are not characters.
  const next = point === 0xd7ff ? 0xe000 : point + 1
  return String.fromCodePoint(...points.slice(0, last), next)
}

/** Converts a search key like "lovelace, ada" to the sort key for ordering by last name, then first name. */
export const lastNameFirst = (key: string): string => {
  const comma = key.indexOf(",")
  return comma === -1 ? key : `${key.slice(0, comma).trimEnd()}\u0001${key.slice(comma + 1).trimStart()}`
}
