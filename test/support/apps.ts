import type { GivenRealm } from "#testing/Given"
import { raw } from "./rawHttp.ts"

/** Connected apps under the names of each version. */
export const appVersions = [
  {
    version: "v1",
    path: "/v1/login_policies",
    wrapper: "login_policy",
    named: "login_policy_id",
    title: "Login policy"
  },
  { version: "v2", path: "/v2/client_apps", wrapper: "client_app", named: "client_app_id", title: "Client app" }
] as const

type AppVersion = (typeof appVersions)[number]

/** The events of a realm as shown in this version. */
export const eventsSeenBy = ({ version }: AppVersion, realm: GivenRealm) =>
  version === "v1" ? realm.seenV1 : realm.seen

/** The minimal app for both versions, with additional attributes. */
export const minimalApp = (attributes: Readonly<Record<string, unknown>> = {}) => ({
  name: "Acme",
  login_handler: "https://app.example.test/login",
  ...attributes
})

/** The OAuth settings of an app that only has hosted pages. */
export const noOAuthClient = {
  post_logout_redirect_uris: [],
  backchannel_logout_uri: null,
  client_uri: null,
  initiate_login_uri: null,
  grant_types: [],
  token_endpoint_auth_method: null,
  jwks: null,
  jwks_uri: null,
  allowed_scopes: [],
  resources: [],
  consent: null,
  id_token_claims: null,
  require_pkce: null,
  require_par: null,
  require_dpop: null,
  access_token_minutes: null,
  refresh_token_days: null,
  login_app_id: null,
  client_id: null,
  registration: null
}

/** The response for a browser without credentials at a host of the worker's service. */
export const atHost = async (host: string, path: string, method = "GET") => {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", "", ""]
  const [answer] = await raw(lines.join("\r\n"))
  if (answer === undefined) throw new Error(`No response at ${host}`)
  return {
    status: answer.status,
    headers: answer.headers,
    body: answer.body === "" ? undefined : JSON.parse(answer.body)
  }
}
