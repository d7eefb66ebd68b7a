// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A domain of event. */
export interface DomainOfEvent {
  /** The domain's ID. */
  readonly id: string
  /** The domain, in lower case and ASCII. */
  readonly name: string
  /** Only on `domain.check_failed` and `domain.lost`: the reason, as the `code` of the domain's `problem`. */
  readonly problem?:
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
}
