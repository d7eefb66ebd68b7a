import { decodeJwt, decodeProtectedHeader } from "jose"
import { describe, expect, test } from "vitest"
import { verifyAccessToken } from "#client/resource/VerifyAccessToken"
import type { GivenRealm } from "#testing/Given"
import { fetchWithin, issuerOf } from "../support/decoding.ts"
import { beginDevice, deviceClient, enterCode, postForm, type Waiting, withDevice } from "../support/oauthDevices.ts"
import { clockedService } from "../support/sallyport.ts"
import { isLoggedIn } from "../support/visitor.ts"

const newRealm = async (settings = {}) => (await clockedService()).given.realm(settings)

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"

/** Polls the token endpoint for a device. */
const poll = (realm: GivenRealm, client_id: string, device_code: string, more: object = {}) =>
  postForm(realm, "token", { grant_type: DEVICE_CODE, client_id, device_code, ...more })

const pollResult = async (realm: GivenRealm, { client, device }: Waiting) => {
  const reply = await poll(realm, client.id, device.deviceCode)
  return [reply.status, reply.member("error")]
}

const submitDecision = async (at: Waiting, button = "Allow") => {
  await enterCode(at, at.device.userCode)
  return at.visitor.fill({}, button)
}

describe("a polling device", () => {
  test("waits for the user's decision and gets its tokens only once", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    expect(await pollResult(realm, at)).toEqual([400, "authorization_pending"])
    await submitDecision(at)
    expect(await pollResult(realm, at)).toEqual([200, undefined])
    expect(await realm.seen.caused(() => pollResult(realm, at))).toEqual([])
    expect(await pollResult(realm, at)).toEqual([400, "invalid_grant"])
  })

  test("gets tokens that remain valid after the browser session has ended", async () => {
    const { clock } = await clockedService()
    const realm = await newRealm()
    const at = await withDevice(realm, { resources: ["https://api.example.test"] })
    const second = await beginDevice(realm, at.client.id, {
      scope: "openid profile",
      resource: "https://api.example.test"
    })
    await submitDecision({ ...at, device: second })
    const { result: got, events } = await realm.seen.during(() => poll(realm, at.client.id, second.deviceCode))
    expect(events).toEqual([{ event_type: "oauth.grant.created", user_id: at.user.id, client_app_id: at.client.id }])
    expect(got.body).toMatchObject({ token_type: "Bearer", expires_in: 3_600, scope: "openid profile" })
    expect(got.headers.get("cache-control")).toBe("no-store")
    const [access, identity, refresh] = [
      got.string("access_token"),
      got.string("id_token"),
      got.string("refresh_token")
    ]
    expect(decodeProtectedHeader(access)).toMatchObject({ typ: "at+jwt", alg: "RS256" })
    expect(decodeJwt(identity)).toMatchObject({ sub: at.user.id, aud: at.client.id, amr: ["pwd"], acr: "aal1" })
    expect(decodeJwt(identity)).not.toHaveProperty("sid")
    // An API verifies the token with the SDK.
    const options = {
      issuer: issuerOf(realm),
      audience: "https://api.example.test",
      fetch: fetchWithin(realm),
      now: () => clock.currentTimeMillisUnsafe()
    }
    expect(await verifyAccessToken(access, { ...options, scopes: ["profile"] })).toMatchObject({
      sub: at.user.id,
      client_id: at.client.id,
      scopes: ["openid", "profile"]
    })
    await at.visitor.open("/logout")
    await at.visitor.fill()
    expect(await isLoggedIn(at.visitor)).toBe(false)
    const renewed = await postForm(realm, "token", {
      grant_type: "refresh_token",
      client_id: at.client.id,
      refresh_token: refresh
    })
    expect([renewed.status, renewed.member("scope")]).toEqual([200, "openid profile"])
  })

  test("gets slow_down and a longer interval each time it polls too often", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const at = await withDevice(realm)
    const answers: Array<unknown> = []
    for (const seconds of [0, 4, 5, 16]) {
      if (seconds > 0) await advance(`${seconds} seconds`)
      answers.push((await pollResult(realm, at))[1])
    }
    expect(answers).toEqual(["authorization_pending", "slow_down", "slow_down", "authorization_pending"])
  })

  test("gets an error if the user declines or doesn't decide in time", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const at = await withDevice(realm)
    const late = { ...at, device: await beginDevice(realm, at.client.id) }
    await submitDecision(at, "Don't allow")
    expect(await pollResult(realm, at)).toEqual([400, "access_denied"])
    await submitDecision(late)
    await advance("10 minutes")
    expect(await pollResult(realm, late)).toEqual([400, "expired_token"])
    expect(await pollResult(realm, at)).toEqual([400, "access_denied"])
  })
})

