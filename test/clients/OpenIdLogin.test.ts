import { type CryptoKey, generateKeyPair, SignJWT } from "jose"
import { describe, expect, test } from "vitest"
import { loginFlow } from "#client/frameworks/login/LoginFlow"
import type { OpenIdLoginOptions } from "#client/frameworks/login/LoginOptions"
import { fakeIssuer, ISSUER } from "./FakeIssuer.ts"
import { LoginVisitor, locationIn, SITE } from "./LoginVisitor.ts"
import { visit } from "./OpenIdVisit.ts"

/** Endpoints to which the app or the browser would send secrets unencrypted. */
const unencrypted: ReadonlyArray<readonly [Record<string, unknown>, Partial<OpenIdLoginOptions>, string]> = [
  "authorization_endpoint",
  "token_endpoint",
  "jwks_uri",
  "end_session_endpoint",
  "revocation_endpoint"
].flatMap((name) =>
  ["http://id.example.test/x", "http://idp/x", "http://[2001:db8::1]/x", "javascript:alert(1)", "/x"].map(
    (url) => [{ [name]: url }, {}, `The ${name} of ${ISSUER} is ${url}. It must be a URL with https.`] as const
  )
)

const problem = (name: string) => `/callback?problem=${name}`

const wrongOptions: ReadonlyArray<readonly [string, Partial<OpenIdLoginOptions>, string]> = [
  ["no issuer", { issuer: undefined }, "hostedLogin needs `issuer`"],
  ["no client", { clientId: "" }, "hostedLogin needs `clientId`"],
  [
    "no secret",
    { clientSecret: undefined },
    "hostedLogin needs `clientSecret`: the secret of the OAuth client. Is its"
  ],
  ["no publicUrl", { publicUrl: undefined }, "hostedLogin needs `publicUrl`"],
  [
    "an http issuer",
    { issuer: "http://id.example.com/realms/rl_1" },
    "`issuer` is http://id.example.com/realms/rl_1, which"
  ],
  ["a scope without openid", { scope: "profile" }, "`scope` must include openid."]
]

