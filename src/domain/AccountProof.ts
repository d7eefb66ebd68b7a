import { DateTime } from "effect"
import { type Authentication, assuranceOf } from "./Authentication.ts"
import { isRecentProof } from "./Reauthentication.ts"

/** What a browser knows of who its user is. */
export interface ShownProof {
  /** When the user last showed who they are: by a login, or by the password alone. */
  readonly provedAt: DateTime.Utc
  /** How they have logged in. Null: nobody knows. */
  readonly authentication: Authentication | null
}

/** That a proof has to include a second factor. `since`: when the user set up the first; null: the realm requires one. */
export interface FactorDemand {
  readonly since: DateTime.Utc | null
}

/**
 * Whether a proof suffices for sensitive changes of an account (C160, SEC-144). Who has a second factor has to have shown it,
 * too, within the same minutes, except where the factor is not older than the proof: then it is theirs who gave the proof.
 */
export const isAccountProof = (
  { provedAt, authentication }: ShownProof,
  demand: FactorDemand | undefined,
  now: DateTime.Utc
): boolean => {
  if (!isRecentProof(provedAt, now)) return false
  if (demand === undefined) return true
  if (demand.since !== null && DateTime.isGreaterThanOrEqualTo(demand.since, provedAt)) return true
  return (
    authentication !== null && assuranceOf(authentication.methods) === "aal2" && isRecentProof(authentication.at, now)
  )
}
