import type { CryptoKeyPair } from "oauth4webapi"
import type { Transport } from "#testing/Transport"
import type { Arrived } from "./Person.ts"

/** How a relying party authenticates at the token endpoint. */
export type PartyAuth =
  | { readonly method: "client_secret_basic" | "client_secret_post"; readonly secret: string }
  | { readonly method: "private_key_jwt"; readonly key: CryptoKeyPair["privateKey"] }
  | { readonly method: "none" }

/** What a relying party is told of its provider and itself. */
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

/** An authorization request that was begun: where the browser goes, and what comes back is checked against. */
export interface Begun {
  readonly url: URL
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

/** What a relying party got. */
export interface PartyTokens {
  readonly access: string
  readonly refresh: string | undefined
  readonly idToken: string | undefined
  readonly type: string
  /** The user, by the ID token that the library has checked. */
  readonly sub: string | undefined
}

/** A relying party built with a library of others' making, which checks every response by the standards. */
export interface Party {
  begin(parameters: Readonly<Record<string, string>>, how?: { readonly par?: boolean }): Promise<Begun>
  finish(begun: Begun, arrived: Arrived): Promise<PartyTokens>
  userinfo(tokens: PartyTokens): Promise<Readonly<Record<string, unknown>>>
  refresh(tokens: PartyTokens): Promise<PartyTokens>
  introspect(token: string): Promise<Readonly<Record<string, unknown>>>
  revoke(token: string): Promise<void>
  clientCredentials(parameters: Readonly<Record<string, string>>): Promise<PartyTokens>
  /** Begins the flow of a device; `poll` asks once for its tokens. */
  device(parameters: Readonly<Record<string, string>>): Promise<PartyDevice>
  endSession(parameters: Readonly<Record<string, string>>): URL
}

/** What a device shows, and how it asks. */
export interface PartyDevice {
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete: string | undefined
  /** The tokens, or the code of the error that says why there are none. */
  readonly poll: () => Promise<PartyTokens | string>
}

/** A party is made of what it discovers. */
export type PartyMaker = (settings: PartySettings) => Promise<Party>
