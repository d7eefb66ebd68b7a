import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { Browser } from "../support/browser.ts"
import { submitCallback, urlFor } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { newRealm } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"
import { appAt, redirectTarget, sessionOf } from "./BrowserLogins.ts"
import { documented } from "./ProviderResponses.ts"
import {
  appleCredentials,
  appleKey,
  beginLoginAt,
  credentials,
  goodClaims,
  knownProvider,
  knownService,
  providerDouble,
  signed
} from "./WellKnownProviders.ts"

const NOW = Math.floor(STARTS_AT / 1_000)
const { profile, token } = documented.apple
const sub = String(Reflect.get(profile, "sub"))
const user = JSON.stringify({ name: { firstName: "Ada", lastName: "King Lovelace" }, email: "ignored@example.test" })

const idToken = (nonce: string | null) => signed("apple", { ...profile, ...goodClaims("apple", sub, nonce) })

const prepared = async () => {
  const { given } = await knownService()
  const realm = await given.realm()
  const provider = await knownProvider(realm, "apple")
  return { realm, provider, double: await providerDouble("apple", {}) }
}

describe("C299: Apple", () => {
  test("gets a new client secret with each request, signed with the private key", async () => {
    const { realm, double } = await prepared()
    const { state } = await beginLoginAt(realm, "apple", double, token, idToken)
    expect((await submitCallback(realm, { state })).status).toBe(201)
    const secret = double.at("token")[0]?.form["client_secret"] ?? ""
    const { payload, protectedHeader } = await jwtVerify(secret, appleKey.publicKey, {
      currentDate: new Date(STARTS_AT)
    })
    expect([payload, protectedHeader]).toEqual([
      { iss: "ACMETEAM01", sub: "acme", aud: "https://appleid.apple.com", iat: NOW, exp: NOW + 300 },
      { alg: "ES256", kid: "ACMEKEY001" }
    ])
  })

  test("posts a form if name or email is requested, and redirects otherwise", async () => {
    const { realm } = await prepared()
    expect((await urlFor(realm, "apple")).searchParams.get("response_mode")).toBe("form_post")
    await realm.put("/v2/auth_providers/apple", { auth_provider: { scopes: "openid" } })
    expect((await urlFor(realm, "apple")).searchParams.has("response_mode")).toBe(false)
  })

  test("uses the name that comes with the first login only", async () => {
    const { realm, double } = await prepared()
    const first = await beginLoginAt(realm, "apple", double, token, idToken)
    const created = await submitCallback(realm, { state: first.state, user })
    expect(created.member("user")).toMatchObject({
      email: "3x4mple@privaterelay.appleid.example",
      email_verification: "verified",
      first_name: "Ada",
      last_name: "King Lovelace"
    })
    const second = await beginLoginAt(realm, "apple", double, token, idToken)
    const { result, events } = await realm.seen.during(() => submitCallback(realm, { state: second.state }))
    const user_id = created.string("user_id")
    expect([result.member("user", "name"), events]).toEqual([
      "Ada King Lovelace",
      [{ event_type: "user.login.succeeded", user_id, session_id: result.id }]
    ])
  })

  test("keeps the name for another attempt with the same state", async () => {
    const { realm, double } = await prepared()
    const { state } = await beginLoginAt(realm, "apple", double, token, idToken)
    const id_token = await idToken(null)
    double.answers({ token: new RawResponse(400, '{"error":"invalid_grant"}') })
    const refused = await submitCallback(realm, { state, user })
    expect(statusAndErrors(refused)).toEqual([422, ["Error validating code."]])
    const nonce = new URL(refused.string("retry_url")).searchParams.get("nonce")
    double.answers({ token: { ...token, id_token: await idToken(nonce) } })
    expect(id_token).not.toBe("")
    const retried = await submitCallback(realm, { state })
    expect([retried.status, retried.member("user", "name")]).toEqual([201, "Ada King Lovelace"])
  })

  test.each([
    "",
    "{",
    "null",
    '{"name":{}}',
    '{"name":{"firstName":7}}'
  ])("ignores a user without a name: %s", async (sent) => {
    const { realm, double } = await prepared()
    const { state } = await beginLoginAt(realm, "apple", double, token, idToken)
    const reply = await submitCallback(realm, { state, user: sent })
    expect([reply.status, reply.member("user", "first_name")]).toEqual([201, null])
  })

  test("SEC-280: logs in a browser by a posted form without cookies, and the name is in no URL", async () => {
    const { realm, double, provider } = await prepared()
    const browser = new Browser(realm.transport)
    const path = `${(await appAt(realm)).origin}/auth/${provider.id}`
    const url = redirectTarget(await browser.go(path))
    const state = url.searchParams.get("state") ?? ""
    double.answers({ token: { ...token, id_token: await idToken(url.searchParams.get("nonce")) } })
    const posted = await new Browser(realm.transport).go(`${path}/callback`, {
      form: { state, code: "a-code", user },
      headers: { "sec-fetch-site": "cross-site", origin: "https://appleid.apple.com" }
    })
    const back = new URL(posted.headers.get("location") ?? "", path)
    expect([posted.status, back.href]).toEqual([303, expect.not.stringMatching(/Ada|user=/)])
    // Another browser can't finish the login.
    expect((await new Browser(realm.transport).go(back)).status).toBe(422)
    const session = await sessionOf(realm, redirectTarget(await browser.go(back)))
    expect(session.member("user", "name")).toBe("Ada King Lovelace")
  })

  test("reports in a test whether the client ID, the team, and the key are accepted", async () => {
    const { realm, double } = await prepared()
    double.answers({
      authorization: new RawResponse(200, "<html>"),
      token: new RawResponse(400, '{"error":"invalid_client"}')
    })
    const tested = await realm.post("/v2/auth_providers/apple/test", {})
    expect(tested.member("checks")).toEqual([
      { name: "authorization_endpoint", state: "completed", detail: "The server responded with HTTP 200." },
      {
        name: "token_endpoint",
        state: "failed",
        detail: "The client ID, team ID, key ID or private key is not accepted: HTTP 400 invalid_client."
      },
      { name: "keys", state: "completed", detail: "The server has one signing key." }
    ])
  })
})

