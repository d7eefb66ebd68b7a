import { Data, DateTime } from "effect"

/**
 * How many minutes after a login, a password or a code a user may make sensitive changes to their account (C53,
 * SEC-90).
 */
export const PROOF_MINUTES = 10

/** Whether the last proof of identity is recent enough for sensitive changes. */
export const isRecentProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { minutes: PROOF_MINUTES }))

/** The last proof of identity is too old: the user has to log in again. */
export class LoginStale extends Data.TaggedError("LoginStale") {}
