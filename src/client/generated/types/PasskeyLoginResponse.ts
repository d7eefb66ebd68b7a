// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey login response. */
export interface PasskeyLoginResponse {
  /** The credential ID of WebAuthn. In base64url. */
  readonly id: string
  /** The authenticator's answer. */
  readonly response: {
    /** What the browser says of the ceremony: challenge, origin and kind. In base64url. */
    readonly clientDataJSON: string
    /** What the authenticator says: for which domain, whether it checked its user, its counter. In base64url. */
    readonly authenticatorData: string
    /** The signature of both. In base64url. */
    readonly signature: string
    /**
     * The user that the passkey belongs to. In base64url. Browsers leave it out, or send null, only where the challenge
     * is for one user.
     */
    readonly userHandle?: string | null | undefined
  }
}
