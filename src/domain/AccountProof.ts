import { DateTime } from "effect"
import { type Authentication, assuranceOf } from "./Authentication.ts"
import { isRecentProof } from "./Reauthentication.ts"

/** The proof of identity that a user has given in a browser. */
export interface IdentityProof {
  /** When the user last proved their identity, by a full login or just the password. */
  readonly provedAt: DateTime.Utc
  /** How the user logged in, or null if unknown. */
  readonly authentication: Authentication | null
}

/**
 * Requires a proof to include a second factor. `since` is when the user set up their first one, or null if the realm
 * requires one.
 */
export interface FactorRequirement {
  readonly since: DateTime.Utc | null
}

/**
 * Returns whether a proof is sufficient for sensitive account changes (C160, SEC-144). A user with a second factor must
 * also have used it recently. A factor set up after the proof is not required, because the person who gave the proof added
 * it.
 */
export const isAccountProof = (
  { provedAt, authentication }: IdentityProof,
  demand: FactorRequirement | undefined,
  now: DateTime.Utc
): boolean => {
  if (!isRecentProof(provedAt, now)) return false
  if (demand === undefined) return true
  if (demand.since !== null && DateTime.isGreaterThanOrEqualTo(demand.since, provedAt)) return true
  return (
    authentication !== null && assuranceOf(authentication.methods) === "aal2" && isRecentProof(authentication.at, now)
  )
}
