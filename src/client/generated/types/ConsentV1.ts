// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A consent, as version 1 of the API shows it. */
export interface ConsentV1 {
  /** The consent's ID, which begins with `cns_`. */
  readonly id: string
  /** The type of the object: always `consent`. */
  readonly object: "consent"
  /** The ID of the user. */
  readonly user_id: string
  /** All scopes that the user has granted to the client. */
  readonly scopes: ReadonlyArray<string>
  /** All resource servers that the user has allowed the client to access, as URLs. */
  readonly resources: ReadonlyArray<string>
  /** Unix time in seconds, with up to three decimals, of the first consent. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, of the last consent. */
  readonly updated_at: number
  /** The ID of the OAuth client, which is a connected app. */
  readonly login_policy_id: string
}
