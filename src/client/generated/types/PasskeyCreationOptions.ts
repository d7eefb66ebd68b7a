// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A passkey creation options. */
export interface PasskeyCreationOptions {
  /** The service that requests the passkey. */
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
    /** The email or, if there is none, the username. */
    readonly name: string
    /** The person's name. */
    readonly displayName: string
  }
  /** The challenge for the authenticator to sign. */
  readonly challenge: string
  /** The accepted algorithms: EdDSA (-8), ES256 (-7), RS256 (-257). */
  readonly pubKeyCredParams: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** The algorithm's COSE number. */
    readonly alg: number
  }>
  /** The time for which a response is accepted, in milliseconds. */
  readonly timeout: number
  /** The user's existing passkeys. */
  readonly excludeCredentials: ReadonlyArray<{
    /** Always `public-key`. */
    readonly type: "public-key"
    /** The WebAuthn credential ID, in base64url. */
    readonly id: string
    /** The transports by which its authenticator can be reached. */
    readonly transports: ReadonlyArray<string>
  }>
  /** The required capabilities of the authenticator. */
  readonly authenticatorSelection: {
    /** Whether the passkey can be found without a username: always `required`. */
    readonly residentKey: "required"
    /** Like `residentKey`, for older browsers: always true. */
    readonly requireResidentKey: true
    /** Whether the authenticator must verify the user. */
    readonly userVerification: "preferred" | "required"
  }
  /** Whether the authenticator must prove its model. */
  readonly attestation: "none" | "direct"
  /** WebAuthn extensions. */
  readonly extensions: {
    /** Requests whether the passkey can be found without a username: always true. */
    readonly credProps: true
  }
}
