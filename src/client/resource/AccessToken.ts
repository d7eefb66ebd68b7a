import type { Members } from "../TokenParts.ts"
import { AccessTokenRefused } from "./AccessTokenRefused.ts"

/** What an access token says (RFC 9068). */
export interface AccessToken {
  /** The issuer: the realm. */
  readonly iss: string
  /** For whom the client acts: the id of a user, or of the client itself. */
  readonly sub: string
  /** The resources that the token is for. */
  readonly aud: ReadonlyArray<string>
  readonly client_id: string
  /** The id of the token. */
  readonly jti: string
  /** In seconds since 1970. */
  readonly iat: number
  /** In seconds since 1970. */
  readonly exp: number
  readonly scopes: ReadonlyArray<string>
  /** The thumbprint of the key that the token is bound to (RFC 9449); null: whoever has the token may use it. */
  readonly jkt: string | null
  /** Every claim, as it is in the token. */
  readonly claims: Readonly<Record<string, unknown>>
}

const refuse = (): never => {
  throw new AccessTokenRefused("missing_claim")
}

const text = (value: unknown): string => (typeof value === "string" && value !== "" ? value : refuse())

const time = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : refuse())

const audiences = (value: unknown): ReadonlyArray<string> => [value].flat().map(text)

/** The key that a token is bound to. A binding that is not understood must not be ignored. */
const jktOf = (cnf: unknown): string | null => {
  if (cnf === undefined) return null
  const entries = typeof cnf === "object" && cnf !== null ? Object.entries(cnf) : []
  const [[method, value] = []] = entries
  if (entries.length !== 1 || method !== "jkt") throw new AccessTokenRefused("binding_unknown")
  return text(value)
}

/** What the claims of an access token say. Throws where one is missing or of another type (RFC 9068 §2.2). */
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
