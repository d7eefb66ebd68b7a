import { decodeJwt } from "jose"
import { beforeAll, expect, test } from "vitest"
import type { Started, TestRealm } from "#testing/promise"
import { sharedKit } from "../support/kit.ts"

let kit: Started

beforeAll(async () => {
  kit = await sharedKit()
})

/** Logs in with a provider from an app's login page. Ends at the app or on an error page. */
const logInWith = async (realm: TestRealm, words: string) => {
  const browser = kit.browser()
  await browser.open((await realm.app()).login_url)
  return browser.click(words)
}

const usersOf = async (realm: TestRealm) =>
  (await realm.call("GET", "/v2/users")).items.map((user) => [
    user["email"],
    user["first_name"],
    user["last_name"],
    user["email_verification"]
  ])

test("logs in a user with Google through the simulated provider", async () => {
  const realm = await kit.realm()
  const google = await realm.provider("google")
  google.person({ email: "ada@example.com", name: "Ada King Lovelace", id: "1815" })
  const { url, status } = await logInWith(realm, "Google")
  expect([url.origin + url.pathname, status]).toEqual(["https://app.example.com/callback", 302])
  const { sid } = decodeJwt(url.searchParams.get("token") ?? "")
  expect((await realm.call("GET", `/v2/sessions/${String(sid)}`)).member("user", "email")).toBe("ada@example.com")
  expect(await usersOf(realm)).toEqual([["ada@example.com", "Ada", "King Lovelace", "verified"]])
  await logInWith(realm, "Google")
  google.person({ email: "bob@example.com", email_verified: false })
  await logInWith(realm, "Google")
  expect(await usersOf(realm)).toEqual([
    ["ada@example.com", "Ada", "King Lovelace", "verified"],
    ["bob@example.com", null, null, "none"]
  ])
})

test.each([
  ["apple", "Apple", "verified"],
  ["facebook", "Facebook", "none"],
  ["github", "GitHub", "verified"],
  ["linkedin", "LinkedIn", "verified"],
  ["microsoft", "Microsoft", "verified"],
  ["oauth2", "Acme", "verified"],
  ["oidc", "Acme", "verified"],
  ["slack", "Slack", "verified"],
  ["yahoo", "Yahoo", "verified"]
] as const)("simulates %s", async (type, words, verification) => {
  const realm = await kit.realm()
  const provider = await realm.provider(type, words === "Acme" ? { name: words } : {})
  provider.person({ email: `jo@${type}.example.com`, name: "Jo" })
  expect((await logInWith(realm, words)).url.host).toBe("app.example.com")
  expect(await usersOf(realm)).toEqual([[`jo@${type}.example.com`, "Jo", null, verification]])
})

test.each([
  ["cancelled", "canceled at google"],
  ["code", "error validating code"],
  ["token", "google sent a response that can't be used"],
  ["profile", "google sent a response that can't be used"],
  ["nonce", "google sent a response that can't be used"],
  ["signature", "google sent a response that can't be used"]
] as const)("shows an error page if the provider fails (%s), and lets the next login succeed", async (failure, words) => {
  const realm = await kit.realm()
  const google = await realm.provider("google")
  google.failNext(failure)
  const page = await logInWith(realm, "Google")
  expect([page.status, page.text.toLowerCase()]).toEqual([422, expect.stringContaining(words)])
  expect(await usersOf(realm)).toEqual([])
  expect((await logInWith(realm, "Google")).url.host).toBe("app.example.com")
})

test.each([
  "google",
  "github",
  "facebook",
  "linkedin",
  "yahoo"
] as const)("logs in with an app's own access token from %s, but not with another app's token", async (type) => {
  const realm = await kit.realm()
  const provider = await realm.provider(type)
  provider.person({ email: "jo@example.com", email_verified: true })
  const send = (access_token: string) => realm.call("POST", `/v2/auth_providers/${type}/authorize`, { access_token })
  expect((await send(provider.accessToken("another-app"))).status).toBe(422)
  const reply = await send(provider.accessToken())
  expect([reply.status, reply.member("user", "email")]).toEqual([201, "jo@example.com"])
})

test("serves the simulated provider to the kit's fetch, with a new code for each login", async () => {
  const realm = await kit.realm()
  await realm.provider("google")
  const back = "https://app.example.com/back"
  const redirect_uri = encodeURIComponent(back)
  const reply = await realm.call("GET", `/v2/auth_providers/google/authorize?redirect_uri=${redirect_uri}`)
  const at = await kit.fetch(reply.string("auth_url"), { redirect: "manual" })
  const url = new URL(at.headers.get("location") ?? "")
  expect([at.status, url.origin + url.pathname]).toEqual([302, back])
  const body = Object.fromEntries(url.searchParams)
  const logIn = () => realm.call("POST", "/v2/auth_providers/authorize", body)
  expect((await logIn()).status).toBe(201)
  expect((await logIn()).status).toBe(422)
})

test("rejects unknown provider types and faults in the call itself", () => {
  expect(() => Reflect.apply(kit.provider, undefined, ["myspace"])).toThrow(
    "Not a type of provider: 'myspace'. Use one of apple, facebook, github, google, linkedin, microsoft, slack, yahoo, oauth2, oidc."
  )
  const google = kit.provider("google")
  expect(() => Reflect.apply(google.failNext, google, ["tokens"])).toThrow(
    "Not a failure of a provider: 'tokens'. Use one of cancelled, code, token, profile, nonce, signature."
  )
})
