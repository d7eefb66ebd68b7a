// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** The pending failures. */
export interface Faults {
  /** The type of the object: always `faults`. */
  readonly object: "faults"
  /** The number of times that sending an email will fail. */
  readonly mail: number
  /** The number of times that posting to a webhook will fail. */
  readonly webhook: number
  /** The number of times that a call to an external provider will fail. */
  readonly provider: number
  /** The number of times that the database of a request will fail. */
  readonly database: number
}
