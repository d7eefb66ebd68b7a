import { Equal } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import type { ConnectedAppInput } from "./ConnectedAppInput.ts"
import type { ClientType, OAuthClient, OAuthSettings } from "./clients/OAuthClient.ts"
import type { OAuthInput } from "./clients/OAuthClientInput.ts"
import { memberNameOf } from "./EventChanges.ts"
import { type Problem, problem } from "./Rejected.ts"

/** An app as the management API shows it: a connected app or an OAuth client. */
export type App = ConnectedApp | OAuthClient

/** An app as shown in lists. `subdomain` is null for OAuth clients. */
export interface ListedApp extends Pick<ConnectedApp, "id" | "realmId" | "name"> {
  readonly clientType: ClientType
  readonly subdomain: string | null
}

/** The settings a caller can send for an app of either type. */
export interface AppInput extends ConnectedAppInput, OAuthInput {
  readonly clientType?: ClientType | null
}

/**
 * An app with its new client secret, which is shown only once. The secret is null if the app has none or keeps its current
 * one.
 */
export interface AppWithSecret {
  readonly app: App
  readonly clientSecret: string | null
}

type PageSettings = Omit<
  ConnectedApp,
  "id" | "realmId" | "state" | "name" | "clientType" | "redirectUris" | "appearance" | "createdAt" | "subdomain"
> & { readonly subdomain: string | null }

/** The values shown for connected app settings on an OAuth client. */
export const emptyAppSettings = {
  subdomain: null,
  header: null,
  footer: null,
  externalCss: null,
  loginHandler: null,
  signupHandler: null,
  logoutUris: [],
  signupMode: "none",
  requirePasswordConfirmation: false,
  requireNames: false,
  requireOrgName: false,
  allowJsonp: false,
  autoContinue: false,
  allowInvitations: false,
  invitationPermissions: []
} as const satisfies PageSettings

/** The values shown for OAuth settings on a connected app. */
export const emptyOAuthSettings = {
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  clientUri: null,
  initiateLoginUri: null,
  grantTypes: [],
  tokenEndpointAuthMethod: null,
  jwks: null,
  jwksUri: null,
  allowedScopes: [],
  resources: [],
  consent: null,
  idTokenClaims: null,
  requirePkce: null,
  requirePar: null,
  requireDpop: null,
  accessTokenMinutes: null,
  refreshTokenDays: null,
  loginAppId: null
} as const satisfies { readonly [Name in keyof OAuthSettings]: OAuthSettings[Name] | null }

const isEmptyValue = (given: unknown): boolean =>
  given === undefined || given === null || given === "" || (Array.isArray(given) && given.length === 0)

/**
 * Rejects settings that the app's type does not have. Values that a read returned are accepted, so that callers can send
 * them back.
 */
export const otherTypeProblems = (input: AppInput, fixed: object): ReadonlyArray<Problem> =>
  Object.entries(fixed).flatMap(([name, value]) => {
    const given: unknown = Reflect.get(input, name)
    return isEmptyValue(given) || Equal.equals(given, value) ? [] : [problem(memberNameOf(name), "other_client_type")]
  })
