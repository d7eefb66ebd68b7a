import { Data, DateTime } from "effect"

/** How long after a login, a password or a code users may make sensitive changes to their account, in minutes (C53, SEC-90). */
export const PROOF_MINUTES = 10

/** Whether the last proof of identity is recent enough for sensitive changes. */
export const isRecentProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { minutes: PROOF_MINUTES }))

/** How long after a login an app can start another login, with a `state`, that needs no prompt, in seconds (C106). */
const FRESH_SECONDS = 60

/** Whether the last proof of identity comes from a login just now. */
export const isFreshProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { seconds: FRESH_SECONDS }))

/** The last proof of identity is too old: the user must log in again. */
export class LoginStale extends Data.TaggedError("LoginStale") {}
