import type { DateTime } from "effect"
import type { Claims } from "../Claims.ts"
import { type GrantId, isId } from "../Ids.ts"
import type { JwtAlgorithm } from "../JwtKey.ts"
import { ACCESS_TOKEN_TYPE } from "./OAuthToken.ts"

/** The claims of an access token that the service uses. */
export interface AccessToken {
  readonly id: string
  readonly clientId: string
  readonly subject: string
  readonly audience: ReadonlyArray<string>
  readonly scopes: ReadonlyArray<string>
  /** The id of the grant, or null if the client acts on its own behalf. */
  readonly grantId: GrantId | null
  /** The thumbprint of the key that the token is bound to, or null. */
  readonly jkt: string | null
  readonly issuedAt: number
  readonly expiresAt: number
  readonly claims: Claims
}

const textsIn = (value: unknown): ReadonlyArray<string> | undefined => {
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  const texts = values.filter((one) => typeof one === "string")
  return texts.length === values.length && texts.length > 0 ? texts : undefined
}

const thumbprintIn = (cnf: unknown): string | null | undefined => {
  if (cnf === undefined) return null
  const jkt = typeof cnf === "object" && cnf !== null ? Reflect.get(cnf, "jkt") : undefined
  return typeof jkt === "string" ? jkt : undefined
}

/**
 * Parses a token that was signed by a key of the realm. Returns undefined if it is not an access token from this issuer or
 * has expired. Login tokens, ID tokens and tokens signed with HS256 are rejected (SEC-153).
 */
export const accessTokenOf = (
  { type, algorithm, claims }: { readonly type: unknown; readonly algorithm: JwtAlgorithm; readonly claims: Claims },
  issuer: string,
  now: DateTime.Utc
): AccessToken | undefined => {
  const { iss, sub, client_id, jti, iat, exp, scope = "", grant = null } = claims
  const [audience, jkt] = [textsIn(claims.aud), thumbprintIn(claims.cnf)]
  if (type !== ACCESS_TOKEN_TYPE || algorithm !== "rs256" || iss !== issuer) return undefined
  if (typeof sub !== "string" || typeof client_id !== "string" || typeof jti !== "string") return undefined
  if (typeof iat !== "number" || typeof exp !== "number" || typeof scope !== "string") return undefined
  if (audience === undefined || jkt === undefined || exp * 1_000 <= now.epochMilliseconds) return undefined
  if (grant !== null && (typeof grant !== "string" || !isId("grant", grant))) return undefined
  return {
    id: jti,
    clientId: client_id,
    subject: sub,
    audience,
    scopes: scope.split(" ").filter((one) => one !== ""),
    grantId: grant,
    jkt,
    issuedAt: iat,
    expiresAt: exp,
    claims
  }
}
