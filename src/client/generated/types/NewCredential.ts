// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A new credential. */
export interface NewCredential {
  /**
   * The type of the credential: `password`, `totp` (authenticator app), `api_key` (for API users only), or the type of
   * the provider that the user's profile belongs to.
   */
  readonly credential_type:
    | "api_key"
    | "password"
    | "totp"
    | "apple"
    | "facebook"
    | "github"
    | "google"
    | "linkedin"
    | "microsoft"
    | "oauth2"
    | "oidc"
    | "slack"
    | "yahoo"
  /**
   * For an authenticator app or a profile at a provider: the auth provider's ID. Default: the realm's only provider of
   * that type; required if there are several of type `oauth2`.
   */
  readonly auth_provider_id?: string | null | undefined
  /**
   * The new password: 8 to 512 characters, or a higher minimum if the realm sets one. It can't be a common password or
   * contain the names of the user or the realm.
   */
  readonly password?: string | null | undefined
  /** The new password again, which must match. Default: no confirmation. */
  readonly password_confirmation?: string | null | undefined
  /**
   * A password's hash from another system, instead of `password`. Accepted: argon2id, argon2i, argon2d, bcrypt, scrypt,
   * PBKDF2 (SHA-1, SHA-256, SHA-512), SSHA, phpass, Firebase-scrypt, as PHC strings or in these systems' own formats.
   * At the next login, the service replaces it with its own hash.
   */
  readonly password_hash?: string | null | undefined
  /**
   * For an API key: 20 to 255 visible ASCII characters with at least 10 different ones, or `generate` to generate a
   * key. Default: a key is generated; in an update, unchanged.
   */
  readonly api_key?: string | null | undefined
  /** For an authenticator app or a passkey: the user's name for it. Required for a new authenticator app. */
  readonly name?: string | null | undefined
  /** For a profile at a provider: the user's ID there. Required for a new one. */
  readonly provider_user_id?: string | null | undefined
  /**
   * For a profile at a provider: an access token. It is stored for your use; the service doesn't use it. Default: none.
   */
  readonly access_token?: string | null | undefined
  /** For a profile at a provider: Unix time in seconds at which the access token expires. Default: none. */
  readonly token_expires_at?: number | null | undefined
}
