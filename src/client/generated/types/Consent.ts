// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A consent. */
export interface Consent {
  /** The consent's ID, which begins with `cns_`. */
  readonly id: string
  /** The type of the object: always `consent`. */
  readonly object: "consent"
  /** The ID of the user who gave it. */
  readonly user_id: string
  /** The scopes that the user has ever allowed the client. */
  readonly scopes: ReadonlyArray<string>
  /** The resource servers that the user has ever allowed the client to use, as URLs. */
  readonly resources: ReadonlyArray<string>
  /** Unix time in seconds, with up to three decimals, of the first consent. */
  readonly created_at: number
  /** Unix time in seconds, with up to three decimals, of the last consent. */
  readonly updated_at: number
  /** The ID of the OAuth client: of the connected app that it was given to. */
  readonly client_app_id: string
}
