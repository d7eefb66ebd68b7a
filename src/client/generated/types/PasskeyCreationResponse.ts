// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey creation response. */
export interface PasskeyCreationResponse {
  /** The WebAuthn credential ID. In base64url. */
  readonly id: string
  /** The authenticator's response. */
  readonly response: {
    /** The browser's data about the ceremony: challenge, origin and type. In base64url. */
    readonly clientDataJSON: string
    /** The new public key, with data about the authenticator. In base64url. */
    readonly attestationObject: string
    /** The transports by which the authenticator can be reached. Default: unknown. */
    readonly transports?: ReadonlyArray<string> | null | undefined
  }
}
