import { Data, type DateTime } from "effect"
import type { Claims } from "./Claims.ts"
import type { Realm } from "./Realm.ts"

/** The reason why a token is invalid in the realm. */
export type LoginTokenProblem =
  | "form"
  | "key"
  | "algorithm"
  | "signature"
  | "type"
  | "realm"
  | "issuer"
  | "expired"
  | "claims"

/** The maximum length of a token, in characters. Longer ones are not read. */
export const MAX_JWT_LENGTH = 64 * 1024

export class InvalidJwt extends Data.TaggedError("InvalidToken")<{ readonly why: LoginTokenProblem }> {}

/** Returns whether a realm issues tokens without `exp`, as it does for unmanaged sessions without end and for API keys (C31). */
const mayLackExpiry = (realm: Realm, isApiUser: boolean): boolean =>
  isApiUser ? realm.apiKeyMinutes === 0 : realm.sessionType === "unmanaged" && realm.sessionMinutes === 0

/** Validates the claims of a token whose signature is correct (C29, C31, SEC-41). */
export const loginTokenProblem = (
  claims: Claims,
  expected: {
    readonly realm: Realm
    readonly issuer: string
    readonly now: DateTime.Utc
    /** Whether the token belongs to an API user. */
    readonly isApiUser: boolean
  }
): LoginTokenProblem | undefined => {
  const { exp, iat, iss, rid, sid, sub } = claims
  if (rid !== expected.realm.id) return "realm"
  if (iss !== expected.issuer) return "issuer"
  if (typeof sub !== "string" || typeof sid !== "string" || typeof iat !== "number") return "claims"
  if (exp === undefined) return mayLackExpiry(expected.realm, expected.isApiUser) ? undefined : "claims"
  if (typeof exp !== "number") return "claims"
  return exp * 1000 > expected.now.epochMilliseconds ? undefined : "expired"
}
