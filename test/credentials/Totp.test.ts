import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { codeAt, newApiUser, newDevice, wrongCodeAt } from "../support/credentials.ts"
import { newRealm } from "../support/sallyport.ts"

const rejectionOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const svg = /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"><rect .*<path .*<\/svg>$/

describe.each(["v1", "v2"])("POST /%s/credentials with a TOTP device", (version) => {
  test("creates a device with a 20-byte secret and returns the data for setting up an app", async () => {
    const given = await newRealm({ name: "Jo & Sons: Shop" })
    const user = await given.user({ email: "jo@example.test" })
    const credential = { user_id: user.id, credential_type: "totp", name: "Jo's phone" }
    const { result, events } = await given.seen.during(() => given.post(`/${version}/credentials`, { credential }))
    const uri = new URL(result.string("provisioning_uri"))
    expect([result.status, result.body]).toEqual([
      201,
      {
        id: result.id,
        object: "credential",
        credential_type: "totp",
        user_id: user.id,
        auth_provider_id: expect.stringMatching(/^ap_/),
        name: "Jo's phone",
        state: "new",
        otp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        provisioning_uri: uri.href,
        provisioning_svg: expect.stringMatching(svg)
      }
    ])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect(decodeURIComponent(uri.pathname)).toBe("/Jo & Sons: Shop:jo@example.test")
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: "Jo & Sons: Shop",
      secret: result.string("otp_secret"),
      algorithm: "SHA1",
      digits: "6",
      period: "30"
    })
    const read = await given.get(`/${version}/credentials/${result.id}`)
    expect([read.status, read.body]).toEqual([200, result.body])
  })

  test("creates a unique secret for each device", async () => {
    const given = await newRealm()
    const user = await given.user()
    const devices = await Promise.all(Array.from({ length: 5 }, () => newDevice(given, user.id)))
    expect(new Set(devices.map((device) => device.string("otp_secret"))).size).toBe(5)
  })

  test("returns 422 for a missing or invalid name and for an API user", async () => {
    const given = await newRealm()
    const [user, api] = [await given.user(), await newApiUser(given)]
    const events = await given.seen.caused(async () => {
      for (const [attributes, error] of [
        [{}, "Name can't be blank."],
        [{ name: null }, "Name can't be blank."],
        [{ name: " " }, "Name can't be blank."],
        [{ name: "x".repeat(256) }, "Name is too long (maximum is 255 characters)."],
        [{ name: "x", user_id: api.id }, "Credential type totp is only available for human users."]
      ] as const) {
        const credential = { user_id: user.id, credential_type: "totp", ...attributes }
        expect(rejectionOf(await given.post(`/${version}/credentials`, { credential }))).toEqual({
          status: 422,
          errors: [error]
        })
      }
    })
    expect(events).toEqual([])
    const chosen = { otp_secret: "A".repeat(32), state: "active", provisioning_uri: "otpauth://x" }
    const credential = { user_id: user.id, credential_type: "totp", name: "x".repeat(255), ...chosen }
    const made = await given.post(`/${version}/credentials`, { credential })
    // In the contract, only /v1 has credentials, and /v1 ignores unknown members (C251).
    expect([made.status, made.member("state")]).toEqual(version === "v1" ? [201, "new"] : [422, undefined])
    expect(made.text).not.toContain(chosen.otp_secret)
  })
})

test("a device with a provider other than the realm's totp provider returns 422", async () => {
  const given = await newRealm()
  const user = await given.user()
  const provider = (await newDevice(given, user.id)).string("auth_provider_id")
  const createDevice = (auth_provider_id: string | null) =>
    given.post("/v2/credentials", {
      credential: { user_id: user.id, credential_type: "totp", name: "x", auth_provider_id }
    })
  expect([
    (await createDevice(provider)).status,
    (await createDevice(null)).status,
    (await createDevice("")).status
  ]).toEqual([201, 201, 201])
  const unknown = `${provider.slice(0, -4)}zzzz`
  for (const id of [unknown, "x", user.id]) {
    expect(rejectionOf(await createDevice(id))).toEqual({ status: 422, errors: ["Auth provider could not be found."] })
  }
})

test("an inactive totp provider rejects new devices, but existing devices can still be verified", async () => {
  const given = await newRealm()
  const user = await given.user()
  const device = await newDevice(given, user.id)
  await given.put("/v2/auth_providers/totp", { auth_provider: { state: "inactive" } })
  const credential = { user_id: user.id, credential_type: "totp" }
  const { result, events } = await given.seen.during(() => given.post("/v2/credentials", { credential }))
  const off = "This login method is turned off for this realm."
  expect(rejectionOf(result)).toEqual({ status: 422, errors: ["Name can't be blank.", off] })
  expect(events).toEqual([])
  const code = codeAt(device.string("otp_secret"))
  const verified = await given.post(`/v2/credentials/${device.id}/verify`, { credential: { code } })
  expect(verified.member("state")).toBe("active")
  await given.put("/v2/auth_providers/totp", { auth_provider: { state: "active" } })
  expect((await newDevice(given, user.id)).status).toBe(201)
})

