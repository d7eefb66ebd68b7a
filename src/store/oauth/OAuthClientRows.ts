import { emptyAppSettings } from "#domain/App"
import type { RegistrationKind } from "#domain/clients/ClientRegistration"
import type { OAuthClient, OAuthClientType, OAuthSettings } from "#domain/clients/OAuthClient"
import type { AppId, RealmId } from "#domain/Ids"
import { sortKey } from "#domain/Text"
import { type AppearanceColumns, appearanceColumns, appearanceOf } from "../statements/AppearanceColumns.ts"
import { date, utc, utcOrNull } from "../statements/Rows.ts"

/** An OAuth client's row in `oauth_clients`, joined with its columns in `login_policies`. */
export interface OAuthClientRow extends AppearanceColumns {
  readonly id: AppId
  readonly realm_id: RealmId
  readonly state: OAuthClient["state"]
  readonly name: string
  readonly client_type: OAuthClientType
  readonly redirect_uris: ReadonlyArray<string>
  readonly created_at: Date
  readonly post_logout_redirect_uris: ReadonlyArray<string>
  readonly backchannel_logout_uri: string | null
  readonly client_uri: string | null
  readonly initiate_login_uri: string | null
  readonly grant_types: OAuthSettings["grantTypes"]
  readonly token_endpoint_auth_method: OAuthSettings["tokenEndpointAuthMethod"]
  readonly jwks: string | null
  readonly jwks_uri: string | null
  readonly allowed_scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly consent: OAuthSettings["consent"]
  readonly id_token_claims: OAuthSettings["idTokenClaims"]
  readonly require_pkce: boolean
  readonly require_par: boolean
  readonly require_dpop: boolean
  readonly access_token_minutes: number
  readonly refresh_token_days: number
  readonly login_app_id: AppId | null
  readonly registration_kind: RegistrationKind | null
  readonly document_url: string | null
  readonly unused_until: Date | null
}

/** The columns of `oauth_clients` (`c`) and `oauth_registrations` (`r`) that are not in `login_policies`. */
export const oauthColumns = `c.post_logout_redirect_uris, c.backchannel_logout_uri, c.client_uri,
  c.initiate_login_uri, c.grant_types, c.token_endpoint_auth_method,
  c.jwks, c.jwks_uri, c.allowed_scopes, c.resources, c.consent, c.id_token_claims, c.require_pkce, c.require_par, c.require_dpop,
  c.access_token_minutes, c.refresh_token_days, c.login_app_id, r.kind as registration_kind, r.document_url, r.unused_until`

/** The join of `oauth_registrations` (`r`) with `oauth_clients` (`c`). */
export const registrationJoin = "left join oauth_registrations r on r.realm_id = c.realm_id and r.client_id = c.id"

/** Converts a row to a client. */
export const oauthClientOf = (row: OAuthClientRow): OAuthClient => ({
  id: row.id,
  realmId: row.realm_id,
  state: row.state,
  name: row.name,
  clientType: row.client_type,
  redirectUris: row.redirect_uris,
  appearance: appearanceOf(row),
  createdAt: utc(row.created_at),
  postLogoutRedirectUris: row.post_logout_redirect_uris,
  backchannelLogoutUri: row.backchannel_logout_uri,
  clientUri: row.client_uri,
  initiateLoginUri: row.initiate_login_uri,
  grantTypes: row.grant_types,
  tokenEndpointAuthMethod: row.token_endpoint_auth_method,
  jwks: row.jwks,
  jwksUri: row.jwks_uri,
  allowedScopes: row.allowed_scopes,
  resources: row.resources,
  consent: row.consent,
  idTokenClaims: row.id_token_claims,
  requirePkce: row.require_pkce,
  requirePar: row.require_par,
  requireDpop: row.require_dpop,
  accessTokenMinutes: row.access_token_minutes,
  refreshTokenDays: row.refresh_token_days,
  loginAppId: row.login_app_id,
  registration:
    row.registration_kind === null
      ? null
      : { kind: row.registration_kind, documentUrl: row.document_url, unusedUntil: utcOrNull(row.unused_until) }
})

/**
 * The columns of `login_policies` that an update of a client may change. The client type can change only through a metadata
 * document.
 */
export const policyChanges = ({ clientType, state, name, redirectUris, appearance }: OAuthClient) => ({
  client_type: clientType,
  state,
  name,
  sort_name: sortKey(name),
  redirect_uris: redirectUris,
  ...appearanceColumns(appearance)
})

/** The row for a new client in `login_policies`, which has no hosted pages. */
export const policyRow = (client: OAuthClient) => ({
  realm_id: client.realmId,
  id: client.id,
  ...policyChanges(client),
  subdomain: emptyAppSettings.subdomain,
  logout_uris: emptyAppSettings.logoutUris,
  signup_mode: emptyAppSettings.signupMode,
  require_password_confirmation: emptyAppSettings.requirePasswordConfirmation,
  require_names: emptyAppSettings.requireNames,
  require_org_name: emptyAppSettings.requireOrgName,
  allow_jsonp: emptyAppSettings.allowJsonp,
  auto_continue: emptyAppSettings.autoContinue,
  allow_invitations: emptyAppSettings.allowInvitations,
  invitation_permissions: emptyAppSettings.invitationPermissions,
  created_at: date(client.createdAt)
})

/** The columns of `oauth_clients` that an update may change. */
export const clientChanges = (client: OAuthClient) => ({
  post_logout_redirect_uris: client.postLogoutRedirectUris,
  backchannel_logout_uri: client.backchannelLogoutUri,
  client_uri: client.clientUri,
  initiate_login_uri: client.initiateLoginUri,
  grant_types: client.grantTypes,
  token_endpoint_auth_method: client.tokenEndpointAuthMethod,
  jwks: client.jwks,
  jwks_uri: client.jwksUri,
  allowed_scopes: client.allowedScopes,
  resources: client.resources,
  consent: client.consent,
  id_token_claims: client.idTokenClaims,
  require_pkce: client.requirePkce,
  require_par: client.requirePar,
  require_dpop: client.requireDpop,
  access_token_minutes: client.accessTokenMinutes,
  refresh_token_days: client.refreshTokenDays,
  login_app_id: client.loginAppId
})
