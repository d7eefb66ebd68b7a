import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { Authenticator } from "#testing/Authenticator"
import { atHost } from "../support/apps.ts"
import { authenticate, complete, completeV1, enrolled, PASSWORD } from "../support/logins.ts"
import {
  creationOptions,
  enrolPasskey,
  loginOptions,
  ORIGIN,
  passkeyLogin,
  realmWithApp,
  register
} from "../support/passkeys.ts"
import { service } from "../support/sallyport.ts"

const zeros = "00000000-0000-0000-0000-000000000000"

describe.each(["v1", "v2"])("passkeys of /%s/credentials", (version) => {
  test("are registered in two steps, the second of which returns the authenticator's details", async () => {
    const realm = await realmWithApp({ name: "Acme" })
    const user = await realm.user({ email: "jo@example.test", first_name: "Jo", last_name: "Doe" })
    const { token, options } = await creationOptions(realm, user.id, version)
    expect(token).toMatch(/^tpk:[0-9A-Za-z]{43}$/)
    expect(options).toMatchObject({
      rp: { name: "Acme" },
      user: { id: Buffer.from(user.id).toString("base64url"), name: "jo@example.test", displayName: "Jo Doe" },
      excludeCredentials: [],
      attestation: "none",
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" }
    })

    const response = new Authenticator({ backupEligible: true }).create(options, { origin: ORIGIN })
    const { result, events } = await realm.seen.during(() =>
      register(realm, user.id, token, response, { version, name: "Jo's laptop" })
    )
    const shown = {
      id: result.id,
      object: "credential",
      credential_type: "passkey",
      user_id: user.id,
      name: "Jo's laptop",
      aaguid: zeros,
      transports: ["internal"],
      backed_up: true,
      last_used_at: null
    }
    expect([result.status, result.body]).toEqual([201, shown])
    expect(events).toEqual([{ event_type: "user.updated", user_id: user.id }])
    expect((await realm.get(`/${version}/credentials/${result.id}`)).body).toEqual(shown)
    expect((await realm.get(`/${version}/users/${user.id}`)).member("credentials")).toEqual([
      { id: result.id, object: "credential", credential_type: "passkey" }
    ])
  })

  test("log in without a name or password and create a session for the passkey's user", async () => {
    const realm = await realmWithApp()
    const user = await realm.user()
    const { authenticator, id } = await enrolPasskey(realm, user.id)
    const { result, events } = await realm.seen.during(() => passkeyLogin(realm, authenticator, {}, version))
    expect(result.status).toBe(200)
    expect(version === "v1" ? result.id : result.member("user", "id")).toBe(user.id)
    expect(events).toEqual([
      {
        event_type: "user.login.succeeded",
        user_id: user.id,
        ...(version === "v2" ? { session_id: result.id } : { session_id: expect.any(String) })
      }
    ])
    expect((await realm.get(`/${version}/credentials/${id}`)).member("last_used_at")).toEqual(expect.any(Number))
  })
})

const statusAndErrors = (reply: Reply) => [reply.status, reply.errors]

test.each(["ES256", "EdDSA", "RS256"] as const)("a passkey with %s can be registered and used", async (algorithm) => {
  const realm = await realmWithApp()
  const { authenticator } = await enrolPasskey(realm, (await realm.user()).id, { algorithm })
  expect((await passkeyLogin(realm, authenticator)).status).toBe(200)
})

describe("a login with a passkey", () => {
  test("skips the authenticator code only if the passkey verified the user", async () => {
    const realm = await realmWithApp()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const { authenticator } = await enrolPasskey(realm, user.id, { backupEligible: true })
    const two = await passkeyLogin(realm, authenticator)
    expect([two.status, two.member("amr"), two.member("acr")]).toEqual([200, ["swk", "mfa"], "aal2"])

    const { result: pending, events } = await realm.seen.during(() =>
      passkeyLogin(realm, authenticator, { userVerified: false })
    )
    expect(pending.body).toEqual({ object: "token", token: expect.stringMatching(/^tmf:/) })
    expect(events).toEqual([{ event_type: "user.login.initiated", user_id: user.id }])
    const done = await complete(realm, pending.string("token"), device.code())
    expect([done.status, done.member("amr")]).toEqual([200, ["swk", "otp", "mfa"]])

    const first = await passkeyLogin(realm, authenticator, { userVerified: false }, "v1")
    expect(first.string("token")).toMatch(/^kli_/)
    expect((await completeV1(realm, user.id, first.string("token"), device.code(1))).status).toBe(200)
  })

  test("counts as one factor without user verification, or is rejected if the provider requires verification", async () => {
    const realm = await realmWithApp()
    const user = await realm.user()
    const { authenticator } = await enrolPasskey(realm, user.id)
    const one = await passkeyLogin(realm, authenticator, { userVerified: false })
    expect([one.status, one.member("amr"), one.member("acr")]).toEqual([200, ["hwk"], "aal1"])

    await realm.put("/v2/auth_providers/passkey", { auth_provider: { user_verification: "required" } })
    const { options } = await loginOptions(realm)
    expect(options.userVerification).toBe("required")
    expect(statusAndErrors(await passkeyLogin(realm, authenticator, { userVerified: false }))).toEqual([
      422,
      ["Login failed."]
    ])
    expect((await passkeyLogin(realm, authenticator)).status).toBe(200)
    const begun = await creationOptions(realm, user.id)
    const unverified = new Authenticator().create(begun.options, { origin: ORIGIN, userVerified: false })
    expect(statusAndErrors(await register(realm, user.id, begun.token, unverified))).toEqual([
      422,
      ["The authenticator must verify the user by fingerprint, face or PIN."]
    ])
  })
})

