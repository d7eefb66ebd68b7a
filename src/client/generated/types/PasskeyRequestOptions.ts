// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey request options. */
export interface PasskeyRequestOptions {
  /** The challenge for the authenticator to sign. */
  readonly challenge: string
  /** The time for which a response is accepted, in milliseconds. */
  readonly timeout: number
  /** The domain that the passkeys belong to. */
  readonly rpId: string
  /** The user's existing passkeys. */
  readonly allowCredentials: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** The WebAuthn credential ID, in base64url. */
    readonly id: string
    /** The transports by which its authenticator can be reached. */
    readonly transports: ReadonlyArray<string>
  }>
  /** Whether the authenticator must verify the user. */
  readonly userVerification: "preferred" | "required"
}
