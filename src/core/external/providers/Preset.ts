import type { ExternalProvider } from "#domain/AuthProvider"
import type { OutboundRequest } from "#platform/Outbound"
import type { ProviderClaims } from "./ProviderClaims.ts"

/** Where a provider is. */
export interface Endpoints {
  /** Where people are sent to. */
  readonly authorization: string
  /** Where a code becomes an access token. */
  readonly token: string
  /** Who an access token stands for. */
  readonly profile: string
  /** That person's e-mails, where the profile has none. */
  readonly emails?: string
  /** What an access token is good for, and to whom it was given. */
  readonly inspection?: string
  /** The keys that sign its ID tokens. */
  readonly keys?: string
}

/** What its ID tokens are held to, and its signature where its keys are known. */
export interface IdTokens {
  /** Undefined: nobody has told, so that it is whoever says so; and there may be no ID token. */
  readonly issuer?: string
  readonly algorithms: ReadonlyArray<string>
  /** Whether they repeat our nonce. */
  readonly nonce: boolean
  /** Whether they name the person as the profile does. */
  readonly names: boolean
}

/** We, as a provider knows us. */
export interface ProviderClient {
  readonly provider: ExternalProvider
  readonly secret: string
}

/** How a provider tells to whom an access token was given. */
export interface Inspection {
  readonly question: (client: ProviderClient, endpoint: string, accessToken: string) => OutboundRequest
  /** Whether the answer says that it was given to us. */
  readonly isOurs: (answer: unknown, clientId: string) => boolean
}

/** A type of provider: everything about it that is not its settings. */
export interface Preset {
  readonly endpoints: Endpoints
  /** What is asked for unless its settings say otherwise. */
  readonly scopes: ReadonlyArray<string>
  /** Whether it takes a code challenge (PKCE). */
  readonly challenge: boolean
  /** Undefined: it issues none, or none that matter. */
  readonly idTokens?: IdTokens
  /** How we show that we are its client: in the body, by Basic, or by whichever it takes. */
  readonly clientSecret: "post" | "basic" | "either"
  /** What marks a second try. */
  readonly retry: Readonly<Record<string, string>>
  /** What its answers tell of a person. */
  readonly person: (profile: unknown, emails: unknown) => ProviderClaims
  /** Undefined: it can't tell whose an access token is. */
  readonly inspection?: Inspection
}
