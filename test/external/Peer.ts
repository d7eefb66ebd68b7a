import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK } from "jose"
import Provider from "oidc-provider"
import { vi } from "vitest"
import type { Endpoints } from "#core/external/providers/Preset"
import { CALLBACK } from "../support/external.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"

/** The callback URLs on the hosts of apps. */
const HOSTED_CALLBACK = /^https?:\/\/[^/]+\.local\.localhost(:\d+)?\/auth\/\w+\/callback$/

/** The clients of the peer: `bare` needs no PKCE and sends its secret in the body. */
export const clients = {
  acme: { client_id: "acme", client_secret: "the-secret-of-acme" },
  bare: { client_id: "bare", client_secret: "the-secret-of-bare" }
} as const

/** A certified third-party OpenID Connect provider on loopback. Accounts are created as they log in. */
export interface Peer {
  readonly url: string
  readonly endpoints: Endpoints
  readonly close: () => void
  /** Opens an authorization URL, logs in and consents or declines. Returns the parameters of the redirect or posted form. */
  readonly visit: (authorizationUrl: string, who?: string, consents?: boolean) => Promise<URLSearchParams>
}

const claimsOf = (sub: string) => ({
  sub,
  email: `${sub}@example.test`,
  email_verified: !sub.startsWith("unproved"),
  given_name: "Jo",
  family_name: "Peer"
})

const configuration = async () => {
  return {
    jwks: { keys: [{ ...(await exportJWK(rsaPairOf(0).privateKey)), alg: "RS256", use: "sig", kid: "peer-1" }] },
    cookies: { keys: ["of-no-importance"] },
    clients: Object.values(clients).map((client) => ({
      ...client,
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: client.client_id === "bare" ? "client_secret_post" : "client_secret_basic"
    })),
    pkce: { required: (_: unknown, client: { readonly clientId: string }) => client.clientId === "acme" },
    features: { introspection: { enabled: true, allowedPolicy: () => true } },
    renderError: (ctx: { body: unknown }, out: { readonly error: string }) => {
      ctx.body = out.error
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
    claims: { email: ["email", "email_verified"], profile: ["given_name", "family_name"] },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => claimsOf(sub) })
  }
}

/** The inputs of a form that a page submits to this URL by itself. */
const postedTo = (url: string, page: string): URLSearchParams | undefined =>
  page.includes(`action="${url}"`)
    ? new URLSearchParams(
        [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = "", value = ""]): [string, string] => [name, value]
        )
      )
    : undefined

/** A minimal browser: stores cookies and doesn't follow redirects. */
const browser = () => {
  const cookies = new Map<string, string>()
  return async (url: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
}

/** Starts a peer on a free port. */
export const startPeer = async (): Promise<Peer> => {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const settings = await configuration()
  // The provider logs warnings about its insecure test settings.
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined)
  const provider = new Provider(url, settings)
  // The hosts of the apps aren't known yet.
  const { redirectUriAllowed } = provider.Client.prototype
  provider.Client.prototype.redirectUriAllowed = function (uri) {
    return HOSTED_CALLBACK.test(uri) || redirectUriAllowed.call(this, uri)
  }
  server.on("request", provider.callback())
  warnings.mockRestore()

  const visit: Peer["visit"] = async (authorizationUrl, login = "jo", consents = true) => {
    const go = browser()
    let at = authorizationUrl
    const end = new URL(at).searchParams.get("redirect_uri") ?? CALLBACK
    for (let steps = 0; steps < 12; steps += 1) {
      const response = await go(at)
      const next = response.headers.get("location")
      if (next !== null) {
        at = new URL(next, at).href
        if (at.startsWith(end)) return new URL(at).searchParams
        continue
      }
      const page = await response.text()
      const posted = postedTo(end, page)
      if (posted !== undefined) return posted
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`The peer showed an unexpected page: ${response.status} ${page}`)
      const answered = consents ? await go(at, { prompt, login, password: "any" }) : await go(`${at}/abort`)
      at = new URL(answered.headers.get("location") ?? "/", at).href
      if (at.startsWith(end)) return new URL(at).searchParams
    }
    throw new Error("The peer redirects in a loop.")
  }

  return {
    url,
    endpoints: {
      authorization: `${url}/auth`,
      token: `${url}/token`,
      profile: `${url}/me`,
      inspection: `${url}/token/introspection`,
      keys: `${url}/jwks`
    },
    close: () => server.close(),
    visit
  }
}
