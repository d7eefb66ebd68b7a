// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { DomainProblem } from "./DomainProblem.ts"

/** A domain. */
export interface Domain {
  /** The domain's ID, which begins with `dom_`. */
  readonly id: string
  /** The type of the object: always `domain`. */
  readonly object: "domain"
  /** The ID of the realm that the resource belongs to. */
  readonly realm_id: string
  /** The ID of the org. */
  readonly org_id: string
  /** The domain, in lower case and ASCII: `bücher.de` is `xn--bcher-kva.de`. */
  readonly domain: string
  /**
   * `pending` until the record is found, then `verified`: the org owns the domain. `lost` after 7 days without the
   * record, or if another org has proved the domain since.
   */
  readonly state: "pending" | "verified" | "lost"
  /** The TXT record that proves the domain. It must remain as long as the org uses the domain. */
  readonly txt: {
    /** The full name of the record. */
    readonly name: string
    /** The text of the record. It is not secret. */
    readonly value: string
  }
  /** Unix time in seconds, with up to three decimals, at which the resource was created. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, at which the org last proved the domain; null if never. */
  readonly verified_at: number | null
  /** Unix time in seconds, with up to three decimals, of the last check; null if none. */
  readonly checked_at: number | null
  /** Unix time in seconds, with up to three decimals, of the next daily check; null if the domain is not verified. */
  readonly next_check_at: number | null
  /**
   * Unix time in seconds, with up to three decimals, of the first check that missed the record since the last success;
   * null if there is none. The domain is lost 7 days later.
   */
  readonly missed_since: number | null
  /** Why the last check failed; null if it succeeded. */
  readonly problem: DomainProblem | null
}
