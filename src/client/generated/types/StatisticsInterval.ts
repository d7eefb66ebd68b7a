// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { LoginsByMethod } from "./LoginsByMethod.ts"

/** A statistics interval. */
export interface StatisticsInterval {
  /**
   * Unix time in seconds at which the interval begins: a full hour, midnight, or midnight of the first of a month, in
   * UTC.
   */
  readonly from: number
  /** The number of logins that succeeded (`user.login.succeeded`). */
  readonly logins: number
  /** The number of different users who logged in. */
  readonly active_users: number
  /** The logins by their methods, most frequent first. */
  readonly logins_by_method: ReadonlyArray<LoginsByMethod>
  /** The number of logins that failed (`user.login.failed`). */
  readonly failed_logins: number
  /** The number of times that a user was blocked after too many attempts (`user.blocked`). */
  readonly blocked_users: number
  /** The number of users created, by themselves or by others (`user.created`), not counting imports. */
  readonly users_created: number
  /** The number of orgs created (`org.created`), not counting imports. */
  readonly orgs_created: number
  /** The number of users created by imports (`realm.imported`). */
  readonly users_imported: number
  /** The number of orgs created by imports (`realm.imported`). */
  readonly orgs_imported: number
  /** The number of sessions ended, other than by expiry (`session.deleted`). */
  readonly sessions_ended: number
  /** The number of webhook deliveries started in the interval that succeeded. */
  readonly webhooks_delivered: number
  /** The number of webhook deliveries started in the interval that failed permanently. */
  readonly webhooks_failed: number
  /** The number of emails started in the interval that were sent. */
  readonly mails_sent: number
  /** The number of emails started in the interval that failed permanently. */
  readonly mails_failed: number
}