describe("hosted login as an OpenID Connect client", () => {
  test.each(wrongOptions)("throws if the options have %s", async (_, options, message) => {
    const { options: complete } = await fakeIssuer()
    expect(() => loginFlow({ ...complete, ...options })).toThrow(message)
  })

  test("sends an authorization request with PKCE, a state and a nonce, and exchanges the code", async () => {
    const { issuer, browser, begin, handOver } = await visit({ scope: "openid profile orgs" })
    const state = await begin(
      "/login?return_to=/notes&max_age=60&acr_values=aal2&client_id=other&redirect_uri=https://evil.example"
    )
    expect(Object.fromEntries(issuer.begun.searchParams)).toEqual({
      response_type: "code",
      client_id: "lpl_1",
      redirect_uri: `${SITE}/callback`,
      scope: "openid profile orgs",
      claims: '{"id_token":{"orgs":null}}',
      state,
      nonce: expect.stringMatching(/^[\da-f]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      max_age: "60",
      acr_values: "aal2"
    })
    issuer.claims = { orgs: [{ mid: "mb_1", oid: "org_1", perm: ["notes:read"], selected: true, name: "Engines" }] }
    expect(await handOver({ state })).toBe("/notes")
    const verifier = expect.stringMatching(/^[\da-f]{64}$/)
    expect(issuer.forms).toEqual([
      { grant_type: "authorization_code", code: "c", redirect_uri: `${SITE}/callback`, code_verifier: verifier }
    ])
    const { session } = await browser.get("/notes")
    expect(session).toMatchObject({ id: "kss_1", user: { id: "usr_1", realm_id: "rl_1", name: "Ada" } })
    expect(session?.org).toMatchObject({ id: "org_1", permissions: ["notes:read"] })
    expect((await browser.begin("/signup")).searchParams.get("prompt")).toBe("create")
  })

  test("encrypts the cookie, and decrypts the cookie only with the same client and secret", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    const cookie = browser.cookies.get("__Host-session") ?? ""
    expect(Buffer.from(cookie.split(".")[0] ?? "", "base64url").toString()).toBe('{"alg":"dir","enc":"A256GCM"}')
    for (const other of [{ clientSecret: "another" }, { clientId: "lpl_2" }, { issuer: `${ISSUER}2` }]) {
      const document = { issuer: other.issuer ?? ISSUER }
      const { issuer: second } = await visit(other)
      second.document = document
      const stranger = new LoginVisitor(loginFlow(second.options))
      stranger.cookies.set("__Host-session", cookie)
      expect([await stranger.user(), stranger.cookies.size]).toEqual([null, 0])
    }
    for (const forged of [`${cookie.slice(0, -2)}xx`, await issuer.idToken(), "x"]) {
      browser.cookies.set("__Host-session", forged)
      expect(await browser.user()).toBeNull()
    }
  })

  test("SEC-265: rejects a code of another browser, and an ID token with another nonce", async () => {
    const { issuer, browser, begin, handOver } = await visit()
    const [hers, own] = [await begin("/login"), await begin("/login")]
    for (const state of ["guessed", `${own}0`, ""]) expect(await handOver({ state })).toBe(problem("state"))
    // The code of the other login has another code challenge.
    expect(await handOver({ state: hers })).toBe(problem("token"))
    issuer.claims = { nonce: "of-the-attacker" }
    expect(await handOver({ state: own })).toBe(problem("token"))
    expect(await handOver({ state: own })).toBe(problem("state"))
    expect(await browser.user()).toBeNull()
  })

  test("rejects every kind of wrong ID token", async () => {
    const { issuer, browser, logIn } = await visit()
    const { privateKey } = await generateKeyPair("RS256")
    const seconds = Math.floor(Number(issuer.options.now?.()) / 1000)
    const wrong = [
      { aud: "lpl_2" },
      { azp: "lpl_2" },
      { iss: "https://evil.example" },
      { exp: seconds - 6 },
      { sub: undefined },
      { nonce: undefined }
    ]
    for (const claims of wrong) {
      issuer.claims = claims
      expect([claims, await logIn()]).toEqual([claims, problem("token")])
    }
    issuer.claims = {}
    const forged = (alg: string, key: CryptoKey | Uint8Array) =>
      new SignJWT({ sub: "usr_1", nonce: issuer.begun.searchParams.get("nonce") })
        .setProtectedHeader({ alg, kid: "1" })
        .setIssuer(ISSUER)
        .setAudience("lpl_1")
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + 600)
        .sign(key)
    for (const id_token of [
      await forged("RS256", privateKey),
      await forged("HS256", new TextEncoder().encode("a secret of the attacker, 32 bytes")),
      "x",
      undefined
    ]) {
      issuer.answer = { id_token }
      expect(await logIn()).toBe(problem("token"))
    }
    issuer.answer = {}
    expect([await logIn(), await browser.user()]).toEqual(["/", "usr_1"])
  })

  test("rejects another issuer's response, and shows that the user has denied access", async () => {
    const { begin, handOver, browser } = await visit()
    expect(await handOver({ state: await begin(), iss: "https://evil.example" })).toBe(problem("token"))
    const denied = await browser.handOver({ error: "access_denied", state: await begin(), iss: ISSUER })
    expect(locationIn(denied)).toBe(problem("denied"))
    expect((await browser.get(problem("denied"))).answer?.body).toContain("because the login was not completed")
    // Not without a state of this browser.
    expect(locationIn(await browser.handOver({ error: "access_denied", state: "x" }))).toBe(problem("state"))
  })

  test("explains what is wrong with the issuer or the client", async () => {
    const { issuer } = await visit()
    const messages: ReadonlyArray<readonly [Record<string, unknown>, Partial<OpenIdLoginOptions>, string]> = [
      [{ issuer: "https://other.example" }, {}, "belongs to the issuer https://other.example. Set `issuer` to it."],
      [
        { token_endpoint: undefined },
        {},
        "has no token_endpoint, so it has no OpenID Connect clients. Is its realm hs256?"
      ]
    ]
    for (const [document, options, message] of [...messages, ...unencrypted]) {
      issuer.document = document
      await expect(loginFlow({ ...issuer.options, ...options }).ready()).rejects.toThrow(message)
    }
    const wrong = await visit({ clientSecret: "wrong" })
    expect(await wrong.logIn()).toBe(problem("unavailable"))
    expect(wrong.issuer.log).toEqual([
      `hostedLogin: ${ISSUER} rejects the client. Check \`clientId\` and \`clientSecret\`.`
    ])
  })
})
