/** What an authenticator reads of `PublicKeyCredentialCreationOptionsJSON` (Web Authentication Level 3). */
export interface PasskeyCreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string | undefined }
  readonly user: { readonly id: string }
  readonly pubKeyCredParams: ReadonlyArray<{ readonly alg: number }>
  readonly excludeCredentials?: ReadonlyArray<{ readonly id: string }> | undefined
}

/** What an authenticator reads of `PublicKeyCredentialRequestOptionsJSON`. */
export interface PasskeyRequestOptions {
  readonly challenge: string
  readonly rpId?: string | undefined
  readonly allowCredentials?: ReadonlyArray<{ readonly id: string }> | undefined
}

interface PublicKeyCredentialJSON<Response> {
  /** The credential's id, base64url like all bytes here. */
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly authenticatorAttachment: "platform" | "cross-platform"
  readonly clientExtensionResults: Record<string, never>
  readonly response: Response
}

/** What `navigator.credentials.create()` answers, as JSON. */
export type PasskeyRegistration = PublicKeyCredentialJSON<{
  readonly clientDataJSON: string
  readonly attestationObject: string
  readonly authenticatorData: string
  readonly publicKey: string
  readonly publicKeyAlgorithm: number
  readonly transports: Array<string>
}>

/** What `navigator.credentials.get()` answers, as JSON. */
export type PasskeyAssertion = PublicKeyCredentialJSON<{
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
  readonly userHandle?: string
}>
