import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { isObject } from "#domain/JsonObject"
import { nonBlankLines, orNull } from "../calls/Changes.ts"
import type { ClientKind } from "./ClientKinds.ts"

/** A client's settings as form values. */
export const valuesOf = (client: ConnectedApp) => ({
  name: client.name,
  state: client.state,
  redirect_uris: client.redirect_uris,
  post_logout_redirect_uris: client.post_logout_redirect_uris,
  backchannel_logout_uri: client.backchannel_logout_uri ?? "",
  client_uri: client.client_uri ?? "",
  initiate_login_uri: client.initiate_login_uri ?? "",
  allowed_scopes: client.allowed_scopes,
  resources: client.resources,
  consent: client.consent ?? "skip",
  id_token_claims: client.id_token_claims ?? "scopes",
  grant_types: client.grant_types,
  login_app_id: client.login_app_id ?? "",
  access_token_minutes: String(client.access_token_minutes ?? 60),
  refresh_token_days: String(client.refresh_token_days ?? 30),
  token_endpoint_auth_method: client.token_endpoint_auth_method ?? "none",
  jwks: client.jwks === null ? "" : JSON.stringify(client.jwks, null, 2),
  require_pkce: client.require_pkce ?? true,
  require_par: client.require_par ?? false,
  require_dpop: client.require_dpop ?? false
})

export type ClientValues = ReturnType<typeof valuesOf>

/** The properties shared by all sections of the form. */
export interface SettingsProps {
  readonly kind: ClientKind
  readonly values: ClientValues
  readonly set: (values: Partial<ClientValues>) => void
}

/** Parses a JSON object. Other texts are returned unchanged, so that the service rejects them. */
const jwksIn = (text: string): { readonly [name: string]: unknown } => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : { keys: text }
  } catch {
    return { keys: text }
  }
}

/** Converts changed form values to the input of an update. */
export const inputOf = (changed: Partial<ClientValues>) => {
  const {
    backchannel_logout_uri,
    client_uri,
    initiate_login_uri,
    login_app_id,
    access_token_minutes,
    refresh_token_days,
    jwks,
    ...same
  } = changed
  const { redirect_uris, post_logout_redirect_uris, resources } = same
  return {
    ...same,
    ...(redirect_uris === undefined ? {} : { redirect_uris: nonBlankLines(redirect_uris) }),
    ...(post_logout_redirect_uris === undefined
      ? {}
      : { post_logout_redirect_uris: nonBlankLines(post_logout_redirect_uris) }),
    ...(resources === undefined ? {} : { resources: nonBlankLines(resources) }),
    ...(backchannel_logout_uri === undefined ? {} : { backchannel_logout_uri: orNull(backchannel_logout_uri) }),
    ...(client_uri === undefined ? {} : { client_uri: orNull(client_uri) }),
    ...(initiate_login_uri === undefined ? {} : { initiate_login_uri: orNull(initiate_login_uri) }),
    ...(login_app_id === undefined ? {} : { login_app_id: orNull(login_app_id) }),
    ...(access_token_minutes === undefined ? {} : { access_token_minutes: Number(access_token_minutes) }),
    ...(refresh_token_days === undefined ? {} : { refresh_token_days: Number(refresh_token_days) }),
    ...(jwks === undefined ? {} : { jwks: jwks.trim() === "" ? { keys: [] } : jwksIn(jwks) })
  }
}
