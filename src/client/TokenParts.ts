/** Canonical base64url. A lenient decoder would accept several encodings of the same bytes. */
const CANONICAL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses a JSON object. Returns undefined for any other text. */
export const membersOf = (text: string): Members | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The three parts of a signed token, each in canonical base64url (RFC 7515 §3.1). */
export interface TokenParts {
  readonly head: string
  readonly body: string
  readonly signature: string
}

/** Splits a signed token. Returns undefined for any other value. */
export const partsOf = (token: unknown): TokenParts | undefined => {
  if (typeof token !== "string") return undefined
  const [head = "", body = "", signature = "", ...more] = token.split(".")
  const isToken = more.length === 0 && [head, body, signature].every((part) => part !== "" && CANONICAL.test(part))
  return isToken ? { head, body, signature } : undefined
}
