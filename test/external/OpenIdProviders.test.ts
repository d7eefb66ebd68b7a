import { createHmac } from "node:crypto"
import { exportJWK, type JWTPayload, SignJWT } from "jose"
import { afterEach, describe, expect, test, vi } from "vitest"
import { urlFor, urlQuery } from "../support/external.ts"
import { statusAndErrors } from "../support/logins.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"
import { ACCESS_TOKEN, atHash, keySet, logInAtIssuer, NOW, oidcDouble, sign } from "./OidcDouble.ts"

const INVALID = [422, ["The provider's response is not valid."]]

describe("C298: a provider of type oidc", () => {
  test("is used with its discovery document, PKCE and a nonce, and creates a user from the ID token", async () => {
    const realm = await newRealm()
    const at = await oidcDouble(realm)
    const url = await urlFor(realm, String(at.provider.id))
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      scope: "openid email profile",
      code_challenge_method: "S256",
      nonce: expect.any(String)
    })
    expect(url.searchParams.has("response_mode")).toBe(false)
    const { result, events } = await realm.seen.during(() => logInAtIssuer(realm, at))
    const user_id = result.string("user_id")
    expect([result.status, result.member("user")]).toEqual([
      201,
      expect.objectContaining({ email_verification: "verified", first_name: "Jo", last_name: "Doe" })
    ])
    expect(events).toEqual([
      { event_type: "user.created", user_id },
      { event_type: "user.login.succeeded", user_id, session_id: result.id }
    ])
    expect(at.double.at("userinfo")).toEqual([])
    expect(at.double.at("token")[0]?.headers.authorization).toMatch(/^Basic /)
    const again = await logInAtIssuer(realm, at)
    expect(again.string("user_id")).toBe(user_id)
    // The document is read once.
    expect(at.double.at(".well-known/openid-configuration")).toHaveLength(1)
  })

  test("asks the userinfo endpoint for an email that the ID token lacks", async () => {
    const realm = await newRealm()
    const at = await oidcDouble(realm)
    const withoutEmail = async ({ email: _, ...claims }: JWTPayload) => {
      at.double.answers({ userinfo: { sub: claims.sub, email: "info@example.test", email_verified: false } })
      return sign(claims)
    }
    const reply = await logInAtIssuer(realm, at, withoutEmail)
    // The claim email_verified of the ID token is not about the email of the userinfo endpoint.
    expect(reply.member("user")).toMatchObject({ email: "info@example.test", email_verification: "none" })
    expect(at.double.at("userinfo")[0]?.headers.authorization).toBe(`Bearer ${ACCESS_TOKEN}`)
    const ofAnother = async ({ email: _, ...claims }: JWTPayload) => {
      at.double.answers({ userinfo: { sub: "somebody-else", email: "victim@example.test", email_verified: true } })
      return sign(claims)
    }
    expect(statusAndErrors(await logInAtIssuer(realm, at, ofAnother))).toEqual(INVALID)
  })

  test("sends the secret in the body if the document lists only that, or if the setting says so", async () => {
    const realm = await newRealm()
    const document = { token_endpoint_auth_methods_supported: ["client_secret_post"] }
    for (const at of [
      await oidcDouble(realm, { document }),
      await oidcDouble(realm, { settings: { token_endpoint_auth_method: "client_secret_post" } })
    ]) {
      expect((await logInAtIssuer(realm, at)).status).toBe(201)
      expect(at.double.at("token").map(({ form, headers }) => [form["client_secret"], headers.authorization])).toEqual([
        ["the-secret-of-acme", undefined]
      ])
    }
  })

  test("asks for a posted form if response_mode is form_post", async () => {
    const realm = await newRealm()
    const { provider } = await oidcDouble(realm, { settings: { response_mode: "form_post" } })
    expect(provider.member("response_mode")).toBe("form_post")
    expect((await urlFor(realm, String(provider.id))).searchParams.get("response_mode")).toBe("form_post")
  })

  test("can exist several times in a realm, each with its own users", async () => {
    const realm = await newRealm()
    const [first, second] = [await oidcDouble(realm), await oidcDouble(realm, { settings: { name: "Other SSO" } })]
    const replies = [await logInAtIssuer(realm, first), await logInAtIssuer(realm, second)]
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    expect(new Set(replies.map((reply) => reply.string("user_id"))).size).toBe(2)
    const { items } = await realm.get("/v2/auth_providers?provider_type=oidc")
    expect(items.map(({ name }) => name)).toEqual(["Acme SSO", "Other SSO"])
  })

  test("rejects logins with an access token, whose client is unknown", async () => {
    const realm = await newRealm()
    const { provider, double } = await oidcDouble(realm)
    const reply = await realm.post(`/v2/auth_providers/${provider.id}/authorize`, { access_token: "at-of-another-app" })
    expect(statusAndErrors(reply)).toEqual([
      422,
      ["Logins with an access token don't work with this provider. Use an authorization code."]
    ])
    expect(double.at("userinfo")).toEqual([])
  })
})

