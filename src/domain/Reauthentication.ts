import { Data, DateTime } from "effect"

/**
 * How recently users must have logged in, or entered a password or code, to make sensitive account changes, in minutes
 * (C53, SEC-90).
 */
export const PROOF_MINUTES = 10

/** Returns whether the last proof of identity is recent enough for sensitive changes. */
export const isRecentProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { minutes: PROOF_MINUTES }))

/** How long after a login an app can start another login with a `state` that needs no prompt, in seconds (C106). */
const FRESH_SECONDS = 60

/** Returns whether the user has only just logged in. */
export const isFreshProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { seconds: FRESH_SECONDS }))

/** The last proof of identity is too old, so the user must log in again. */
export class LoginStale extends Data.TaggedError("LoginStale") {}
