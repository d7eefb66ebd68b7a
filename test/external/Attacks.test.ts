import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Got, Raw, SILENCE } from "../support/doubles.ts"
import {
  ACCESS_TOKEN,
  comeBack,
  logIn,
  mapping,
  oauth2Double,
  person,
  stateFor,
  urlFor,
  urlQuery
} from "../support/external.ts"
import { exportedRows, exportOf } from "../support/imports.ts"
import { refusal } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { ownService, service, workerSql } from "../support/sallyport.ts"
import { documented } from "./ProviderResponses.ts"
import { beginAt, goodClaims, hurriedService, known, knownService, signed, standIn } from "./WellKnownProviders.ts"

const newRealm = async (): Promise<GivenRealm> => (await service()).given.realm()

const USED = [422, ["State is invalid, has expired or has already been used."]]
const NONCE = [422, ["Nonce does not match the one the URL was requested with."]]
const OFF = [422, ["This login method is turned off for this realm."]]

describe("SEC-60: the state of a provider login", () => {
  test("CVE-2025-46815 (SEC-64): works once, and for only one of many concurrent requests", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2Double(realm, person())
    const state = await stateFor(realm, provider.id)
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 5 }, () => comeBack(realm, { state })))
    )
    expect(result.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.created", "user.login.succeeded"])
    const { result: again, events: after } = await realm.seen.during(() => comeBack(realm, { state }))
    expect([...refusal(again), after]).toEqual([...USED, []])
    expect(Object.keys(Object(again.body)).sort()).toEqual(["error_details", "errors", "request_id"])
  })

  test("CVE-2026-55672: is rejected without a retry URL when the nonce is missing, wrong or unexpected", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2Double(realm, person())
    const bound = await stateFor(realm, provider.id, "of-this-browser")
    const free = await stateFor(realm, provider.id)
    for (const body of [
      { state: bound },
      { state: bound, nonce: "" },
      { state: bound, nonce: "of-another-browser" },
      { state: free, nonce: "of-another-browser" }
    ]) {
      const reply = await comeBack(realm, body)
      expect([body, ...refusal(reply), reply.member("retry_url")]).toEqual([body, ...NONCE, undefined])
    }
    expect(double.got).toEqual([])
    expect((await comeBack(realm, { state: bound, nonce: "of-this-browser" })).status).toBe(201)
    expect((await comeBack(realm, { state: free })).status).toBe(201)
  })

  test("is rejected without contacting the provider when it is another realm's, unknown or malformed", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { provider, double } = await oauth2Double(other, person())
    const foreign = await stateFor(other, provider.id)
    for (const state of [foreign, "A".repeat(43), "x", "' or 1=1--", "\u202e"]) {
      expect(refusal(await comeBack(realm, { state }))).toEqual(USED)
    }
    expect(double.got).toEqual([])
  })

  test("is rejected when its provider was deleted or deactivated", async () => {
    const realm = await newRealm()
    const { provider, double } = await oauth2Double(realm, person())
    const state = await stateFor(realm, provider.id)
    const path = `/v2/auth_providers/${provider.id}`
    await realm.put(path, { auth_provider: { state: "inactive" } })
    expect(refusal(await comeBack(realm, { state }))).toEqual(OFF)
    await realm.delete(path)
    expect(refusal(await comeBack(realm, { state }))).toEqual(USED)
    expect(double.got).toEqual([])
  })

  test("is stored as a digest, with encrypted secrets (SEC-66 CVE-2026-15571: all values are random)", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2Double(realm, person(), { scopes: "openid" })
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

test("SEC-62: never sends the code of one provider to another, and rejects it with the other's state", async () => {
  const realm = await newRealm()
  const tokenFor = (own: string) => (got: Got) =>
    got.form["code"] === own
      ? { access_token: ACCESS_TOKEN, token_type: "bearer" }
      : new Raw(400, '{"error":"invalid_grant"}')
  const honest = await oauth2Double(realm, person(), {}, { token: tokenFor("of-honest") })
  const evil = await oauth2Double(realm, person(), {}, { token: tokenFor("of-evil") })
  const [states, codes] = [
    [await stateFor(realm, honest.provider.id), await stateFor(realm, evil.provider.id)],
    ["of-evil", "of-honest"]
  ]
  for (const [n, state] of states.entries()) {
    expect(refusal(await comeBack(realm, { state, code: codes[n] }))).toEqual([422, ["Error validating code."]])
  }
  expect(honest.double.at("token").map(({ form }) => form["code"])).toEqual(["of-evil"])
  expect((await comeBack(realm, { state: states[0], code: "of-honest" })).status).toBe(201)
})

test("SEC-62: rejects a code whose iss names another provider (RFC 9207) without sending it", async () => {
  const { given } = await knownService()
  const realm = await given.realm()
  await known(realm, "google")
  const { profile, token } = documented.google
  const double = await standIn("google", { profile })
  const sub = String(Reflect.get(profile, "sub"))
  const { state } = await beginAt(realm, "google", double, token, (nonce) =>
    signed("google", goodClaims("google", sub, nonce))
  )
  const mixed = await comeBack(realm, { state, iss: "https://evil.example.test" })
  expect([...refusal(mixed), double.at("token")]).toEqual([422, ["The provider's response is not valid."], []])
  expect((await comeBack(realm, { state, iss: "https://accounts.google.com" })).status).toBe(201)
})

describe("SEC-65: a provider's response", () => {
  const ODD = "The provider's response is not valid."
  const GONE = "The provider could not be reached."
  const big = JSON.stringify({ ...person(), padding: "x".repeat(256 * 1_024) })
  const token = (answer: unknown) => ({ token: answer })
  const profile = (answer: unknown) => ({ profile: answer })
  const inLatin1 = (answer: object) => Buffer.from(JSON.stringify(answer), "latin1")
  const bearer = { access_token: "at", token_type: "bearer" }

  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ["more than 256 KB of profile", profile(new Raw(200, big)), ODD],
    ["more than 256 KB with the token", token(new Raw(200, big)), ODD],
    ["not JSON", profile(new Raw(200, "<html>")), ODD],
    ["an empty body", profile(new Raw(200, "")), ODD],
    ["truncated JSON", profile(new Raw(200, '{"sub": "1"')), ODD],
    ["an id that is not UTF-8 (SEC-237)", profile(new Raw(200, inLatin1(person({ sub: "J\xF6" })))), ODD],
    ["a list", profile([person()]), ODD],
    ["null", profile(null), ODD],
    ["a profile without an id", profile({ email: "jo@example.test", email_verified: true }), ODD],
    ["an id of the wrong type", profile(person({ sub: { id: 1 } })), ODD],
    ["an empty id", profile(person({ sub: " " })), ODD],
    ["an id that is too long", profile(person({ sub: "x".repeat(256) })), ODD],
    ["an id with a NUL character", profile(person({ sub: "a\u0000b" })), ODD],
    ["status 500", profile(new Raw(500, "{}")), ODD],
    ["a redirect", profile(new Raw(302, "", { location: "http://169.254.169.254/" })), ODD],
    ["a redirect of the token request", token(new Raw(307, "", { location: "http://169.254.169.254/" })), ODD],
    ["status 204", token(new Raw(204, "")), ODD],
    ["a token of the wrong type", token({ access_token: 42, token_type: "bearer" }), ODD],
    ["a token of type mac", token({ ...bearer, token_type: "mac" }), ODD],
    [
      "a token with a line break",
      token({ ...bearer, access_token: "a\r\nb: c" }),
      "The provider rejected the access token or issued it to another app."
    ],
    ["a list in place of a token", token([bearer]), ODD]
  ])("is rejected with a retry URL and without events: %s", async (_, endpoints, sentence) => {
    const realm = await newRealm()
    const { provider } = await oauth2Double(realm, person(), {}, endpoints)
    const { result, events } = await realm.seen.during(() => logIn(realm, provider.id))
    expect([...refusal(result), events]).toEqual([422, [sentence], []])
    expect(result.string("retry_url")).toContain("/authorize?")
  })

  test.each([
    "token",
    "profile"
  ])("times out (%s), and the state still works once the provider responds", async (which) => {
    const { given } = await hurriedService()
    const realm = await given.realm()
    const { provider, double } = await oauth2Double(realm, person(), {}, { [which]: SILENCE })
    const state = await stateFor(realm, provider.id)
    expect(refusal(await comeBack(realm, { state }))).toEqual([422, [GONE]])
    double.answers({ token: bearer, profile: person() })
    expect((await comeBack(realm, { state })).status).toBe(201)
  })

  test("SEC-237: is decoded in its declared charset unless it is valid UTF-8", async () => {
    const headers = { "content-type": "application/json; charset=iso-8859-1" }
    const named = person({ sub: "J\xF6" })
    for (const body of [inLatin1(named), JSON.stringify(named)]) {
      const realm = await newRealm()
      const { provider } = await oauth2Double(realm, person(), {}, { profile: new Raw(200, body, headers) })
      expect((await logIn(realm, provider.id)).status).toBe(201)
      const [row] = exportedRows(await exportOf(realm))
      expect(Object(row)["credentials"][0].provider_user_id).toBe("Jö")
    }
  })

  test("reports an unreachable provider when the connection fails", async () => {
    const realm = await newRealm()
    const nowhere = { token_url: "http://127.0.0.1:1/token" }
    const { provider } = await oauth2Double(realm, person(), nowhere)
    expect(refusal(await logIn(realm, provider.id))).toEqual([422, [GONE]])
  })

  test("may have no expires_in or a huge one, but not an invalid one", async () => {
    const realm = await newRealm()
    for (const expires_in of [31_536_000_000_000, undefined, "soon"]) {
      const { provider } = await oauth2Double(realm, person(), {}, token({ ...bearer, expires_in }))
      const reply = await logIn(realm, provider.id)
      if (expires_in === "soon") expect(refusal(reply)).toEqual([422, [ODD]])
      else expect(reply.status).toBe(201)
    }
  })

  test("is safe with members such as __proto__", async () => {
    const realm = await newRealm()
    const body = '{"__proto__":{"email_verified":true},"constructor":{"x":1},"sub":"1","email":"p@example.test"}'
    const { provider } = await oauth2Double(realm, new Raw(200, body), {
      ...mapping,
      first_name_field: "__proto__.sub"
    })
    expect((await logIn(realm, provider.id)).member("user")).toMatchObject({
      email_verification: "none",
      first_name: null
    })
  })
})

