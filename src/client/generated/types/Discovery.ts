// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A discovery. */
export interface Discovery {
  /** The issuer, as in the claim `iss` of the realm's tokens. */
  readonly issuer: string
  /** The URL of the realm's public keys. */
  readonly jwks_uri: string
  /** Always `id_token`. */
  readonly response_types_supported: ReadonlyArray<string>
  /** Always `public`: `sub` is the user's ID for every app. */
  readonly subject_types_supported: ReadonlyArray<string>
  /** The algorithm of the key that signs: `HS256` or `RS256`. */
  readonly id_token_signing_alg_values_supported: ReadonlyArray<string>
}
