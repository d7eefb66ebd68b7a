// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An import outcome. */
export interface ImportOutcome {
  /** Whether all rows were worked off. If not, the same rows sent again go on where the import was. */
  readonly complete: boolean
  /** The rows that were worked off: the sum of the next four. */
  readonly rows: number
  /** The users who were created. */
  readonly created: number
  /** The users who were changed, or got credentials or memberships. */
  readonly updated: number
  /** The users who had all that their rows say. */
  readonly unchanged: number
  /** The rows that were refused. */
  readonly refused: number
  /** The orgs that were created. */
  readonly orgs_created: number
}
