// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey creation options. */
export interface PasskeyCreationOptions {
  /** Who asks for the passkey. */
  readonly rp: {
    /** The domain that the passkey will belong to. */
    readonly id: string
    /** The name of the realm. */
    readonly name: string
  }
  /** The user, as the authenticator lists them. */
  readonly user: {
    /** The user's ID, in base64url. */
    readonly id: string
    /** What the user logs in with otherwise: the e-mail, or else the username. */
    readonly name: string
    /** The person's name. */
    readonly displayName: string
  }
  /** What the authenticator signs. */
  readonly challenge: string
  /** The accepted algorithms: EdDSA (-8), ES256 (-7), RS256 (-257). */
  readonly pubKeyCredParams: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** The algorithm's number in COSE. */
    readonly alg: number
  }>
  /** For how many milliseconds an answer is accepted. */
  readonly timeout: number
  /** Passkeys that the user has. */
  readonly excludeCredentials: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** The credential ID of WebAuthn, in base64url. */
    readonly id: string
    /** How its authenticator can be reached. */
    readonly transports: ReadonlyArray<string>
  }>
  /** What the authenticator has to be able to do. */
  readonly authenticatorSelection: {
    /** The passkey can be found without a username: always `required`. */
    readonly residentKey: "required"
    /** The same for older browsers: always true. */
    readonly requireResidentKey: true
    /** Whether the authenticator has to check who uses it. */
    readonly userVerification: "preferred" | "required"
  }
  /** Whether the authenticator has to prove what it is. */
  readonly attestation: "none" | "direct"
  /** Extensions of WebAuthn. */
  readonly extensions: {
    /** Asks whether the passkey can be found without a username: always true. */
    readonly credProps: true
  }
}