test("SEC-67: does not contact a provider at a private address unless that is allowed", async () => {
  const realm = await newRealm()
  const { provider, double } = await oauth2Double(realm, person())
  await ownService(
    async ({ transport, key }) => {
      const { GivenRealm: Given } = await import("#testing/Given")
      const guarded = new Given(transport, key, realm.id)
      expect(refusal(await logIn(guarded, provider.id))).toEqual([422, ["The provider could not be reached."]])
      const direct = await guarded.post(`/v2/auth_providers/${provider.id}/authorize`, { access_token: "at" })
      expect(refusal(direct)).toEqual([422, ["The provider could not be reached."]])
    },
    { allowPrivateTargets: false }
  )
  expect(double.got).toEqual([])
})

test("SEC-55 CVE-2026-1486: rejects every kind of login at an inactive provider or in an inactive realm", async () => {
  const realm = await newRealm()
  const { provider, double } = await oauth2Double(realm, person())
  const path = `/v2/auth_providers/${provider.id}`
  const state = await stateFor(realm, provider.id)
  const entryPoints = async () => [
    refusal(await comeBack(realm, { state })),
    refusal(await comeBack(realm, { state, error: "access_denied" })),
    refusal(await realm.post(`${path}/authorize`, { access_token: "at" })),
    refusal(await realm.get(`${path}/authorize?${urlQuery()}`))
  ]
  await realm.put(path, { auth_provider: { state: "inactive" } })
  expect(await entryPoints()).toEqual(Array(4).fill(OFF))
  await realm.put(path, { auth_provider: { state: "active" } })
  await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
  expect(await entryPoints()).toEqual(Array(4).fill([422, ["The realm is inactive, so nobody can log in."]]))
  expect(double.got).toEqual([])
})
