/** The canonical base64url of some bytes: a lenient decoder would accept other texts too. */
const CANONICAL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The members of a JSON object; undefined for any other text. */
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

/** Takes a signed token apart; undefined for any other text. */
export const partsOf = (token: unknown): TokenParts | undefined => {
  if (typeof token !== "string") return undefined
  const [head = "", body = "", signature = "", ...more] = token.split(".")
  const isToken = more.length === 0 && [head, body, signature].every((part) => part !== "" && CANONICAL.test(part))
  return isToken ? { head, body, signature } : undefined
}
