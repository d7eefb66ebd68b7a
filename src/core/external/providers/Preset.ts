import type { ExternalProvider, ResponseMode } from "#domain/AuthProvider"
import type { OutboundRequest } from "#platform/Outbound"
import type { ProviderClaims } from "./ProviderClaims.ts"

/** The asymmetric algorithms of ID tokens. HMAC with the client secret and `none` are never accepted. */
export const asymmetricAlgorithms: ReadonlyArray<string> = [
  ...["RS", "PS", "ES"].flatMap((family) => ["256", "384", "512"].map((size) => family + size)),
  "EdDSA",
  "Ed25519"
]

/** The URLs of a provider's endpoints. */
export interface Endpoints {
  /** The authorization endpoint, to which people are redirected. */
  readonly authorization: string
  /** The token endpoint, which exchanges a code for an access token. */
  readonly token: string
  /** The userinfo endpoint, which returns the person's profile. Some providers have the profile only in ID tokens. */
  readonly profile?: string
  /** The endpoint that returns the person's emails, if the profile doesn't contain them. */
  readonly emails?: string
  /** The introspection endpoint, which reports the client to which an access token was issued. */
  readonly inspection?: string
  /** The URL of the provider's JSON Web Key Set. Signatures of ID tokens are verified only if it is known. */
  readonly keys?: string
}

/** The rules for validating a provider's ID tokens. */
export interface IdTokens {
  /**
   * The issuer, or a function that returns it for the claims of an ID token, or undefined if it is unknown. If it is unknown,
   * any issuer is accepted, and the ID token may be missing.
   */
  readonly issuer?: string | ((claims: unknown) => string | undefined)
  readonly algorithms: ReadonlyArray<string>
  /** Whether the ID tokens contain the nonce of the authorization request. */
  readonly nonce: boolean
  /** Whether `sub` in the ID tokens equals the person's ID in the profile. */
  readonly subjectIsProfileId: boolean
  /** Whether the ID tokens contain the profile. The userinfo endpoint is then asked only for missing claims (C298). */
  readonly containsProfile?: boolean
  /** Whether authorization responses must name the issuer (RFC 9207). */
  readonly requiresIssuerParameter?: boolean
}

/** Our client at a provider. `secret` is the client secret. */
export interface ProviderClient {
  readonly provider: ExternalProvider
  readonly secret: string
}

/** How to ask a provider to which client an access token was issued. */
export interface Inspection {
  readonly request: (client: ProviderClient, endpoint: string, accessToken: string) => OutboundRequest
  /** Returns whether the response shows that the token was issued to our client. */
  readonly isOurs: (answer: unknown, clientId: string) => boolean
}

/** The fixed properties of a provider type that tests can replace. */
export interface PresetMembers {
  readonly endpoints: Endpoints
  /** The scopes to request by default. */
  readonly scopes: ReadonlyArray<string>
  /** Whether the provider supports a code challenge (PKCE). */
  readonly supportsPkce: boolean
  /** The rules for ID tokens, or undefined if the provider issues none or they are ignored. */
  readonly idTokens?: IdTokens
  /** How our client authenticates: in the body, by HTTP Basic, or by HTTP Basic with the body as a fallback. */
  readonly clientSecret: "post" | "basic" | "either"
  /** How the provider returns the browser for these scopes. Without it, by a redirect. */
  readonly responseMode?: (scopes: ReadonlyArray<string>) => ResponseMode
  /** The extra parameters of the authorization URL for a second attempt. */
  readonly retryParameters: Readonly<Record<string, string>>
  /** Extracts the claims about a person from the provider's responses. */
  readonly claimsOf: (profile: unknown, emails: unknown) => ProviderClaims
}

/** The fixed properties of a provider type, which can't be changed in the settings. */
export interface Preset extends PresetMembers {
  /** How to inspect access tokens, or undefined if the provider can't report to which client a token was issued. */
  readonly inspection?: Inspection
}