test("a passkey can be renamed and deleted like other credentials", async () => {
  const realm = await realmWithApp()
  const user = await realm.user()
  const { authenticator, id } = await enrolPasskey(realm, user.id)
  const updated = [{ event_type: "user.updated", user_id: user.id }]
  const rename = (name: unknown) => realm.put(`/v2/credentials/${id}`, { credential: { name } })
  const { result, events } = await realm.seen.during(() => rename("Key ring"))
  expect([result.status, result.member("name"), events]).toEqual([200, "Key ring", updated])
  expect((await rename(null)).member("name")).toBeNull()
  expect((await creationOptions(realm, user.id)).options.excludeCredentials).toEqual([
    { type: "public-key", id: authenticator.passkeys[0]?.id, transports: ["internal"] }
  ])
  expect(await realm.seen.caused(() => realm.delete(`/v2/credentials/${id}`))).toEqual(updated)
  expect(statusAndErrors(await passkeyLogin(realm, authenticator))).toEqual([422, ["Login failed."]])
})

test("a passkey can't be created for an API user, at an inactive provider or in a realm that has no app", async () => {
  const realm = await realmWithApp()
  const [user, robot] = [await realm.user(), await realm.apiUser()]
  const begin = (id: string, of = realm) => of.post(`/v2/users/${id}/passkey_options`, {})
  expect(statusAndErrors(await begin(robot.id))).toEqual([
    422,
    ["Credential type passkey is only available for human users."]
  ])
  const credential = { credential_type: "passkey", user_id: user.id }
  expect(statusAndErrors(await realm.post("/v2/credentials", { credential }))).toEqual([
    422,
    ["Response can't be blank."]
  ])
  expect(statusAndErrors(await realm.post("/v2/users/authenticate_passkey", { user: {} }))).toEqual([
    422,
    ["Response can't be blank."]
  ])
  await realm.put("/v2/auth_providers/passkey", { auth_provider: { state: "inactive" } })
  const off = [422, ["This login method is turned off for this realm."]]
  expect(statusAndErrors(await begin(user.id))).toEqual(off)
  expect(statusAndErrors(await realm.post("/v2/users/passkey_options", {}))).toEqual(off)

  const { given } = await service()
  const bare = await given.realm()
  const noApp = [422, ["The realm needs an active connected app first."]]
  expect(statusAndErrors(await begin((await bare.user()).id, bare))).toEqual(noApp)
  expect(statusAndErrors(await bare.post("/v2/users/passkey_options", {}))).toEqual(noApp)
})

describe("the domain of passkeys", () => {
  test("is the login host of the oldest active app, which lists all apps' pages at /.well-known/webauthn", async () => {
    const realm = await realmWithApp()
    const second = await realm.connectedApp({ login_handler: "https://shop.example.com/login" })
    const [app] = (await realm.get("/v2/client_apps")).items
    const [host, secondHost] = [String(Object(app)["domains"][0]), second.string("domains", 0)]
    const { options } = await loginOptions(realm)
    expect(options.rpId).toBe(host)
    expect((await loginOptions(realm, "v2", "https://shop.example.com")).options.rpId).toBe(host)
    for (const one of [host, secondHost]) {
      const found = await atHost(one, "/.well-known/webauthn")
      expect([found.status, found.headers.get("content-type")]).toEqual([200, "application/json"])
      expect(found.body.origins).toEqual([
        expect.stringContaining(`//${host}`),
        ORIGIN,
        expect.stringContaining(`//${secondHost}`),
        "https://shop.example.com"
      ])
    }
  })

  test("is the realm's passkey_rp_id if set, which must be a lowercase domain", async () => {
    const realm = await realmWithApp({ passkey_rp_id: "example.test" })
    expect((await loginOptions(realm)).options.rpId).toBe("example.test")
    const user = await realm.user()
    const { authenticator } = await enrolPasskey(realm, user.id)
    expect((await passkeyLogin(realm, authenticator)).status).toBe(200)
    for (const passkey_rp_id of ["Example.test", "https://example.test", "example.test:443", "192.0.2.1", "-a.test"]) {
      expect(statusAndErrors(await realm.put(`/v2/realms/${realm.id}`, { realm: { passkey_rp_id } }))).toEqual([
        422,
        ["Passkey rp must be the name of a domain in lower case, such as example.com."]
      ])
    }
    expect(
      (await realm.put(`/v2/realms/${realm.id}`, { realm: { passkey_rp_id: null } })).member("passkey_rp_id")
    ).toBeNull()
  })
})

test("a password login completes without a passkey even if the user has a passkey", async () => {
  const realm = await realmWithApp()
  const user = await realm.user({ password: PASSWORD })
  await enrolPasskey(realm, user.id)
  expect((await authenticate(realm, user.id)).status).toBe(200)
})
