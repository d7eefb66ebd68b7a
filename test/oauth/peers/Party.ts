import type { CryptoKeyPair } from "oauth4webapi"
import type { Transport } from "#testing/Transport"
import type { Arrival } from "./Person.ts"

/** How a relying party authenticates at the token endpoint. */
export type PartyAuth =
  | { readonly method: "client_secret_basic" | "client_secret_post"; readonly secret: string }
  | { readonly method: "private_key_jwt"; readonly key: CryptoKeyPair["privateKey"] }
  | { readonly method: "none" }

/** The configuration of a relying party. */
export interface PartySettings {
  readonly issuer: URL
  readonly clientId: string
  readonly auth: PartyAuth
  readonly redirectUri: string
  readonly transport: Transport
  /** Seconds by which the service's clock is ahead of this machine's. */
  readonly clockSkew: number
  readonly dpop?: CryptoKeyPair
}

/** A pending authorization request: the URL to open, and the values the response is checked against. */
export interface PendingRequest {
  readonly url: URL
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

/** The tokens of a relying party. */
export interface PartyTokens {
  readonly access: string
  readonly refresh: string | undefined
  readonly idToken: string | undefined
  readonly type: string
  /** The subject of the ID token that the library has verified. */
  readonly sub: string | undefined
}

/** A relying party built with a third-party library that checks every response against the standards. */
export interface Party {
  begin(parameters: Readonly<Record<string, string>>, how?: { readonly par?: boolean }): Promise<PendingRequest>
  finish(begun: PendingRequest, arrived: Arrival): Promise<PartyTokens>
  userinfo(tokens: PartyTokens): Promise<Readonly<Record<string, unknown>>>
  refresh(tokens: PartyTokens): Promise<PartyTokens>
  introspect(token: string): Promise<Readonly<Record<string, unknown>>>
  revoke(token: string): Promise<void>
  clientCredentials(parameters: Readonly<Record<string, string>>): Promise<PartyTokens>
  /** Begins the device flow; `poll` requests the tokens once. */
  device(parameters: Readonly<Record<string, string>>): Promise<PartyDevice>
  endSession(parameters: Readonly<Record<string, string>>): URL
}

/** What a device displays, and how it polls. */
export interface PartyDevice {
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string | undefined
  /** The tokens, or the error code. */
  readonly poll: () => Promise<PartyTokens | string>
}

/** Builds a relying party through discovery. */
export type PartyMaker = (settings: PartySettings) => Promise<Party>
