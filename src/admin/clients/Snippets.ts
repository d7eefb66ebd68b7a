import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { shellWord } from "../calls/ShellText.ts"
import { type ClientKind, keepsSecret, kindOf } from "./ClientKinds.ts"

/** The issuer URL of a realm, the base of its OAuth endpoints and discovery document. */
export const issuerOf = (apiUrl: string, realmId: string): string => `${apiUrl}/realms/${realmId}`

/** A piece of configuration or code that connects a client. */
export interface Snippet {
  readonly name: string
  readonly text: string
}

interface SnippetValues {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
  readonly redirect: string
  readonly resource: string | undefined
  readonly hasSecret: boolean
}

const envOf = ({ issuer, clientId, scope, redirect, hasSecret }: SnippetValues): Snippet => ({
  name: ".env",
  text: [
    `OIDC_ISSUER=${issuer}`,
    `OIDC_DISCOVERY_URL=${issuer}/.well-known/openid-configuration`,
    `OIDC_CLIENT_ID=${shellWord(clientId)}`,
    ...(hasSecret ? ["OIDC_CLIENT_SECRET=ocs_…"] : []),
    `OIDC_SCOPES=${shellWord(scope)}`,
    ...(redirect === "" ? [] : [`OIDC_REDIRECT_URI=${shellWord(redirect)}`])
  ].join("\n")
})

const openidClient = ({ issuer, clientId, scope, redirect, hasSecret }: SnippetValues): Snippet => ({
  name: "openid-client (JavaScript)",
  text: `import * as oidc from "openid-client"

const config = await oidc.discovery(
  new URL(${JSON.stringify(issuer)}),
  ${JSON.stringify(clientId)},
  ${hasSecret ? "CLIENT_SECRET" : "undefined,\n  oidc.None()"}
)

// Store both until the user returns.
const state = oidc.randomState()
const verifier = oidc.randomPKCECodeVerifier()
const url = oidc.buildAuthorizationUrl(config, {
  redirect_uri: ${JSON.stringify(redirect)},
  scope: ${JSON.stringify(scope)},
  state,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: "S256"
})

// At the redirect URI, with the URL of the current request:
const tokens = await oidc.authorizationCodeGrant(config, currentUrl, {
  expectedState: state,
  pkceCodeVerifier: verifier
})
const user = await oidc.fetchUserInfo(config, tokens.access_token, tokens.claims().sub)`
})

const grafana = ({ issuer, clientId, scope }: SnippetValues): Snippet => ({
  name: "Grafana",
  text: `GF_AUTH_GENERIC_OAUTH_ENABLED=true
GF_AUTH_GENERIC_OAUTH_NAME=Sallyport
GF_AUTH_GENERIC_OAUTH_CLIENT_ID=${shellWord(clientId)}
GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET=ocs_…
GF_AUTH_GENERIC_OAUTH_SCOPES=${shellWord(scope)}
GF_AUTH_GENERIC_OAUTH_AUTH_URL=${issuer}/authorize
GF_AUTH_GENERIC_OAUTH_TOKEN_URL=${issuer}/token
GF_AUTH_GENERIC_OAUTH_API_URL=${issuer}/userinfo
GF_AUTH_GENERIC_OAUTH_USE_PKCE=true
GF_AUTH_GENERIC_OAUTH_USE_REFRESH_TOKEN=true
GF_AUTH_GENERIC_OAUTH_LOGIN_ATTRIBUTE_PATH=email
GF_AUTH_GENERIC_OAUTH_NAME_ATTRIBUTE_PATH=name`
})

const machineCurl = ({ issuer, clientId, scope, resource }: SnippetValues): Snippet => ({
  name: "curl",
  text: [
    `curl ${issuer}/token`,
    `-u ${shellWord(clientId)}:"$OIDC_CLIENT_SECRET"`,
    "-d grant_type=client_credentials",
    ...(scope === "" ? [] : [`-d scope=${shellWord(scope)}`]),
    ...(resource === undefined ? [] : [`-d resource=${shellWord(resource)}`])
  ].join(" \\\n  ")
})

const deviceCurl = ({ issuer, clientId, scope, resource, hasSecret }: SnippetValues): Snippet => {
  const auth = hasSecret ? `-u ${shellWord(clientId)}:"$OIDC_CLIENT_SECRET"` : `-d client_id=${shellWord(clientId)}`
  const begin = [
    `curl ${issuer}/device_authorization`,
    auth,
    `-d scope=${shellWord(scope)}`,
    ...(resource === undefined ? [] : [`-d resource=${shellWord(resource)}`])
  ].join(" \\\n  ")
  const poll = [
    `curl ${issuer}/token`,
    auth,
    "-d grant_type=urn:ietf:params:oauth:grant-type:device_code",
    '-d device_code="$DEVICE_CODE"'
  ].join(" \\\n  ")
  return { name: "curl", text: `${begin}\n\n# Show user_code, then poll every few seconds:\n${poll}` }
}

const byKind: Readonly<Record<ClientKind, ReadonlyArray<(values: SnippetValues) => Snippet>>> = {
  web: [openidClient, envOf, grafana],
  spa: [openidClient, envOf],
  native: [envOf, openidClient],
  machine: [machineCurl, envOf],
  device: [deviceCurl, envOf]
}

/** The members of a client that its snippets use. */
type Shown = Pick<
  ConnectedApp,
  "id" | "client_id" | "client_type" | "token_endpoint_auth_method" | "allowed_scopes" | "redirect_uris" | "resources"
>

/** Snippets to connect a client, by its kind and settings. No value can be executed by a shell (SEC-219). */
export const snippetsOf = (client: Shown, issuer: string): ReadonlyArray<Snippet> => {
  const values: SnippetValues = {
    issuer,
    clientId: client.client_id ?? client.id,
    scope: client.allowed_scopes.join(" "),
    redirect: client.redirect_uris[0] ?? "",
    resource: client.resources[0],
    hasSecret: keepsSecret(client)
  }
  const kind = kindOf(client)
  return kind === undefined ? [] : byKind[kind].map((snippet) => snippet(values))
}
