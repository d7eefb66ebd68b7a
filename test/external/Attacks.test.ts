import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import {
  ACCESS_TOKEN,
  logIn,
  mapping,
  oauth2StandIn,
  profile,
  stateFor,
  submitCallback,
  urlFor,
  urlQuery
} from "../support/external.ts"
import { exportedRows, exportOf } from "../support/imports.ts"
import { statusAndErrors } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { newRealm, ownService, workerSql } from "../support/sallyport.ts"
import { NO_RESPONSE, RawResponse, type ReceivedRequest } from "../support/standIns.ts"
import { documented } from "./ProviderResponses.ts"
import {
  beginLoginAt,
  goodClaims,
  knownProvider,
  knownService,
  providerDouble,
  shortTimeoutService,
  signed
} from "./WellKnownProviders.ts"

const STATE_REJECTED = [422, ["State is invalid, has expired or has already been used."]]
const NONCE_REJECTED = [422, ["Nonce does not match the one the URL was requested with."]]
const METHOD_OFF = [422, ["This login method is turned off for this realm."]]

describe("SEC-60: the state of a provider login", () => {
  test("CVE-2025-46815 (SEC-64): works only once, even for concurrent requests", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile())
    const state = await stateFor(realm, provider.id)
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 5 }, () => submitCallback(realm, { state })))
    )
    expect(result.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.created", "user.login.succeeded"])
    const { result: again, events: after } = await realm.seen.during(() => submitCallback(realm, { state }))
    expect([...statusAndErrors(again), after]).toEqual([...STATE_REJECTED, []])
    expect(Object.keys(Object(again.body)).sort()).toEqual(["error_details", "errors", "request_id"])
  })

  test("CVE-2026-55672: is rejected if the nonce is missing, wrong or unexpected", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile())
    const bound = await stateFor(realm, provider.id, "of-this-browser")
    const free = await stateFor(realm, provider.id)
    for (const body of [
      { state: bound },
      { state: bound, nonce: "" },
      { state: bound, nonce: "of-another-browser" },
      { state: free, nonce: "of-another-browser" }
    ]) {
      const reply = await submitCallback(realm, body)
      expect([body, ...statusAndErrors(reply), reply.member("retry_url")]).toEqual([body, ...NONCE_REJECTED, undefined])
    }
    expect(double.got).toEqual([])
    expect((await submitCallback(realm, { state: bound, nonce: "of-this-browser" })).status).toBe(201)
    expect((await submitCallback(realm, { state: free })).status).toBe(201)
  })

  test("is rejected without contacting the provider if it is unknown, malformed or from another realm", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { provider, double } = await oauth2StandIn(other, profile())
    const foreign = await stateFor(other, provider.id)
    for (const state of [foreign, "A".repeat(43), "x", "' or 1=1--", "\u202e"]) {
      expect(statusAndErrors(await submitCallback(realm, { state }))).toEqual(STATE_REJECTED)
    }
    expect(double.got).toEqual([])
  })

  test("is rejected after its provider was deleted or deactivated", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2StandIn(realm, profile())
    const state = await stateFor(realm, provider.id)
    const path = `/v2/auth_providers/${provider.id}`
    await realm.put(path, { auth_provider: { state: "inactive" } })
    expect(statusAndErrors(await submitCallback(realm, { state }))).toEqual(METHOD_OFF)
    await realm.delete(path)
    expect(statusAndErrors(await submitCallback(realm, { state }))).toEqual(STATE_REJECTED)
    expect(double.got).toEqual([])
  })

  test("is stored as a digest with encrypted secrets, and is random (SEC-66 CVE-2026-15571)", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile(), { scopes: "openid" })
    const urls = [await urlFor(realm, provider.id, "kept"), await urlFor(realm, provider.id, "kept")]
    const sql = await workerSql()
    const rows = await query(sql<Record<string, unknown>>`select * from oauth_states
      where realm_id = ${realm.id}`)
    const stored = JSON.stringify(rows)
    for (const name of ["state", "nonce", "code_challenge"]) {
      const [one = "", two = ""] = urls.map((url) => url.searchParams.get(name) ?? "")
      expect([name, one.length, one === two, stored.includes(one)]).toEqual([name, 43, false, false])
    }
    expect(stored).not.toContain("kept")
    const digest = createHash("sha256")
      .update(urls[0]?.searchParams.get("state") ?? "")
      .digest("base64")
    expect(rows.map(({ id }) => id)).toContain(digest)
    for (const { secret } of rows) expect(String(secret)).toMatch(/^v1\./)
  })
})

