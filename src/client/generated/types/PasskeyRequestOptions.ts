// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey request options. */
export interface PasskeyRequestOptions {
  /** What the authenticator signs. */
  readonly challenge: string
  /** For how many milliseconds an answer is accepted. */
  readonly timeout: number
  /** The domain that the passkeys belong to. */
  readonly rpId: string
  /** Passkeys that the user has. */
  readonly allowCredentials: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** The credential ID of WebAuthn, in base64url. */
    readonly id: string
    /** How its authenticator can be reached. */
    readonly transports: ReadonlyArray<string>
  }>
  /** Whether the authenticator has to check who uses it. */
  readonly userVerification: "preferred" | "required"
}
