// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** The DNS records in test mode. */
export interface Dns {
  /** The type of the object: always `dns`. */
  readonly object: "dns"
  /** The names that were set. All other names do not exist. */
  readonly records: ReadonlyArray<{
    /** The name, in lower case. */
    readonly name: string
    /** The TXT records. */
    readonly txt: ReadonlyArray<string>
    /** The failure of looking up the name; null if it succeeds. */
    readonly failure: "nxdomain" | "no_record" | "alias" | "servfail" | "timeout" | "too_large" | null
  }>
}
