import { Data, DateTime } from "effect"

/** For how many minutes a login, a password or a code allows sensitive changes of one's own account (decision 53, SEC-90). */
export const PROOF_MINUTES = 10

/** Whether somebody has proved who they are a short time ago. */
export const isRecentProof = (provedAt: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThan(provedAt, DateTime.subtract(now, { minutes: PROOF_MINUTES }))

/** The last proof is too old for this: whoever asks has to log in again. */
export class LoginStale extends Data.TaggedError("LoginStale") {}