const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" })

const pkcs8 = (key: KeyObject, passphrase?: string) =>
  key
    .export({
      type: "pkcs8",
      format: "pem",
      ...(passphrase === undefined ? {} : { cipher: "aes-256-cbc", passphrase })
    })
    .toString()

const wrongKey = [
  "Client secret must be the private key from Apple: the whole .p8 file, from -----BEGIN PRIVATE KEY----- to -----END PRIVATE KEY-----."
]

test.each<readonly [string, object, ReadonlyArray<string>]>([
  ["a text as key", { client_secret: "no key" }, wrongKey],
  ["a damaged key", { client_secret: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" }, wrongKey],
  ["half a key", { client_secret: appleCredentials.client_secret.slice(0, 120) }, wrongKey],
  ["a public key", { client_secret: appleKey.publicKey.export({ type: "spki", format: "pem" }).toString() }, wrongKey],
  ["an RSA key", { client_secret: pkcs8(rsaPairOf(0).privateKey) }, wrongKey],
  ["a key of another curve", { client_secret: pkcs8(p384.privateKey) }, wrongKey],
  ["an encrypted key", { client_secret: pkcs8(appleKey.privateKey, "passphrase") }, wrongKey],
  ["no key", { client_secret: null }, ["Client secret can't be blank."]],
  [
    "another team ID",
    { team_id: "acme" },
    ["Team ID must be ten capital letters and digits, as Apple's developer website shows it."]
  ],
  ["no IDs", { team_id: null, key_id: "" }, ["Team ID can't be blank.", "Key ID can't be blank."]]
])("C299: rejects settings of Apple with %s", async (_, settings, errors) => {
  const realm = await newRealm()
  const auth_provider = { provider_type: "apple", ...appleCredentials, ...settings }
  const { result, events } = await realm.seen.during(() => realm.post("/v2/auth_providers", { auth_provider }))
  expect([...statusAndErrors(result), events]).toEqual([422, errors, []])
})

test("C299: never returns the private key, and lists a new one as client_secret", async () => {
  const realm = await newRealm()
  const provider = await realm.authProvider({ provider_type: "apple", ...appleCredentials })
  expect(provider.body).not.toHaveProperty("client_secret")
  expect(provider.body).toMatchObject({ team_id: "ACMETEAM01", key_id: "ACMEKEY001" })
  const path = "/v2/auth_providers/apple"
  const refused = await realm.put(path, { auth_provider: { client_secret: credentials.client_secret } })
  expect(statusAndErrors(refused)).toEqual([422, wrongKey])
  const { events } = await realm.seen.during(() => realm.put(path, { auth_provider: { key_id: "ACMEKEY002" } }))
  expect(events).toEqual([{ event_type: "auth_provider.updated", auth_provider_id: provider.id }])
})
