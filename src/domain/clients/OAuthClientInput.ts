import { type AppearanceInput, appearanceProblems, applyAppearance } from "../Appearance.ts"
import { type ConnectedApp, MAX_REDIRECT_URIS } from "../ConnectedApp.ts"
import { type Problem, problem } from "../Rejected.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "../Text.ts"
import { nativeUriProblem, pageUrlProblem, resourceUriProblem, URL_LENGTH } from "../WebUrl.ts"
import { type ClientTypeRules, clientTypeRules } from "./ClientTypeRules.ts"
import {
  DEVICE_CODE_GRANT,
  type GrantType,
  isConfidential,
  type OAuthClient,
  type OAuthSettings,
  type TokenEndpointAuthMethod
} from "./OAuthClient.ts"
import { isScopeToken, MAX_SCOPES, standardScopes } from "./OAuthScope.ts"

/** The settings a caller can send for an OAuth client. Null clears a setting or restores its default. */
export interface OAuthInput {
  readonly postLogoutRedirectUris?: ReadonlyArray<string> | null
  readonly backchannelLogoutUri?: string | null
  readonly clientUri?: string | null
  readonly initiateLoginUri?: string | null
  readonly grantTypes?: ReadonlyArray<GrantType> | null
  readonly tokenEndpointAuthMethod?: TokenEndpointAuthMethod | null
  readonly jwks?: Readonly<Record<string, unknown>> | null
  readonly jwksUri?: string | null
  readonly allowedScopes?: ReadonlyArray<string> | null
  readonly resources?: ReadonlyArray<string> | null
  readonly consent?: OAuthSettings["consent"] | null
  readonly idTokenClaims?: OAuthSettings["idTokenClaims"] | null
  readonly requirePkce?: boolean | null
  readonly requirePar?: boolean | null
  readonly requireDpop?: boolean | null
  readonly accessTokenMinutes?: number | null
  readonly refreshTokenDays?: number | null
  readonly loginAppId?: string | null
}

/** The settings a caller can send for an OAuth client, including those it shares with connected apps. */
export interface OAuthClientInput extends OAuthInput {
  readonly state?: ConnectedApp["state"]
  readonly name?: string | null
  readonly redirectUris?: ReadonlyArray<string> | null
  readonly appearance?: AppearanceInput | null
}

/** The ranges and defaults of token lifetimes: access tokens in minutes, and all tokens of a grant in days. */
export const accessTokenMinutes = { least: 1, most: 1_440, default: 60 } as const
export const refreshTokenDays = { least: 1, most: 365, default: 30 } as const

/** The maximum number of resource servers per client. */
export const MAX_RESOURCES = 20

/** The default settings of an OAuth client. */
export const defaultOAuthSettings = ({ grantTypes, authMethods, hasUsers }: ClientTypeRules): OAuthSettings => ({
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  clientUri: null,
  initiateLoginUri: null,
  grantTypes: grantTypes.default,
  tokenEndpointAuthMethod: authMethods[0],
  jwks: null,
  jwksUri: null,
  allowedScopes: hasUsers ? standardScopes : [],
  resources: [],
  consent: "skip",
  idTokenClaims: "scopes",
  requirePkce: true,
  requirePar: false,
  requireDpop: false,
  accessTokenMinutes: accessTokenMinutes.default,
  refreshTokenDays: refreshTokenDays.default,
  loginAppId: null
})

const setting = <A>(input: A | null | undefined, before: A, otherwise: A): A =>
  input === undefined ? before : (input ?? otherwise)

const optional = (input: string | null | undefined, before: string | null): string | null =>
  input === undefined ? before : (nonBlank(input)?.trim() ?? null)

/** Removes duplicates. Different spellings of a URL are distinct, because redirect URIs are compared as exact text. */
const distinctTexts = (
  input: ReadonlyArray<string> | null | undefined,
  before: ReadonlyArray<string>,
  otherwise: ReadonlyArray<string> = []
): ReadonlyArray<string> =>
  input === undefined ? before : input === null ? otherwise : [...new Set(input.map((text) => text.trim()))]

