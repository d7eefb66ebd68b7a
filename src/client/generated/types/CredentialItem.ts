// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A credential in a list or within another resource. */
export interface CredentialItem {
  /** The credential's ID, which begins with `crd_`. */
  readonly id: string
  /** The type of the object: always `credential`. */
  readonly object: "credential"
  /**
   * The type of the credential: `password`, `totp` (authenticator app), `api_key`, or the type of the provider where
   * the user logs in.
   */
  readonly credential_type: string
}
