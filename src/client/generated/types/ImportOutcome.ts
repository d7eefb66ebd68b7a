// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An import outcome. */
export interface ImportOutcome {
  /** Whether all rows were processed. If not, send the same rows again to continue the import. */
  readonly complete: boolean
  /** The number of processed rows: the sum of the next four. */
  readonly rows: number
  /** The number of users created. */
  readonly created: number
  /** The number of users who were changed, or who got credentials or memberships. */
  readonly updated: number
  /** The number of users who already matched their rows. */
  readonly unchanged: number
  /** The number of rejected rows. */
  readonly refused: number
  /** The number of orgs created. */
  readonly orgs_created: number
}