/** Applies a caller's settings to an OAuth client, except for new logos, `jwks` and `login_app_id`. */
export const applyOAuthInput = (before: OAuthClient, input: OAuthClientInput): OAuthClient => {
  const otherwise = defaultOAuthSettings(clientTypeRules[before.clientType])
  return {
    ...before,
    state: input.state ?? before.state,
    name: input.name === undefined ? before.name : (input.name ?? "").trim(),
    redirectUris: distinctTexts(input.redirectUris, before.redirectUris),
    appearance: applyAppearance(before.appearance, input.appearance),
    postLogoutRedirectUris: distinctTexts(input.postLogoutRedirectUris, before.postLogoutRedirectUris),
    backchannelLogoutUri: optional(input.backchannelLogoutUri, before.backchannelLogoutUri),
    clientUri: optional(input.clientUri, before.clientUri),
    initiateLoginUri: optional(input.initiateLoginUri, before.initiateLoginUri),
    grantTypes: [...new Set(setting(input.grantTypes, before.grantTypes, otherwise.grantTypes))],
    tokenEndpointAuthMethod: setting(
      input.tokenEndpointAuthMethod,
      before.tokenEndpointAuthMethod,
      otherwise.tokenEndpointAuthMethod
    ),
    // Setting new keys removes the URL of published keys.
    jwksUri: optional(input.jwksUri, input.jwks ? null : before.jwksUri),
    allowedScopes: distinctTexts(input.allowedScopes, before.allowedScopes, otherwise.allowedScopes),
    resources: distinctTexts(input.resources, before.resources),
    consent: setting(input.consent, before.consent, otherwise.consent),
    idTokenClaims: setting(input.idTokenClaims, before.idTokenClaims, otherwise.idTokenClaims),
    requirePkce: setting(input.requirePkce, before.requirePkce, otherwise.requirePkce),
    requirePar: setting(input.requirePar, before.requirePar, otherwise.requirePar),
    requireDpop: setting(input.requireDpop, before.requireDpop, otherwise.requireDpop),
    accessTokenMinutes: setting(input.accessTokenMinutes, before.accessTokenMinutes, otherwise.accessTokenMinutes),
    refreshTokenDays: setting(input.refreshTokenDays, before.refreshTokenDays, otherwise.refreshTokenDays)
  }
}

const uriProblem = (uri: string, rule: (uri: string) => string | undefined): Problem["code"] | undefined => {
  if (!isStorable(uri)) return "invalid"
  // Some servers treat `*` as a wildcard. Here it would only match itself.
  return rule(uri) ?? (uri.includes("*") ? "uri_wildcard" : undefined)
}

/** The problem of the first invalid URI in a list, if any. */
export const uriProblems = (
  field: string,
  uris: ReadonlyArray<string>,
  most: number,
  rule: (uri: string) => string | undefined
): ReadonlyArray<Problem> => {
  if (uris.length > most) return [problem(field, "too_many", { most })]
  if (!uris.every((uri) => isWithin(URL_LENGTH, uri))) return [problem(field, "too_long", { maximum: URL_LENGTH })]
  return uris
    .map((uri) => uriProblem(uri, rule))
    .flatMap((code) => (code === undefined ? [] : [problem(field, code)]))
    .slice(0, 1)
}

/** Validates the URIs that browsers are redirected to. Apps on devices may use private schemes. */
const redirectProblems = (field: string, uris: ReadonlyArray<string>, { redirectTargets }: ClientTypeRules) => {
  if (redirectTargets === "nowhere") return uris.length === 0 ? [] : [problem(field, "other_client_type")]
  return uriProblems(field, uris, MAX_REDIRECT_URIS, redirectTargets === "apps" ? nativeUriProblem : pageUrlProblem)
}

const grantProblems = ({ grantTypes, redirectUris }: OAuthClient, rules: ClientTypeRules): ReadonlyArray<Problem> => {
  const { allowed } = rules.grantTypes
  const has = (type: GrantType) => grantTypes.includes(type)
  const needsUri = has("authorization_code") && redirectUris.length === 0
  const missing = needsUri ? [problem("redirect_uris", "blank")] : []
  if (grantTypes.length === 0) return [problem("grant_types", "blank")]
  if (!grantTypes.every((type) => allowed.includes(type))) {
    return [...missing, problem("grant_types", "inclusion", { allowed: allowed.join(", ") })]
  }
  const hasRefreshAlone = has("refresh_token") && !has("authorization_code") && !has(DEVICE_CODE_GRANT)
  return hasRefreshAlone ? [...missing, problem("grant_types", "refresh_alone")] : missing
}