describe("SEC-173: a device code", () => {
  test("is redeemed only once when 200 requests arrive at once", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await submitDecision(at)
    const { result: all, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 200 }, () => poll(realm, at.client.id, at.device.deviceCode)))
    )
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = all.filter(({ status }) => status !== 200).map((reply) => reply.member("error"))
    // Requests over the service's concurrency limit get temporarily_unavailable.
    expect(refused.filter((error) => error !== "temporarily_unavailable")).toContain("invalid_grant")
    expect(new Set(["invalid_grant", "temporarily_unavailable", ...refused]).size).toBe(2)
    expect(events.map(({ event_type }) => event_type)).toEqual(["oauth.grant.created"])
  })

  test("is rejected if it is unknown or belongs to another client or realm", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const at = await withDevice(realm)
    await submitDecision(at)
    const [stranger, elsewhere] = [await deviceClient(realm), await deviceClient(other)]
    const { deviceCode } = at.device
    for (const [where, client, code] of [
      [realm, stranger.id, deviceCode],
      [other, elsewhere.id, deviceCode],
      [realm, at.client.id, `${deviceCode.slice(0, -1)}${deviceCode.endsWith("a") ? "b" : "a"}`],
      [realm, at.client.id, "odc_"],
      [realm, at.client.id, at.device.userCode]
    ] as const) {
      expect((await poll(where, client, code)).member("error")).toBe("invalid_grant")
    }
    expect((await poll(other, at.client.id, deviceCode)).member("error")).toBe("invalid_client")
    expect((await poll(realm, at.client.id, "")).member("error")).toBe("invalid_request")
    expect(await pollResult(realm, at)).toEqual([200, undefined])
  })

  test.each([
    ["user", (at: Waiting) => [`/v2/users/${at.user.id}`, { user: { state: "inactive" } }], "invalid_grant"],
    [
      "client",
      (at: Waiting) => [`/v2/client_apps/${at.client.id}`, { client_app: { state: "inactive" } }],
      "invalid_client"
    ],
    [
      "realm",
      (_: Waiting, realm: GivenRealm) => [`/v2/realms/${realm.id}`, { realm: { state: "inactive" } }],
      "access_denied"
    ]
  ] as const)("is rejected when the %s was deactivated after the approval", async (_, change, error) => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await submitDecision(at)
    const [path, body] = change(at, realm)
    expect((await realm.put(String(path), Object(body))).status).toBe(200)
    expect((await pollResult(realm, at))[1]).toBe(error)
  })

  test("is rejected when the user was deleted", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm)
    await submitDecision(at)
    expect((await realm.delete(`/v2/users/${at.user.id}`)).status).toBe(204)
    expect((await pollResult(realm, at))[1]).toBe("invalid_grant")
  })

  test("is rejected without a DPoP proof if its client requires one", async () => {
    const realm = await newRealm()
    const at = await withDevice(realm, { require_dpop: true })
    await submitDecision(at)
    expect(await pollResult(realm, at)).toEqual([400, "invalid_dpop_proof"])
  })
})
