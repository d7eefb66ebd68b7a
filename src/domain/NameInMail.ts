/** The maximum length of a name in an email, in characters. */
const MAX_LENGTH = 64

// A dot, colon or at sign between other characters, as in a host, an address or a scheme.
const JOINT = /(?<=[\p{L}\p{N}])[.:@](?=[\p{L}\p{N}/])/gu

// Line breaks, control characters, and bidirectional overrides.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/**
 * The name of a person, an org or a realm as emails show it. Anyone can choose such a name and make the service email it to
 * strangers (SEC-72). So the name is shortened, and an invisible character keeps mail clients from turning an address in it
 * into a link.
 */
export const nameInMail = (name: string): string => {
  const characters = [...name.replace(UNPRINTABLE, " ").trim()]
  const short =
    characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join("")}…` : characters.join("")
  return short.replace(JOINT, "$&\u2060")
}