const authenticationProblems = (client: OAuthClient, { authMethods }: ClientTypeRules): ReadonlyArray<Problem> => {
  const field = "token_endpoint_auth_method"
  const method = client.tokenEndpointAuthMethod
  if (!authMethods.includes(method)) return [problem(field, "inclusion", { allowed: authMethods.join(", ") })]
  return isConfidential(client) || client.requirePkce ? [] : [problem("require_pkce", "pkce_public")]
}

/**
 * Validates a client's scopes. `own` are the realm's scopes. Clients that act on their own behalf have no standard scopes,
 * since these concern users.
 */
const scopeProblems = (
  { allowedScopes }: OAuthClient,
  { hasUsers }: ClientTypeRules,
  own: ReadonlyArray<string>
): ReadonlyArray<Problem> => {
  const field = "allowed_scopes"
  if (allowedScopes.length > MAX_SCOPES) return [problem(field, "too_many", { most: MAX_SCOPES })]
  const known: ReadonlyArray<string> = hasUsers ? [...standardScopes, ...own] : own
  const unknown = allowedScopes.find((scope) => !known.includes(scope))
  if (unknown === undefined) return []
  return isScopeToken(unknown) && isWithin(TEXT_LENGTH, unknown)
    ? [problem(field, "scope_unknown", { scope: unknown })]
    : [problem(field, "scope_form")]
}

const rangeProblems = (field: string, value: number, { least, most }: { least: number; most: number }) =>
  value >= least && value <= most ? [] : [problem(field, "range", { least, most })]

const keyUriProblems = ({ jwksUri }: OAuthClient, rule: ClientContext["targetProblem"]) =>
  jwksUri === null ? [] : uriProblems("jwks_uri", [jwksUri], 1, rule)

const backchannelProblems = (
  { backchannelLogoutUri: uri }: OAuthClient,
  { hasUsers }: ClientTypeRules,
  rule: ClientContext["targetProblem"]
) => {
  const field = "backchannel_logout_uri"
  if (uri === null) return []
  return hasUsers ? uriProblems(field, [uri], 1, rule) : [problem(field, "other_client_type")]
}

/** Validates the URL of a client page that users return to. */
const pageProblems = (field: string, uri: string | null, { hasUsers }: ClientTypeRules): ReadonlyArray<Problem> => {
  if (uri === null) return []
  return hasUsers ? uriProblems(field, [uri], 1, pageUrlProblem) : [problem(field, "other_client_type")]
}

const nameProblems = (name: string): ReadonlyArray<Problem> => {
  if (name === "") return [problem("name", "blank")]
  if (!isStorable(name)) return [problem("name", "invalid")]
  return isWithin(TEXT_LENGTH, name) ? [] : [problem("name", "too_long", { maximum: TEXT_LENGTH })]
}

/** The data that the rules for clients depend on: the realm's own scopes, and a rule for URLs that the service calls. */
interface ClientContext {
  readonly ownScopes: ReadonlyArray<string>
  readonly targetProblem: (url: string) => Problem["code"] | undefined
}

/**
 * Validates an OAuth client after a caller's settings were applied. Returns every broken rule, except the rules for `jwks`
 * and `login_app_id`.
 */
export const oauthClientProblems = (
  client: OAuthClient,
  { ownScopes, targetProblem }: ClientContext
): ReadonlyArray<Problem> => {
  const rules = clientTypeRules[client.clientType]
  return [
    ...nameProblems(client.name),
    ...redirectProblems("redirect_uris", client.redirectUris, rules),
    ...redirectProblems("post_logout_redirect_uris", client.postLogoutRedirectUris, rules),
    ...backchannelProblems(client, rules, targetProblem),
    ...pageProblems("client_uri", client.clientUri, rules),
    ...pageProblems("initiate_login_uri", client.initiateLoginUri, rules),
    ...keyUriProblems(client, targetProblem),
    ...grantProblems(client, rules),
    ...authenticationProblems(client, rules),
    ...scopeProblems(client, rules, ownScopes),
    ...uriProblems("resources", client.resources, MAX_RESOURCES, resourceUriProblem),
    ...rangeProblems("access_token_minutes", client.accessTokenMinutes, accessTokenMinutes),
    ...rangeProblems("refresh_token_days", client.refreshTokenDays, refreshTokenDays),
    ...appearanceProblems(client.appearance)
  ]
}
