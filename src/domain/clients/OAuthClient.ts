import type { DateTime } from "effect"
import { Data } from "effect"
import type { ConnectedApp } from "../ConnectedApp.ts"
import type { AppId } from "../Ids.ts"
import { type ClientRegistration, isAdminApproved } from "./ClientRegistration.ts"

/**
 * The type of an app in OAuth. `standard` is a connected app, which does not use OAuth. `web` is a web server, which can
 * store a secret. `spa` runs in a browser and `native` on a device, so neither can store a secret. `machine` acts on its
 * own behalf. `device` is a device without a browser.
 */
export const clientTypes = ["standard", "web", "spa", "native", "machine", "device"] as const

export type ClientType = (typeof clientTypes)[number]

/** The types of OAuth clients. */
export type OAuthClientType = Exclude<ClientType, "standard">

export const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"

/** The grants of the token endpoint (RFC 6749, RFC 8628). */
export const grantTypes = ["authorization_code", "refresh_token", "client_credentials", DEVICE_CODE_GRANT] as const

export type GrantType = (typeof grantTypes)[number]

/** How clients authenticate at the token endpoint (OpenID Connect Core §9). */
export const tokenEndpointAuthMethods = [
  "client_secret_basic",
  "client_secret_post",
  "private_key_jwt",
  "none"
] as const

export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number]

/** Whether users are asked for consent. First-party clients may skip it. */
export const consentModes = ["skip", "ask"] as const

/** The user claims that ID tokens include by default: those of the granted `profile` and `email` scopes, or none. */
export const idTokenClaimModes = ["scopes", "minimal"] as const

/** The settings of an OAuth client (`docs/contract/choices.md`). */
export interface OAuthSettings {
  readonly postLogoutRedirectUris: ReadonlyArray<string>
  readonly backchannelLogoutUri: string | null
  /**
   * The client's home page, and the URL that starts a login at the client. Users return to them if a login cannot be
   * completed (C276).
   */
  readonly clientUri: string | null
  readonly initiateLoginUri: string | null
  readonly grantTypes: ReadonlyArray<GrantType>
  readonly tokenEndpointAuthMethod: TokenEndpointAuthMethod
  /** The public keys for `private_key_jwt`, as a JSON Web Key Set. */
  readonly jwks: string | null
  /**
   * The URL where the client publishes its keys, as an alternative to `jwks`. The keys are fetched when an assertion is
   * checked.
   */
  readonly jwksUri: string | null
  readonly allowedScopes: ReadonlyArray<string>
  /** The resource servers that the client can get access tokens for (RFC 8707). */
  readonly resources: ReadonlyArray<string>
  readonly consent: (typeof consentModes)[number]
  readonly idTokenClaims: (typeof idTokenClaimModes)[number]
  readonly requirePkce: boolean
  readonly requirePar: boolean
  readonly requireDpop: boolean
  readonly accessTokenMinutes: number
  readonly refreshTokenDays: number
  /** The app on whose pages users log in, or null for the realm's oldest active app. */
  readonly loginAppId: AppId | null
}

/** An app that gets tokens through OAuth 2.0 and OpenID Connect. */
export interface OAuthClient
  extends OAuthSettings,
    Pick<ConnectedApp, "id" | "realmId" | "state" | "name" | "redirectUris" | "appearance"> {
  readonly clientType: OAuthClientType
  readonly createdAt: DateTime.Utc
  /** How the client registered itself, or null if it was created through the management API. */
  readonly registration: ClientRegistration | null
}

/** The `client_id` of a client: the URL of its metadata document if it has one, or else its id. */
export const clientIdOf = ({ id, registration }: Pick<OAuthClient, "id" | "registration">): string =>
  registration?.documentUrl ?? id

/**
 * The URL where users return to a client if a login cannot be completed. Null if there is none or no administrator approved
 * the client (C276).
 */
export const clientReturnUrl = (
  { clientUri, initiateLoginUri, registration }: Pick<OAuthClient, "clientUri" | "initiateLoginUri" | "registration">,
  issuer: string
): string | null => {
  if (!isAdminApproved(registration)) return null
  if (initiateLoginUri === null) return clientUri
  const url = new URL(initiateLoginUri)
  url.searchParams.set("iss", issuer)
  return url.href
}

/** Returns whether a client is able to keep a secret (RFC 6749 §2.1). */
export const isConfidential = ({ tokenEndpointAuthMethod }: Pick<OAuthClient, "tokenEndpointAuthMethod">): boolean =>
  tokenEndpointAuthMethod !== "none"

/** Returns whether a client authenticates with a secret. */
export const hasSecret = ({ tokenEndpointAuthMethod: method }: Pick<OAuthClient, "tokenEndpointAuthMethod">): boolean =>
  method === "client_secret_basic" || method === "client_secret_post"

export class OAuthClientNotFound extends Data.TaggedError("OAuthClientNotFound")<{ readonly id: string }> {}
