/** The members of `PublicKeyCredentialCreationOptionsJSON` that an authenticator reads (Web Authentication Level 3). */
export interface PasskeyCreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string | undefined }
  readonly user: { readonly id: string }
  readonly pubKeyCredParams: ReadonlyArray<{ readonly alg: number }>
  readonly excludeCredentials?: ReadonlyArray<{ readonly id: string }> | undefined
}

/** The members of `PublicKeyCredentialRequestOptionsJSON` that an authenticator reads. */
export interface PasskeyRequestOptions {
  readonly challenge: string
  readonly rpId?: string | undefined
  readonly allowCredentials?: ReadonlyArray<{ readonly id: string }> | undefined
}

interface PublicKeyCredentialJSON<Response> {
  /** The credential's ID. All bytes in this interface are encoded in base64url. */
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly authenticatorAttachment: "platform" | "cross-platform"
  readonly clientExtensionResults: Record<string, never>
  readonly response: Response
}

/** The result of `navigator.credentials.create()`, as JSON. */
export type PasskeyRegistration = PublicKeyCredentialJSON<{
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly authenticatorData: string
  readonly publicKey: string
  readonly publicKeyAlgorithm: number
  readonly transports: Array<string>
}>

/** The result of `navigator.credentials.get()`, as JSON. */
export type PasskeyAssertion = PublicKeyCredentialJSON<{
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle?: string
}>
