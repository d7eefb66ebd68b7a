// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey creation response. */
export interface PasskeyCreationResponse {
  /** The credential ID of WebAuthn. In base64url. */
  readonly id: string
  /** The authenticator's answer. */
  readonly response: {
    /** What the browser says of the ceremony: challenge, origin and kind. In base64url. */
    readonly clientDataJSON: string
    /** The new public key, with what the authenticator says of itself. In base64url. */
    readonly attestationObject: string
    /** How the authenticator can be reached. Default: not known. */
    readonly transports?: ReadonlyArray<string> | null | undefined
  }
}
