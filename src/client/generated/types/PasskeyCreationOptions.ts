// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey creation options. */
export interface PasskeyCreationOptions {
  /** The domain, and the name of the realm. */
  readonly rp: {
    readonly id: string
    readonly name: string
  }
  /** The user, as the authenticator lists them. */
  readonly user: {
    readonly id: string
    readonly name: string
    readonly displayName: string
  }
  /** What the authenticator signs. */
  readonly challenge: string
  /** The accepted algorithms: EdDSA (-8), ES256 (-7), RS256 (-257). */
  readonly pubKeyCredParams: ReadonlyArray<{
    readonly type: "public-key"
    readonly alg: number
  }>
  /** For how many milliseconds an answer is accepted. */
  readonly timeout: number
  /** Passkeys that the user has. */
  readonly excludeCredentials: ReadonlyArray<{
    readonly type: "public-key"
    readonly id: string
    readonly transports: ReadonlyArray<string>
  }>
  /** What the authenticator has to be able to do. */
  readonly authenticatorSelection: {
    readonly residentKey: "required"
    readonly requireResidentKey: true
    readonly userVerification: string
  }
  /** Whether the authenticator has to prove what it is. */
  readonly attestation: string
  /** Extensions of WebAuthn. */
  readonly extensions: {
    readonly credProps: true
  }
}
