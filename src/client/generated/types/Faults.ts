// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** The pending failures. */
export interface Faults {
  /** The type of the object: always `faults`. */
  readonly object: "faults"
  /** How many times sending an email will fail. */
  readonly mail: number
  /** How many times posting to a webhook will fail. */
  readonly webhook: number
  /** How many times a call to an external provider will fail. */
  readonly provider: number
  /** How many times the database of a request will fail. */
  readonly database: number
}