test("SEC-62: a provider's code is never sent to another provider, and fails with another provider's state", async () => {
  const realm = await newRealm()
  const tokenFor = (own: string) => (got: ReceivedRequest) =>
    got.form["code"] === own
      ? { access_token: ACCESS_TOKEN, token_type: "bearer" }
      : new RawResponse(400, '{"error":"invalid_grant"}')
  const honest = await oauth2StandIn(realm, profile(), {}, { token: tokenFor("of-honest") })
  const evil = await oauth2StandIn(realm, profile(), {}, { token: tokenFor("of-evil") })
  const [states, codes] = [
    [await stateFor(realm, honest.provider.id), await stateFor(realm, evil.provider.id)],
    ["of-evil", "of-honest"]
  ]
  for (const [n, state] of states.entries()) {
    expect(statusAndErrors(await submitCallback(realm, { state, code: codes[n] }))).toEqual([
      422,
      ["Error validating code."]
    ])
  }
  expect(honest.double.at("token").map(({ form }) => form["code"])).toEqual(["of-evil"])
  expect((await submitCallback(realm, { state: states[0], code: "of-honest" })).status).toBe(201)
})

test("SEC-62: a code with another provider's iss (RFC 9207) is rejected without being sent", async () => {
  const { given } = await knownService()
  const realm = await given.realm()
  await knownProvider(realm, "google")
  const { profile, token } = documented.google
  const double = await providerDouble("google", { profile })
  const sub = String(Reflect.get(profile, "sub"))
  const { state } = await beginLoginAt(realm, "google", double, token, (nonce) =>
    signed("google", goodClaims("google", sub, nonce))
  )
  const mixed = await submitCallback(realm, { state, iss: "https://evil.example.test" })
  expect([...statusAndErrors(mixed), double.at("token")]).toEqual([422, ["The provider's response is not valid."], []])
  expect((await submitCallback(realm, { state, iss: "https://accounts.google.com" })).status).toBe(201)
})

