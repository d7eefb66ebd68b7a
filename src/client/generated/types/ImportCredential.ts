// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** An import credential. */
export interface ImportCredential {
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
   * For a password: its hash. Accepted: argon2id, argon2i, argon2d, bcrypt, scrypt, PBKDF2 (SHA-1, SHA-256, SHA-512),
   * SSHA, phpass, Firebase-scrypt, as PHC strings or in these systems' own formats. At the next login, the service
   * replaces it with its own hash. Required for a password.
   */
  readonly password_hash?: string | null | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the password was locked, because someone
   * else proved that they own the user's email. Default: not locked.
   */
  readonly locked_at?: number | string | null | undefined
  /** For an authenticator app: the user's name for it. Required for an authenticator app. */
  readonly name?: string | null | undefined
  /**
   * For an authenticator app: its secret in Base32, 10 to 64 bytes; codes use SHA-1, six digits, 30 seconds. Required
   * for an authenticator app.
   */
  readonly otp_secret?: string | null | undefined
  /**
   * For an authenticator app: `active`, or `new` if the user has not yet entered one of its codes. Default: `active`.
   */
  readonly state?: "new" | "active" | undefined
  /** For a profile at a provider: the user's ID there. Required for a profile at a provider. */
  readonly provider_user_id?: string | null | undefined
  /** For a profile at a provider: the auth provider's ID. Default: the realm's only provider of that type. */
  readonly auth_provider_id?: string | null | undefined
  /**
   * For a profile at a provider: the auth provider's name, as an alternative to its ID if a realm has several providers
   * of type `oauth2`. Default: none.
   */
  readonly auth_provider_name?: string | null | undefined
  /** For a profile at a provider: an access token for it. Default: none. */
  readonly access_token?: string | null | undefined
  /**
   * For a profile at a provider: Unix time in seconds, or a time in ISO 8601, at which the access token expires.
   * Default: none.
   */
  readonly token_expires_at?: number | string | null | undefined
  /**
   * For an API key: the key, 20 to 255 visible ASCII characters with at least 10 different ones. Required for an API
   * key.
   */
  readonly api_key?: string | null | undefined
  /**
   * Unix time in seconds, or a time in ISO 8601, not in the future, at which the credential was created. Default: now.
   */
  readonly created_at?: number | string | null | undefined
}
