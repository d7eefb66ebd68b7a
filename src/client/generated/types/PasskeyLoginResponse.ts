// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey login response. */
export interface PasskeyLoginResponse {
  /** The WebAuthn credential ID. In base64url. */
  readonly id: string
  /** The authenticator's response. */
  readonly response: {
    /** The browser's data about the ceremony: challenge, origin and type. In base64url. */
    readonly clientDataJSON: string
    /** The authenticator's data: the domain, whether it verified the user, and its counter. In base64url. */
    readonly authenticatorData: string
    /** The signature over both. In base64url. */
    readonly signature: string
    /** The user that the passkey belongs to, in base64url. Missing or null only if the challenge is for one user. */
    readonly userHandle?: string | null | undefined
  }
}