describe("RFC 9207: an issuer that names itself in authorization responses", () => {
  const document = { authorization_response_iss_parameter_supported: true }

  test("must be named by iss", async () => {
    const realm = await newRealm()
    const at = await oidcDouble(realm, { document })
    expect(statusAndErrors(await logInAtIssuer(realm, at))).toEqual(INVALID)
    const mixed = { iss: "https://another.example" }
    expect(statusAndErrors(await logInAtIssuer(realm, at, sign, mixed))).toEqual(INVALID)
    expect((await logInAtIssuer(realm, at, sign, { iss: at.double.url })).status).toBe(201)
  })
})

const base64 = (json: unknown) => Buffer.from(JSON.stringify(json)).toString("base64url")

const hmacSigned = (claims: JWTPayload, secret: string) => {
  const content = `${base64({ alg: "HS256" })}.${base64(claims)}`
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`
}

const changed = (claims: JWTPayload) => (valid: JWTPayload) => sign({ ...valid, ...claims })

const without = (name: string) => (valid: JWTPayload) => sign({ ...valid, [name]: undefined })

test.each<readonly [string, (claims: JWTPayload) => Promise<string | undefined>]>([
  ["that is missing", async () => undefined],
  ["of another issuer", changed({ iss: "https://another.example" })],
  ["of the issuer with a slash", (valid) => sign({ ...valid, iss: `${valid.iss}/` })],
  ["for another client", changed({ aud: "another" })],
  ["for this client and others, with another azp", changed({ aud: ["acme", "another"], azp: "another" })],
  ["that has expired", changed({ exp: NOW - 60 })],
  ["without iat", without("iat")],
  ["with another nonce", changed({ nonce: "another" })],
  ["without nonce", without("nonce")],
  ["with the hash of another access token", changed({ at_hash: atHash("another") })],
  ["that is unsigned", async (valid) => `${base64({ alg: "none" })}.${base64(valid)}.`],
  ["signed with the client ID as a secret", async (valid) => hmacSigned(valid, "acme")],
  ["signed with the client secret", async (valid) => hmacSigned(valid, "the-secret-of-acme")],
  [
    "signed with the public key as a secret",
    async (valid) => hmacSigned(valid, JSON.stringify(await exportJWK(rsaPairOf(1).publicKey)))
  ],
  ["signed with an unpublished key", (valid) => sign(valid, 0)],
  ["signed with an unpublished key that has a published ID", (valid) => sign(valid, 0, "key-1")],
  [
    "with an algorithm that the issuer doesn't use",
    async (valid) => new SignJWT(valid).setProtectedHeader({ alg: "PS256", kid: "key-1" }).sign(rsaPairOf(1).privateKey)
  ]
])("SEC-278: an ID token %s is rejected without using up the state", async (_, idToken) => {
  const realm = await newRealm()
  const at = await oidcDouble(realm)
  const { result, events } = await realm.seen.during(() => logInAtIssuer(realm, at, idToken))
  expect([...statusAndErrors(result), events]).toEqual([...INVALID, []])
  expect(result.string("retry_url")).toContain(at.double.url)
  expect((await realm.get("/v2/users")).items).toEqual([])
})

describe("the keys of an issuer", () => {
  afterEach(() => vi.restoreAllMocks())

  test("are read again after a rotation", async () => {
    const realm = await newRealm()
    const at = await oidcDouble(realm)
    const first = await logInAtIssuer(realm, at)
    at.double.answers({ keys: await keySet(2) })
    const minute = Date.now() + 61_000
    vi.spyOn(Date, "now").mockImplementation(() => minute)
    const rotated = await logInAtIssuer(realm, at, (claims) => sign(claims, 2))
    expect([first.status, rotated.status]).toEqual([201, 201])
    expect(statusAndErrors(await logInAtIssuer(realm, at, (claims) => sign(claims, 1)))).toEqual(INVALID)
  })
})

describe("SEC-278: a discovery document", () => {
  test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ["of another issuer", { issuer: "https://another.example" }, "The discovery document is for another issuer."],
    ["without issuer", { issuer: undefined }, "The discovery document has no issuer."],
    ["without keys", { jwks_uri: undefined }, "The discovery document has no jwks_uri."],
    [
      "whose token endpoint is no web address",
      { token_endpoint: "javascript:alert(1)" },
      "The URL of token_endpoint in the discovery document is not allowed."
    ],
    [
      "whose login page is a script",
      { authorization_endpoint: "javascript:alert(1)" },
      "The URL of authorization_endpoint in the discovery document is not allowed."
    ],
    [
      "with only symmetric signatures",
      { id_token_signing_alg_values_supported: ["HS256", "none"] },
      "The issuer signs ID tokens with no supported algorithm."
    ]
  ])("%s is rejected, and the test says why", async (_, document, detail) => {
    const realm = await newRealm()
    const { provider } = await oidcDouble(realm, { document })
    const url = await realm.get(`/v2/auth_providers/${provider.id}/authorize?${urlQuery()}`)
    expect([...statusAndErrors(url), url.member("provider_id")]).toEqual([...INVALID, provider.id])
    const tested = await realm.post(`/v2/auth_providers/${provider.id}/test`, {})
    const skipped = { state: "skipped", detail: "Not tested, because the endpoints are unknown." }
    expect(tested.body).toEqual({
      object: "auth_provider_test",
      state: "failed",
      checks: [
        { name: "discovery", state: "failed", detail },
        { name: "authorization_endpoint", ...skipped },
        { name: "token_endpoint", ...skipped },
        { name: "keys", ...skipped }
      ]
    })
  })

  test("may end the issuer with a slash that the setting lacks", async () => {
    const realm = await newRealm()
    const at = await oidcDouble(realm)
    at.double.answers({
      ".well-known/openid-configuration": {
        issuer: `${at.double.url}/`,
        authorization_endpoint: `${at.double.url}/authorize`,
        token_endpoint: `${at.double.url}/token`,
        jwks_uri: `${at.double.url}/keys`
      }
    })
    const withSlash = (claims: JWTPayload) => sign({ ...claims, iss: `${at.double.url}/` })
    expect((await logInAtIssuer(realm, at, withSlash)).status).toBe(201)
  })

  test("is never read from, and never leads to, private addresses", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const settings = { provider_type: "oidc", client_id: "acme", client_secret: "s3cret" }
        const refused = await realm.post("/v2/auth_providers", {
          auth_provider: { ...settings, issuer: "https://10.0.0.1" }
        })
        expect(statusAndErrors(refused)).toEqual([422, ["Issuer can't point to a private or local address."]])
        const provider = await realm.authProvider({ ...settings, issuer: "https://localhost.example.invalid" })
        const tested = await realm.post(`/v2/auth_providers/${provider.id}/test`, {})
        expect(tested.member("checks", 0)).toMatchObject({ name: "discovery", state: "failed" })
      },
      { allowPrivateTargets: false }
    ))

  test("is used for a day if the issuer can't be reached", () =>
    ownService(async ({ given, advance }) => {
      const realm = await given.realm()
      const at = await oidcDouble(realm)
      const isOffered = async () => (await realm.get(`/v2/auth_providers/authorize?${urlQuery()}`)).items.length
      expect(await isOffered()).toBe(1)
      at.double.answers({ ".well-known/openid-configuration": new RawResponse(503, "") })
      await advance("2 hours")
      expect(await isOffered()).toBe(1)
      await advance("1 day")
      expect(await isOffered()).toBe(0)
    }))
})

test("C209: the test of an oidc provider reports each step", async () => {
  const realm = await newRealm()
  const { provider } = await oidcDouble(realm, {
    endpoints: {
      authorize: new RawResponse(302, "", { location: "/login" }),
      token: new RawResponse(400, '{"error":"invalid_grant"}'),
      userinfo: new RawResponse(401, "{}")
    }
  })
  const { result, events } = await realm.seen.during(() => realm.post(`/v2/auth_providers/${provider.id}/test`, {}))
  expect([result.member("state"), result.member("checks"), events]).toEqual([
    "completed",
    [
      { name: "discovery", state: "completed", detail: "The issuer publishes its endpoints and keys." },
      { name: "authorization_endpoint", state: "completed", detail: "The server responded with HTTP 302." },
      { name: "token_endpoint", state: "completed", detail: "The client ID and the client secret are accepted." },
      { name: "profile_endpoint", state: "completed", detail: "The server responded with HTTP 401." },
      { name: "keys", state: "completed", detail: "The server has one signing key." }
    ],
    []
  ])
})
