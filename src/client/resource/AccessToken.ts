import type { Members } from "../TokenParts.ts"
import { AccessTokenRefused } from "./AccessTokenRefused.ts"

/** The content of an access token (RFC 9068). */
export interface AccessToken {
  /** The issuer: the realm. */
  readonly iss: string
  /** The subject: the ID of the user, or of the client if there is no user. */
  readonly sub: string
  /** The resources that the token is for. */
  readonly aud: ReadonlyArray<string>
  readonly client_id: string
  /** The ID of the token. */
  readonly jti: string
  /** The time of issue, in Unix seconds. */
  readonly iat: number
  /** The expiry, in Unix seconds. */
  readonly exp: number
  readonly scopes: ReadonlyArray<string>
  /** The thumbprint of the key that the token is bound to (RFC 9449), or null for a bearer token. */
  readonly jkt: string | null
  /** All claims of the token. */
  readonly claims: Readonly<Record<string, unknown>>
}

const refuse = (): never => {
  throw new AccessTokenRefused("missing_claim")
}

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : refuse())

const time = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : refuse())

const audiences = (value: unknown): ReadonlyArray<string> => [value].flat().map(text)

/**
 * Returns the thumbprint of the key that a token is bound to. Throws for unknown kinds of binding, which must not be
 * ignored.
 */
const jktOf = (cnf: unknown): string | null => {
  if (cnf === undefined) return null
  const entries = typeof cnf === "object" && cnf !== null ? Object.entries(cnf) : []
  const [[method, value] = []] = entries
  if (entries.length !== 1 || method !== "jkt") throw new AccessTokenRefused("binding_unknown")
  return text(value)
}

/** Parses the claims of an access token. Throws if a claim is missing or has the wrong type (RFC 9068 §2.2). */
export const accessTokenOf = (claims: Members): AccessToken => {
  const { scope = "" } = claims
  return {
    iss: text(claims["iss"]),
    sub: text(claims["sub"]),
    aud: audiences(claims["aud"]),
    client_id: text(claims["client_id"]),
    jti: text(claims["jti"]),
    iat: time(claims["iat"]),
    exp: time(claims["exp"]),
    scopes: typeof scope === "string" ? scope.split(" ").filter((one) => one !== "") : refuse(),
    jkt: jktOf(claims["cnf"]),
    claims
  }
}
