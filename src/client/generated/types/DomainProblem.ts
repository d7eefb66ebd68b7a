// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A domain problem. */
export interface DomainProblem {
  /**
   * The reason: the name of the record does not exist (`nxdomain`), has no TXT records (`no_record`), only other ones
   * (`wrong_value`), too many (`too_large`) or is an alias (`alias`); the lookup failed (`servfail`) or took too long
   * (`timeout`); the resolvers contradict each other (`disagreement`); another org owns the domain and its record still
   * exists (`held`), or has proved it after this org's record was gone (`replaced`).
   */
  readonly code:
    | "nxdomain"
    | "no_record"
    | "alias"
    | "servfail"
    | "timeout"
    | "too_large"
    | "wrong_value"
    | "disagreement"
    | "held"
    | "replaced"
  /** The reason as a sentence, in the language of the request. */
  readonly message: string
  /** For `wrong_value`: the first three TXT records found instead, each cut to 120 characters. */
  readonly found: ReadonlyArray<string>
}
