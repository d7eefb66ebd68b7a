import { Data, DateTime } from "effect"

/**
 * How many minutes after a login, a password or a code a user may make sensitive changes to their account (C53,
 * SEC-90).
 */
export const PROOF_MINUTES = 10

/** Whether the last proof of identity is recent enough for sensitive changes. */
export const isRecentProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { minutes: PROOF_MINUTES }))

/** How many seconds after a login an app that begins it once more, with a `state`, asks nobody whether to go on (C106). */
const FRESH_SECONDS = 60

/** Whether the last proof of identity is that of a login from just now. */
export const isFreshProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { seconds: FRESH_SECONDS }))

/** The last proof of identity is too old: the user has to log in again. */
export class LoginStale extends Data.TaggedError("LoginStale") {}
