import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK } from "jose"
import Provider from "oidc-provider"
import { vi } from "vitest"
import { overHttp } from "#testing/Transport"
import { rsaPairOf } from "../../../support/rsaKeys.ts"
import { Person } from "../Person.ts"
import { BACKCHANNEL_URI, metadataOf, POST_LOGOUT_REDIRECT_URI, REDIRECT_URI, type Side } from "./Side.ts"

const client = (id: string, method: string) => ({
  client_id: id,
  client_secret: `the-secret-of-${id}`,
  redirect_uris: [REDIRECT_URI],
  post_logout_redirect_uris: [POST_LOGOUT_REDIRECT_URI],
  backchannel_logout_uri: BACKCHANNEL_URI,
  backchannel_logout_session_required: true,
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  token_endpoint_auth_method: method
})

const clients = {
  basic: client("basic", "client_secret_basic"),
  post: client("post", "client_secret_post"),
  other: client("other", "client_secret_basic")
}

const claimsOf = (sub: string) => ({
  sub,
  name: "Jo Peer",
  given_name: "Jo",
  family_name: "Peer",
  email: `${sub}@example.test`,
  email_verified: true
})

/** Adds the confirmation button to a form. */
const withConfirmButton = (form: string) =>
  form.replace("</form>", `<button name="logout" value="yes">Yes</button></form>`)

const configuration = async (posted: Array<string>) => {
  return {
    jwks: { keys: [{ ...(await exportJWK(rsaPairOf(0).privateKey)), alg: "RS256", use: "sig", kid: "theirs" }] },
    cookies: { keys: ["of-no-importance"], long: { sameSite: "none" } },
    enableHttpPostMethods: true,
    clients: Object.values(clients),
    pkce: { required: () => false },
    scopes: ["openid", "offline_access", "profile", "email"],
    features: {
      introspection: { enabled: true, allowedPolicy: () => true },
      revocation: { enabled: true },
      claimsParameter: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx: { body: string }, form: string) => {
          ctx.body = withConfirmButton(
            form.replace("</form>", `<input type="hidden" name="logout" value="yes"/></form>`)
          )
        }
      }
    },
    rotateRefreshToken: true,
    issueRefreshToken: (_: unknown, { grantTypeAllowed }: never, { scopes }: { readonly scopes: Set<string> }) =>
      grantTypeAllowed !== null && scopes.has("offline_access"),
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 86_400 },
    claims: { email: ["email", "email_verified"], profile: ["name", "given_name", "family_name"] },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => claimsOf(sub) }),
    fetch: async (_: URL, { body }: { readonly body: URLSearchParams }) => {
      posted.push(new URLSearchParams(body.toString()).get("logout_token") ?? "")
      return new Response(null, { status: 200 })
    }
  }
}

/** Runs a certified third-party provider on loopback until `close`. */
export const startTheirs = async (wait: Side["wait"]): Promise<Side & { readonly close: () => void }> => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const posted: Array<string> = []
  // The provider logs warnings about its insecure test settings.
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined)
  const settings = await configuration(posted)
  const provider = new Provider(issuer, settings)
  server.on("request", provider.callback())
  warnings.mockRestore()
  const transport = overHttp(issuer)
  const sideClient = ({ client_id, client_secret }: (typeof clients)["basic"]) => ({
    id: client_id,
    secret: client_secret,
    redirectUri: REDIRECT_URI,
    postLogoutRedirectUri: POST_LOGOUT_REDIRECT_URI
  })
  const manner = { name: "jo", fields: ["login", "password"], consent: "Continue", presses: ["Yes"] } as const
  return {
    issuer,
    transport,
    metadata: await metadataOf(issuer, transport),
    clients: { basic: sideClient(clients.basic), post: sideClient(clients.post), other: sideClient(clients.other) },
    always: {},
    wait,
    person: () => new Person(transport, manner, (host) => host === new URL(issuer).host),
    logoutTokens: async () => posted.splice(0),
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
