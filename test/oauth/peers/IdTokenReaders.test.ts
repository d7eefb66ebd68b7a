import { Auth, customFetch, skipCSRFCheck } from "@auth/core"
import { decodeJwt } from "jose"
import { Strategy } from "passport-openidconnect"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { oauthClient } from "../../support/oauth.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { service } from "../../support/sallyport.ts"
import { logIn } from "./Journeys.ts"
import { openidClientParty } from "./OpenidClientParty.ts"
import { peerFetch } from "./PeerFetch.ts"
import { Person } from "./Person.ts"

const SITE = "https://app.example.test"
const CALLBACK = `${SITE}/auth/callback/acme`

/** A client of a realm, and a person who logs in to it. */
const withClient = async (settings: object = {}) => {
  const { given, transport } = await service()
  const realm = await given.realm()
  await realm.connectedApp({ name: "Acme" })
  const email = `${uniqueText("jo")}@example.test`
  await quickUser(realm, { email, first_name: "Jo", last_name: "March" })
  const { id, secret = "" } = await oauthClient(realm, { redirect_uris: [CALLBACK], ...settings })
  const person = new Person(transport, { name: email })
  return { clientId: id, secret, issuer: `https://id.example.test/realms/${realm.id}`, person, email, transport }
}

type Relying = Awaited<ReturnType<typeof withClient>>

/** The user in Auth.js's session after a login. */
const authJsUser = async ({ clientId, secret, issuer, person, transport }: Relying): Promise<unknown> => {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const reply = await Auth(new Request(new URL(path, SITE), { ...init, headers: { cookie } }), {
      basePath: "/auth",
      secret: "a secret of the tests, of no importance",
      trustHost: true,
      skipCSRFCheck,
      logger: { error: (error) => expect.unreachable(String(error)) },
      providers: [
        {
          id: "acme",
          name: "Acme",
          type: "oidc",
          issuer,
          clientId,
          clientSecret: secret,
          [customFetch]: peerFetch(transport)
        }
      ]
    })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ""] = set.split(";")
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    return reply
  }
  const begun = await send("/auth/signin/acme", { method: "POST" })
  const { url } = await person.walk(begun.headers.get("location") ?? "")
  await send(url.pathname + url.search)
  return Object(await (await send("/auth/session")).json()).user
}

/** The profile that passport-openidconnect passes to an app configured without user info. */
const passportUser = async ({ clientId, secret, issuer, person, transport }: Relying): Promise<unknown> => {
  const strategy = new Strategy(
    {
      issuer,
      authorizationURL: `${issuer}/authorize`,
      tokenURL: `${issuer}/token`,
      clientID: clientId,
      clientSecret: secret,
      callbackURL: CALLBACK,
      scope: "profile email"
    },
    (_, profile, verified) => verified(null, profile)
  )
  strategy._oauth2._request = (method, url, headers, body, _, callback) => {
    const sent = { method, headers: { ...headers }, ...(body === null ? {} : { body }) }
    peerFetch(transport)(url, sent)
      .then(async (reply) => callback(null, await reply.text(), reply))
      .catch((error: unknown) => callback({ data: String(error) }))
  }
  const session = {}
  const authenticate = (query: Readonly<Record<string, string>>) =>
    new Promise<unknown>((resolve, reject) => {
      strategy.success = resolve
      strategy.redirect = resolve
      strategy.fail = (problem) => reject(new Error(JSON.stringify(problem)))
      strategy.error = reject
      strategy.authenticate({ query, session })
    })
  const { url } = await person.walk(String(await authenticate({})))
  return authenticate(Object.fromEntries(url.searchParams))
}

/** The verified ID token claims after a login with openid-client. */
const openidClientUser = async ({ clientId, secret, issuer, person, transport }: Relying): Promise<unknown> => {
  const settings = {
    issuer: new URL(issuer),
    clientId,
    auth: { method: "client_secret_basic", secret } as const,
    redirectUri: CALLBACK,
    transport,
    clockSkew: 0
  }
  const party = await openidClientParty(settings)
  const { idToken = "" } = await logIn({ party, person, settings, postLogoutRedirectUri: SITE })
  return decodeJwt(idToken)
}

// These libraries compare the ID token's times with the machine's clock.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: STARTS_AT })
})
afterAll(() => {
  vi.useRealTimers()
})

describe("C169: the name and email in an ID token", () => {
  test("are read by Auth.js", async () => {
    const at = await withClient()
    expect(await authJsUser(at)).toEqual({ name: "Jo March", email: at.email })
  })

  test("are read by passport-openidconnect", async () => {
    const at = await withClient({ require_pkce: false })
    expect(await passportUser(at)).toMatchObject({ displayName: "Jo March", emails: [{ value: at.email }] })
  })

  test("are read by openid-client", async () => {
    const at = await withClient()
    expect(await openidClientUser(at)).toMatchObject({ name: "Jo March", email: at.email })
  })

  test("are missing if the client's id_token_claims is minimal", async () => {
    const at = await withClient({ id_token_claims: "minimal" })
    const { name, email } = Object(await openidClientUser(at))
    expect([name, email]).toEqual([undefined, undefined])
  })
})
