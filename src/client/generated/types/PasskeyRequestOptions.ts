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
    readonly type: "public-key"
    readonly id: string
    readonly transports: ReadonlyArray<string>
  }>
  /** Whether the authenticator has to check who uses it. */
  readonly userVerification: string
}
