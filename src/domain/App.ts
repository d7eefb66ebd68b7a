import { Equal } from "effect"
import type { ConnectedApp } from "./ConnectedApp.ts"
import type { ConnectedAppInput } from "./ConnectedAppInput.ts"
import type { ClientType, OAuthClient, OAuthSettings } from "./clients/OAuthClient.ts"
import type { OAuthInput } from "./clients/OAuthClientInput.ts"
import { memberNameOf } from "./EventChanges.ts"
import { type Problem, problem } from "./Rejected.ts"

/** An app as the management API shows it: a connected app or an OAuth client. */
export type App = ConnectedApp | OAuthClient

/** An app as lists show it. `subdomain`: null for OAuth clients. */
export interface ListedApp extends Pick<ConnectedApp, "id" | "realmId" | "name"> {
  readonly clientType: ClientType
  readonly subdomain: string | null
}

/** A caller's settings for an app of either type. */
export interface AppInput extends ConnectedAppInput, OAuthInput {
  readonly clientType?: ClientType | null
}

/** An app with its new client secret, which is shown only once. Null: the app has no secret, or no new one. */
export interface AppWithSecret {
  readonly app: App
  readonly clientSecret: string | null
}

type PageSettings = Omit<
  ConnectedApp,
  "id" | "realmId" | "state" | "name" | "clientType" | "redirectUris" | "appearance" | "createdAt" | "subdomain"
> & { readonly subdomain: string | null }

/** The values that OAuth clients show for the settings of connected apps. */
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

/** The values that connected apps show for the settings of OAuth clients. */
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
 * Rejects settings that the app's type does not have. Values as returned by a read are accepted, so that they can be sent back.
 */
export const otherTypeProblems = (input: AppInput, fixed: object): ReadonlyArray<Problem> =>
  Object.entries(fixed).flatMap(([name, value]) => {
    const given: unknown = Reflect.get(input, name)
    return isEmptyValue(given) || Equal.equals(given, value) ? [] : [problem(memberNameOf(name), "other_client_type")]
  })
