import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Google } from "#core/external/providers/Google"
import { Linkedin } from "#core/external/providers/Linkedin"
import type { Preset } from "#core/external/providers/Preset"
import type { GivenRealm } from "#testing/Given"
import { Browser } from "../support/browser.ts"
import { mapping, submitCallback, urlFor } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { statusAndHeading, visibleText } from "../support/pages.ts"
import type { OwnService } from "../support/sallyport.ts"
import { appAt, HANDLER, redirectTarget, sessionOf } from "./BrowserLogins.ts"
import { clients, type Peer, startPeer } from "./Peer.ts"
import { workerService } from "./WellKnownProviders.ts"

let peer: Peer

beforeAll(async () => {
  peer = await startPeer()
})
afterAll(() => peer.close())

/** A known provider type with the peer's endpoints. */
const presetAtPeer = (preset: Preset, nonce: boolean): Preset => ({
  ...preset,
  endpoints: peer.endpoints,
  idTokens: { issuer: peer.url, algorithms: ["RS256"], nonce, subjectIsProfileId: true }
})

let started: Promise<OwnService> | undefined

/** A service that uses the peer for google and linkedin. */
const peerService = () =>
  (started ??= workerService({
    providers: {
      google: { ...presetAtPeer(Google, true), clientSecret: "basic" },
      linkedin: presetAtPeer(Linkedin, false)
    }
  }))

const withPeer = async (use: (realm: GivenRealm) => Promise<void>) => use(await (await peerService()).given.realm())

const google = (realm: GivenRealm) => realm.authProvider({ provider_type: "google", ...clients.acme })

/** The parameters that the peer returns, as a caller forwards them. */
const returnedParameters = (query: URLSearchParams) => Object.fromEntries(query)

test("SEC-280: a browser logs in on an app's host, whether the provider responds in the query or by form post", () =>
  withPeer(async (realm) => {
    const { id } = await google(realm)
    const at = { browser: new Browser(realm.transport), path: `${(await appAt(realm)).origin}/auth/${id}` }
    for (const [posts, isNew] of [
      [false, true],
      [true, false]
    ]) {
      const query = await peer.visit(redirectTarget(await at.browser.go(at.path)).href, "walker")
      const form = returnedParameters(query)
      const redirected = posts ? await at.browser.go(`${at.path}/callback`, { form }) : undefined
      const arrival =
        redirected === undefined
          ? `${at.path}/callback?${query}`
          : new URL(redirected.headers.get("location") ?? "", at.path)
      const url = redirectTarget(await at.browser.go(arrival))
      expect([url.origin + url.pathname, url.searchParams.get("signup")]).toEqual([HANDLER, isNew ? "true" : null])
      const session = await sessionOf(realm, url)
      expect([session.status, session.member("user", "email")]).toEqual([200, "walker@example.test"])
    }
    const refused = await peer.visit(redirectTarget(await at.browser.go(at.path)).href, "walker", false)
    const page = await at.browser.go(`${at.path}/callback?${refused}`)
    expect([...statusAndHeading(page), visibleText(page)]).toEqual([
      422,
      "You're not logged in",
      expect.stringContaining("The login was canceled at Google.")
    ])
  }))

