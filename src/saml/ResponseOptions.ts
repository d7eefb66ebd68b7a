/** What a response is compared with. All texts must be equal exactly. */
export interface ResponseOptions {
  readonly idpEntityId: string
  /** The provider's certificates in DER as base64, at least one. No other key is ever used. */
  readonly certificates: ReadonlyArray<string>
  readonly spEntityId: string
  readonly acsUrl: string
  /** The private keys for encrypted assertions in PEM. */
  readonly decryptionKeys: ReadonlyArray<string>
  /** The current time in Unix milliseconds. */
  readonly now: number
  /** The ID of the request, or `unsolicited` for a login that begins at the provider. */
  readonly expectedRequestId: string
}

/** The difference between the clocks of the provider and this service that is accepted, in milliseconds. */
export const CLOCK_SKEW = 60_000
