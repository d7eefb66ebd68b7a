import { afterAll, beforeAll, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { Browser } from "../support/browser.ts"
import { submitCallback, urlFor } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { statusAndHeading } from "../support/pages.ts"
import { newRealm } from "../support/sallyport.ts"
import { appAt, HANDLER, redirectTarget, sessionOf } from "./BrowserLogins.ts"
import { clients, type Peer, startPeer } from "./Peer.ts"

let peer: Peer

beforeAll(async () => {
  peer = await startPeer()
})
afterAll(() => peer.close())

/** A realm whose only external provider is the peer, known by its issuer. */
const realmAtPeer = async (settings: Readonly<Record<string, unknown>> = {}) => {
  const realm = await newRealm()
  const { id } = await realm.authProvider({
    provider_type: "oidc",
    name: "Peer",
    issuer: peer.url,
    ...clients.acme,
    ...settings
  })
  return { realm, id: String(id) }
}

const returnTo = async (realm: GivenRealm, url: URL, login?: string) =>
  submitCallback(realm, Object.fromEntries(await peer.visit(url.href, login)))

const INVALID = [422, ["The provider's response is not valid."]]

test("C298: a third-party provider needs only its issuer: it is discovered, and its ID token and nonce are checked", async () => {
  const { realm, id } = await realmAtPeer()
  const url = await urlFor(realm, id)
  expect([url.origin + url.pathname, url.searchParams.get("code_challenge_method")]).toEqual([
    `${peer.url}/auth`,
    "S256"
  ])
  expect(url.searchParams.get("nonce")).toMatch(/^\S{20,}$/)
  const { result, events } = await realm.seen.during(() => returnTo(realm, url))
  const user_id = result.string("user_id")
  expect([result.status, result.member("user")]).toEqual([
    201,
    expect.objectContaining({ email: "jo@example.test", email_verification: "verified", name: "Jo Peer" })
  ])
  expect(events).toEqual([
    { event_type: "user.created", user_id },
    { event_type: "user.login.succeeded", user_id, session_id: result.id }
  ])
  const again = await realm.seen.during(async () => returnTo(realm, await urlFor(realm, id)))
  expect([again.result.string("user_id"), again.events]).toEqual([
    user_id,
    [{ event_type: "user.login.succeeded", user_id, session_id: again.result.id }]
  ])
})

test("C298: a third-party provider takes the secret in the body if the setting says so", async () => {
  const { realm, id } = await realmAtPeer({ ...clients.bare, token_endpoint_auth_method: "client_secret_post" })
  expect((await returnTo(realm, await urlFor(realm, id), "posting")).status).toBe(201)
  const wrong = await realmAtPeer({ client_secret: "another" })
  expect(statusAndErrors(await returnTo(wrong.realm, await urlFor(wrong.realm, wrong.id)))).toEqual([
    422,
    [expect.any(String)]
  ])
})

test.each<readonly [string, string, ReadonlyArray<unknown>]>([
  ["nonce", "of-somebody-else", INVALID],
  ["client_id", "bare", [422, ["Error validating code."]]],
  ["code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", [422, ["Error validating code."]]]
])("SEC-278: a third-party provider's response to a request with another %s is rejected", async (name, value, refusal) => {
  const { realm, id } = await realmAtPeer()
  const url = await urlFor(realm, id)
  url.searchParams.set(name, value)
  const { result, events } = await realm.seen.during(() => returnTo(realm, url))
  expect([...statusAndErrors(result), events]).toEqual([...refusal, []])
  expect((await realm.get("/v2/users")).items).toEqual([])
})

test.each([
  ["of another issuer", { iss: "https://another.example" }],
  ["without the issuer that the provider announces", { iss: undefined }]
])("RFC 9207: a third-party provider's response %s is rejected", async (_, change) => {
  const { realm, id } = await realmAtPeer()
  const query = Object.fromEntries(await peer.visit((await urlFor(realm, id)).href))
  expect(query["iss"]).toBe(peer.url)
  const { result, events } = await realm.seen.during(() => submitCallback(realm, { ...query, ...change }))
  expect([...statusAndErrors(result), events]).toEqual([...INVALID, []])
})

test("SEC-278: a third-party provider is not used under an issuer that its discovery document doesn't name", async () => {
  const other = peer.url.replace("127.0.0.1", "localhost")
  const { realm, id } = await realmAtPeer({ issuer: other })
  const { result, events } = await realm.seen.during(() =>
    realm.get(`/v2/auth_providers/${id}/authorize?redirect_uri=${encodeURIComponent(HANDLER)}`)
  )
  expect([...statusAndErrors(result), events]).toEqual([...INVALID, []])
  const { body } = await realm.post(`/v2/auth_providers/${id}/test`, {})
  expect(body).toMatchObject({
    state: "failed",
    checks: [
      { name: "discovery", state: "failed", detail: "The discovery document is for another issuer." },
      {},
      {},
      {}
    ]
  })
})

test("C209: the test of a third-party provider reports each step", async () => {
  const checks = async (settings: Readonly<Record<string, unknown>>) => {
    const { realm, id } = await realmAtPeer(settings)
    const { result, events } = await realm.seen.during(() => realm.post(`/v2/auth_providers/${id}/test`, {}))
    expect([result.status, events]).toEqual([200, []])
    return result.member("checks")
  }
  const check = (name: string, state: string, detail: string) => ({ name, state, detail })
  const report = (client: object) => [
    check("discovery", "completed", "The issuer publishes its endpoints and keys."),
    check("authorization_endpoint", "completed", "The server responded with HTTP 400."),
    client,
    check("profile_endpoint", "completed", "The server responded with HTTP 401."),
    check("keys", "completed", "The server has one signing key.")
  ]
  const accepted = "The client ID and the client secret are accepted."
  const refused = "The client ID or the client secret is not accepted: HTTP 401 invalid_client."
  expect(await checks({})).toEqual(report(check("token_endpoint", "completed", accepted)))
  expect(await checks({ client_secret: "another" })).toEqual(report(check("token_endpoint", "failed", refused)))
})

test.each([
  "query",
  "form_post"
] as const)("SEC-280: a browser logs in at a third-party provider with response_mode %s", async (mode) => {
  const { realm, id } = await realmAtPeer({ response_mode: mode })
  const browser = new Browser(realm.transport)
  const path = `${(await appAt(realm)).origin}/auth/${id}`
  const url = redirectTarget(await browser.go(path))
  expect(url.searchParams.get("response_mode")).toBe(mode === "query" ? null : mode)
  const query = await peer.visit(url.href, `walker-${mode}`)
  const form = Object.fromEntries(query)
  const redirected = mode === "query" ? undefined : await browser.go(`${path}/callback`, { form })
  const arrival =
    redirected === undefined ? `${path}/callback?${query}` : new URL(redirected.headers.get("location") ?? "", path)
  const handover = redirectTarget(await browser.go(arrival))
  expect(handover.origin + handover.pathname).toBe(HANDLER)
  const session = await sessionOf(realm, handover)
  expect([session.status, session.member("user", "email")]).toEqual([200, `walker-${mode}@example.test`])
  const declined = await peer.visit(redirectTarget(await browser.go(path)).href, "walker", false)
  expect(statusAndHeading(await browser.go(`${path}/callback?${declined}`))).toEqual([422, "You're not logged in"])
})