describe("a third-party provider", () => {
  test("SEC-61: is used with PKCE and a nonce if the provider supports OpenID Connect", () =>
    withPeer(async (realm) => {
      const { id } = await google(realm)
      const url = await urlFor(realm, id, "kept")
      expect(url.searchParams.get("code_challenge_method")).toBe("S256")
      const query = await peer.visit(url.href)
      expect(query.get("iss")).toBe(peer.url)
      const { result, events } = await realm.seen.during(() =>
        submitCallback(realm, { ...returnedParameters(query), nonce: "kept" })
      )
      const user_id = result.string("user_id")
      expect([result.status, result.member("user", "email"), result.member("user", "name")]).toEqual([
        201,
        "jo@example.test",
        "Jo Peer"
      ])
      expect(events).toEqual([
        { event_type: "user.created", user_id },
        { event_type: "user.login.succeeded", user_id, session_id: result.id }
      ])
    }))

  test("can be configured with the generic type and a field mapping", () =>
    withPeer(async (realm) => {
      const { id } = await realm.authProvider({
        ...clients.acme,
        authorization_url: peer.endpoints.authorization,
        token_url: peer.endpoints.token,
        profile_url: peer.endpoints.profile,
        scopes: "openid email profile",
        ...mapping
      })
      const reply = await submitCallback(realm, returnedParameters(await peer.visit((await urlFor(realm, id)).href)))
      expect([reply.status, reply.member("user", "email_verification")]).toEqual([201, "verified"])
      const other = await urlFor(realm, id)
      other.searchParams.set("nonce", "of-somebody-else")
      const mixed = await submitCallback(realm, returnedParameters(await peer.visit(other.href)))
      expect(statusAndErrors(mixed)).toEqual([422, ["The provider's response is not valid."]])
    }))

  test("SEC-61: rejects a code issued for another challenge or nonce", () =>
    withPeer(async (realm) => {
      const { id } = await google(realm)
      for (const [name, value, sentence] of [
        ["code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "Error validating code."],
        ["nonce", "another", "The provider's response is not valid."]
      ] as const) {
        const url = await urlFor(realm, id)
        url.searchParams.set(name, value)
        const { result, events } = await realm.seen.during(async () =>
          submitCallback(realm, returnedParameters(await peer.visit(url.href)))
        )
        expect([name, ...statusAndErrors(result), events]).toEqual([name, 422, [sentence], []])
      }
    }))

  test("returns an error when the user declines, and allows a login with the retry URL", () =>
    withPeer(async (realm) => {
      const { id } = await google(realm)
      const refused = await peer.visit((await urlFor(realm, id)).href, "jo", false)
      const reply = await submitCallback(realm, { ...returnedParameters(refused), code: undefined })
      expect(statusAndErrors(reply)).toEqual([422, ["The login was canceled at the provider."]])
      const url = new URL(reply.string("retry_url"))
      expect(url.searchParams.get("prompt")).toBe("select_account")
      url.searchParams.set("prompt", "consent")
      expect((await submitCallback(realm, returnedParameters(await peer.visit(url.href)))).status).toBe(201)
    }))

  test("SEC-60: accepts a code only once, and never with the state of another login", () =>
    withPeer(async (realm) => {
      const { id } = await google(realm)
      const first = returnedParameters(await peer.visit((await urlFor(realm, id)).href))
      const second = returnedParameters(await peer.visit((await urlFor(realm, id)).href))
      const swapped = await submitCallback(realm, { ...second, state: first["state"] })
      expect(statusAndErrors(swapped)).toEqual([422, ["Error validating code."]])
      expect((await submitCallback(realm, first)).status).toBe(201)
      const again = await submitCallback(realm, first)
      expect(statusAndErrors(again)).toEqual([422, ["State is invalid, has expired or has already been used."]])
    }))

  test("verifies this client's access tokens, and rejects other clients' and unknown tokens", () =>
    withPeer(async (realm) => {
      const { id } = await realm.authProvider({ provider_type: "linkedin", ...clients.bare })
      const reply = await submitCallback(
        realm,
        returnedParameters(await peer.visit((await urlFor(realm, id)).href, "sam"))
      )
      const user = await realm.get(`/v2/users/${reply.string("user_id")}`)
      const credential = await realm.get(`/v2/credentials/${user.string("credentials", 0, "id")}`)
      const access_token = credential.string("access_token")
      const path = `/v2/auth_providers/${id}/authorize`
      const { result, events } = await realm.seen.during(() => realm.post(path, { access_token }))
      expect([result.status, events]).toEqual([
        201,
        [{ event_type: "user.login.succeeded", user_id: user.id, session_id: result.id }]
      ])

      const { id: googleId } = await google(realm)
      const elsewhere = await submitCallback(
        realm,
        returnedParameters(await peer.visit((await urlFor(realm, googleId)).href, "sam"))
      )
      const whole = await realm.get(`/v2/users/${elsewhere.string("user_id")}`)
      const of = whole.member("credentials", 1, "id")
      const foreign = (await realm.get(`/v2/credentials/${String(of)}`)).string("access_token")
      for (const token of [foreign, "made-up"]) {
        expect(statusAndErrors(await realm.post(path, { access_token: token }))).toEqual([
          422,
          ["The provider rejected the access token or issued it to another app."]
        ])
      }
    }))
})