describe.each(["v1", "v2"])("PUT /%s/credentials/{id} of a TOTP device", (version) => {
  test("changes only the name, and records user.updated if the name differs", async () => {
    const given = await newRealm()
    const user = await given.user()
    const device = await newDevice(given, user.id)
    const path = `/${version}/credentials/${device.id}`
    const sent = { name: "New name", otp_secret: "A".repeat(32), state: "active", password: "x", user_id: "usr_x" }
    const { result, events } = await given.seen.during(() => given.put(path, { credential: sent }))
    expect([result.status, result.body]).toEqual([200, { ...Object(device.body), name: "New name" }])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    for (const credential of [{}, { name: "New name" }, { state: "active" }]) {
      const again = await given.seen.during(() => given.put(path, { credential }))
      expect([again.result.status, again.result.body, again.events]).toEqual([200, result.body, []])
    }
    for (const [name, error] of [
      [null, "Name can't be blank."],
      ["", "Name can't be blank."],
      ["x".repeat(256), "Name is too long (maximum is 255 characters)."]
    ]) {
      const reply = await given.put(path, { credential: { name } })
      expect(rejectionOf(reply)).toEqual({ status: 422, errors: [error] })
    }
    expect((await given.get(path)).body).toEqual(result.body)
  })
})

describe.each(["v1", "v2"])("POST /%s/credentials/{id}/verify", (version) => {
  test("activates a new device with a correct code and never shows the secret again", async () => {
    const given = await newRealm()
    const user = await given.user()
    const device = await newDevice(given, user.id)
    const path = `/${version}/credentials/${device.id}`
    const code = codeAt(device.string("otp_secret"))
    const { result, events } = await given.seen.during(() => given.post(`${path}/verify`, { credential: { code } }))
    const shown = {
      id: device.id,
      object: "credential",
      credential_type: "totp",
      user_id: user.id,
      auth_provider_id: device.member("auth_provider_id"),
      name: device.member("name"),
      state: "active"
    }
    expect([result.status, result.body]).toEqual([200, shown])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect((await given.get(path)).body).toEqual(shown)
    const renamed = await given.put(path, { credential: { name: "Renamed" } })
    expect(renamed.body).toEqual({ ...shown, name: "Renamed" })
  })

  test("returns 422 and leaves the device new if the code is wrong or missing", async () => {
    const given = await newRealm()
    const [user, other] = [await given.user(), await given.user()]
    const [device, sibling, foreign] = [
      await newDevice(given, user.id),
      await newDevice(given, user.id),
      await newDevice(given, other.id)
    ]
    const secret = device.string("otp_secret")
    const events = await given.seen.caused(async () => {
      for (const [credential, error] of [
        [{ code: wrongCodeAt(secret) }, "Verification failed."],
        [{ code: codeAt(sibling.string("otp_secret")) }, "Verification failed."],
        [{ code: codeAt(foreign.string("otp_secret")) }, "Verification failed."],
        [{ code: ` ${codeAt(secret)}` }, "Verification failed."],
        [{ code: codeAt(secret).slice(1) }, "Verification failed."],
        [{ code: "" }, "Code can't be blank."],
        [{ code: null }, "Code can't be blank."],
        [{}, "Code can't be blank."],
        [{ code: 123_456 }, "Code must be text."]
      ] as const) {
        const reply = await given.post(`/${version}/credentials/${device.id}/verify`, { credential })
        expect(rejectionOf(reply)).toEqual({ status: 422, errors: [error] })
      }
    })
    expect(events).toEqual([])
    expect((await given.get(`/${version}/credentials/${device.id}`)).body).toEqual(device.body)
  })

  test("returns 422 for a credential that isn't a TOTP device", async () => {
    const given = await newRealm()
    const user = await given.user({ password: "a wholly unguessable phrase" })
    const id = (await given.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
    const reply = await given.post(`/${version}/credentials/${id}/verify`, { credential: { code: "123456" } })
    expect(rejectionOf(reply)).toEqual({ status: 422, errors: ["Only TOTP devices can be verified."] })
  })
})

test("DELETE removes a TOTP device without ending the user's sessions", async () => {
  const given = await newRealm()
  const user = await given.user()
  const device = await newDevice(given, user.id)
  const session = await given.session(user.id)
  const { result, events } = await given.seen.during(() => given.delete(`/v2/credentials/${device.id}`))
  expect(result.status).toBe(204)
  expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
  expect((await given.get(`/v2/credentials/${device.id}`)).status).toBe(404)
  expect((await given.get(`/v2/sessions/${session.id}`)).status).toBe(200)
})

test("an inactive user's devices can be managed", async () => {
  const given = await newRealm()
  const user = await given.user({ state: "inactive" })
  const device = await newDevice(given, user.id)
  const code = codeAt(device.string("otp_secret"))
  const verified = await given.post(`/v2/credentials/${device.id}/verify`, { credential: { code } })
  expect(verified.member("state")).toBe("active")
  expect((await given.delete(`/v2/credentials/${device.id}`)).status).toBe(204)
})
