import { DateTime } from "effect"
import { type Authentication, assuranceOf } from "./Authentication.ts"
import { isRecentProof } from "./Reauthentication.ts"

/** The proof of identity that a user has given in a browser. */
export interface IdentityProof {
  /** When the user last proved their identity, by a login or by the password alone. */
  readonly provedAt: DateTime.Utc
  /** How the user logged in. Null if unknown. */
  readonly authentication: Authentication | null
}

/** Requires a proof to include a second factor. `since`: when the user set up their first one; null if the realm requires one. */
export interface FactorRequirement {
  readonly since: DateTime.Utc | null
}

/**
 * Whether a proof suffices for sensitive changes of an account (C160, SEC-144). A user with a second factor must have shown it
 * within the same minutes too, unless it was set up after the proof: then the person who gave the proof set it up.
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