describe("SEC-65: a provider's response", () => {
  const ODD = "The provider's response is not valid."
  const GONE = "The provider could not be reached."
  const big = JSON.stringify({ ...profile(), padding: "x".repeat(256 * 1_024) })
  const token = (answer: unknown) => ({ token: answer })
  const withProfile = (answer: unknown) => ({ profile: answer })
  const inLatin1 = (answer: object) => Buffer.from(JSON.stringify(answer), "latin1")
  const bearer = { access_token: "at", token_type: "bearer" }

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["more than 256 KB of profile", withProfile(new RawResponse(200, big)), ODD],
    ["more than 256 KB with the token", token(new RawResponse(200, big)), ODD],
    ["not JSON", withProfile(new RawResponse(200, "<html>")), ODD],
    ["an empty body", withProfile(new RawResponse(200, "")), ODD],
    ["truncated JSON", withProfile(new RawResponse(200, '{"sub": "1"')), ODD],
    ["an id that is not UTF-8 (SEC-237)", withProfile(new RawResponse(200, inLatin1(profile({ sub: "J\xF6" })))), ODD],
    ["a list", withProfile([profile()]), ODD],
    ["null", withProfile(null), ODD],
    ["a profile without an id", withProfile({ email: "jo@example.test", email_verified: true }), ODD],
    ["an id of the wrong type", withProfile(profile({ sub: { id: 1 } })), ODD],
    ["an empty id", withProfile(profile({ sub: " " })), ODD],
    ["an id that is too long", withProfile(profile({ sub: "x".repeat(256) })), ODD],
    ["an id with a NUL character", withProfile(profile({ sub: "a\u0000b" })), ODD],
    ["status 500", withProfile(new RawResponse(500, "{}")), ODD],
    ["a redirect", withProfile(new RawResponse(302, "", { location: "http://169.254.169.254/" })), ODD],
    ["a redirect of the token request", token(new RawResponse(307, "", { location: "http://169.254.169.254/" })), ODD],
    ["status 204", token(new RawResponse(204, "")), ODD],
    ["a token of the wrong type", token({ access_token: 42, token_type: "bearer" }), ODD],
    ["a token of type mac", token({ ...bearer, token_type: "mac" }), ODD],
    [
      "a token with a line break",
      token({ ...bearer, access_token: "a\r\nb: c" }),
      "The provider rejected the access token or issued it to another app."
    ],
    ["a list instead of a token", token([bearer]), ODD]
  ])("is rejected with a retry URL and without events: %s", async (_, endpoints, sentence) => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile(), {}, endpoints)
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([...statusAndErrors(result), events]).toEqual([422, [sentence], []])
    expect(result.string("retry_url")).toContain("/authorize?")
  })

  test.each(["token", "profile"])("may time out (%s) without using up the state", async (which) => {
    const { given } = await shortTimeoutService()
    const realm = await given.realm()
    const { provider, double } = await oauth2StandIn(realm, profile(), {}, { [which]: NO_RESPONSE })
    const state = await stateFor(realm, provider.id)
    expect(statusAndErrors(await submitCallback(realm, { state }))).toEqual([422, [GONE]])
    double.answers({ token: bearer, profile: profile() })
    expect((await submitCallback(realm, { state })).status).toBe(201)
  })

  test("SEC-237: is decoded as UTF-8 if valid, and otherwise in its declared charset", async () => {
    const headers = { "content-type": "application/json; charset=iso-8859-1" }
    const named = profile({ sub: "J\xF6" })
    for (const body of [inLatin1(named), JSON.stringify(named)]) {
      const realm = await newRealm()
      const { provider } = await oauth2StandIn(realm, profile(), {}, { profile: new RawResponse(200, body, headers) })
      expect((await logIn(realm, provider.id)).status).toBe(201)
      const [row] = exportedRows(await exportOf(realm))
      expect(Object(row)["credentials"][0].provider_user_id).toBe("Jö")
    }
  })

  test("is reported as unreachable when the connection fails", async () => {
    const realm = await newRealm()
    const nowhere = { token_url: "http://127.0.0.1:1/token" }
    const { provider } = await oauth2StandIn(realm, profile(), nowhere)
    expect(statusAndErrors(await logIn(realm, provider.id))).toEqual([422, [GONE]])
  })

  test("is accepted with a missing or huge expires_in, but not with an invalid expires_in", async () => {
    const realm = await newRealm()
    for (const expires_in of [31_536_000_000_000, undefined, "soon"]) {
      const { provider } = await oauth2StandIn(realm, profile(), {}, token({ ...bearer, expires_in }))
      const reply = await logIn(realm, provider.id)
      if (expires_in === "soon") expect(statusAndErrors(reply)).toEqual([422, [ODD]])
      else expect(reply.status).toBe(201)
    }
  })

  test("may contain fields such as __proto__", async () => {
    const realm = await newRealm()
    const body = '{"__proto__":{"email_verified":true},"constructor":{"x":1},"sub":"1","email":"p@example.test"}'
    const { provider } = await oauth2StandIn(realm, new RawResponse(200, body), {
      ...mapping,
      first_name_field: "__proto__.sub"
    })
    expect((await logIn(realm, provider.id)).member("user")).toMatchObject({
      email_verification: "none",
      first_name: null
    })
  })
})

test("SEC-67: a provider at a private address is not contacted unless private targets are allowed", async () => {
  const realm = await newRealm()
  const { provider, double } = await oauth2StandIn(realm, profile())
  await ownService(
    async ({ transport, key }) => {
      const { GivenRealm: Given } = await import("#testing/Given")
      const guarded = new Given(transport, key, realm.id)
      expect(statusAndErrors(await logIn(guarded, provider.id))).toEqual([422, ["The provider could not be reached."]])
      const direct = await guarded.post(`/v2/auth_providers/${provider.id}/authorize`, { access_token: "at" })
      expect(statusAndErrors(direct)).toEqual([422, ["The provider could not be reached."]])
    },
    { allowPrivateTargets: false }
  )
  expect(double.got).toEqual([])
})

test("SEC-55 CVE-2026-1486: an inactive provider or realm rejects every kind of login", async () => {
  const realm = await newRealm()
  const { provider, double } = await oauth2StandIn(realm, profile())
  const path = `/v2/auth_providers/${provider.id}`
  const state = await stateFor(realm, provider.id)
  const entryPoints = async () => [
    statusAndErrors(await submitCallback(realm, { state })),
    statusAndErrors(await submitCallback(realm, { state, error: "access_denied" })),
    statusAndErrors(await realm.post(`${path}/authorize`, { access_token: "at" })),
    statusAndErrors(await realm.get(`${path}/authorize?${urlQuery()}`))
  ]
  await realm.put(path, { auth_provider: { state: "inactive" } })
  expect(await entryPoints()).toEqual(Array(4).fill(METHOD_OFF))
  await realm.put(path, { auth_provider: { state: "active" } })
  await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
  expect(await entryPoints()).toEqual(Array(4).fill([422, ["The realm is inactive, so nobody can log in."]]))
  expect(double.got).toEqual([])
})
