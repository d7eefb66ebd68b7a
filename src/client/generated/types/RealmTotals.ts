// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A realm totals. */
export interface RealmTotals {
  /** The number of users. */
  readonly users: number
  /** The number of orgs, including closed ones. */
  readonly orgs: number
  /** The number of users whose last login was in the last 24 hours. */
  readonly active_users_day: number
  /** The number of users whose last login was in the last 30 days. */
  readonly active_users_month: number
}
