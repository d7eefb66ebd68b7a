/** The maximum length of a name in an email, in characters. */
const MAX_LENGTH = 64

// Matches a dot, colon or at sign between other characters, as in a host, an address or a scheme.
const JOINT = /(?<=[\p{L}\p{N}])[.:@](?=[\p{L}\p{N}/])/gu

// Matches line breaks, control characters and bidirectional overrides.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/**
 * Prepares the name of a person, an org or a realm for an email. Anyone can choose a name and have the service email it to
 * strangers (SEC-72). The name is therefore shortened, and invisible characters keep mail clients from turning an address
 * in it into a link.
 */
export const nameInMail = (name: string): string => {
  const characters = [...name.replace(UNPRINTABLE, " ").trim()]
  const short =
    characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join("")}…` : characters.join("")
  return short.replace(JOINT, "$&\u2060")
}
