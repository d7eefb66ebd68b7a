import { describe, expect, test } from "vitest"
import {
  authenticate,
  complete,
  enrolled,
  userEvent as event,
  missingWrapperErrors,
  PASSWORD
} from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const LOGIN_FAILED = [422, ["Login failed."]]

describe("POST /v2/users/{id}/authenticate", () => {
  test("returns a session with token and user for the right password, and records user.login.succeeded", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, first_name: "Jo" })
    const request = { ip: "203.0.113.7", client: "app" }
    const { result, events } = await realm.seen.during(() => authenticate(realm, user.id, PASSWORD, { request }))
    expect([result.status, result.member("object"), result.member("user", "id")]).toEqual([200, "session", user.id])
    expect(result.member("user", "last_login_at")).toBe(result.member("created_at"))
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: result.id }])
    const session = await realm.get(`/v2/sessions/${result.id}`)
    expect([session.status, session.member("request")]).toEqual([200, request])
    expect((await realm.get(`/v2/users/${user.id}`)).member("last_login_at")).toBe(result.member("created_at"))
  })

  test("accepts an email as the id, in any case", async () => {
    const realm = await newRealm()
    await realm.user({ email: "jo@example.test", password: PASSWORD })
    expect((await authenticate(realm, "JO@Example.test", PASSWORD)).status).toBe(200)
  })

  test('returns 422 "Login failed." for a wrong password, and records user.login.failed', async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { result, events } = await realm.seen.during(() => authenticate(realm, user.id, "wrong"))
    expect([result.status, result.errors]).toEqual(LOGIN_FAILED)
    expect(events).toEqual([event(user, "login.failed")])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    const inSpanish = await realm.call("POST", `/v2/users/${user.id}/authenticate`, {
      body: { user: { password: "wrong" } },
      headers: { "accept-language": "es" }
    })
    expect(inSpanish.errors).toEqual(["Error al iniciar sesión."])
  })

  test("returns the same error for an unknown email as for a wrong password, but 404 for an unknown id", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const other = await (await newRealm()).user({ password: PASSWORD })
    const wrong = await authenticate(realm, user.id, "wrong")
    const { events } = await realm.seen.during(async () => {
      for (const name of ["nobody@example.test", "neither an id nor an e-mail"]) {
        const unknown = await authenticate(realm, name, PASSWORD)
        expect([unknown.status, unknown.errors]).toEqual([wrong.status, wrong.errors])
        expect(unknown.member("error_details", 0, "params", "reason")).toBe("unknown_user")
      }
      for (const id of [unknownIdLike(user.id), other.id]) {
        const reply = await authenticate(realm, id, PASSWORD)
        expect([reply.status, reply.errors]).toEqual([404, ["User could not be found."]])
      }
    })
    expect(events).toEqual([])
  })

  test("returns the same error for an inactive user or a missing password as for a wrong password", async () => {
    const realm = await newRealm()
    const inactive = await realm.user({ password: PASSWORD, state: "inactive" })
    const without = await realm.user()
    for (const user of [inactive, without]) {
      const { result, events } = await realm.seen.during(() => authenticate(realm, user.id, PASSWORD))
      expect([result.status, result.errors]).toEqual(LOGIN_FAILED)
      expect(events).toEqual([event(user, "login.failed")])
    }
  })

  test("rejects even the right password in an inactive realm", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    const { result, events } = await realm.seen.during(() => authenticate(realm, user.id, PASSWORD))
    expect([result.status, result.errors, events]).toEqual([422, ["The realm is inactive, so nobody can log in."], []])
  })

  test("rejects every password while the password provider is inactive", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    const reply = await authenticate(realm, user.id, PASSWORD)
    expect([reply.status, reply.errors]).toEqual([422, ["This login method is turned off for this realm."]])
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "active" } })
    expect((await authenticate(realm, user.id, PASSWORD)).status).toBe(200)
  })

  test.each<[unknown, string]>([
    ["", "Password can't be blank."],
    [null, "Password can't be blank."],
    ["x".repeat(600), "Password is too long (maximum is 512 characters)."],
    [`a${"\u0000"}b`, "Password is not valid."],
    [7, "Password must be text."]
  ])("rejects an invalid password without counting an attempt: %j", async (password, sentence) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { result, events } = await realm.seen.during(() => authenticate(realm, user.id, password))
    expect([result.status, result.errors, events]).toEqual([422, [sentence], []])
  })

  test("returns 400 without the wrapper", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const reply = await realm.post(`/v2/users/${user.id}/authenticate`, { password: PASSWORD })
    expect([reply.status, reply.errors]).toEqual([400, missingWrapperErrors("password")])
  })

  test("issues a token for session_minutes, and does not store unmanaged sessions", async () => {
    const managed = await newRealm({ session_minutes: 10 })
    const user = await managed.user({ password: PASSWORD })
    const session = await authenticate(managed, user.id, PASSWORD)
    expect(Number(session.member("expires_at")) - Number(session.member("created_at"))).toBe(600)

    const unmanaged = await newRealm({ session_type: "unmanaged", session_minutes: 0 })
    const other = await unmanaged.user({ password: PASSWORD })
    const { result, events } = await unmanaged.seen.during(() => authenticate(unmanaged, other.id, PASSWORD))
    expect([result.status, result.member("expires_at")]).toEqual([200, null])
    const claims = JSON.parse(Buffer.from(result.string("token").split(".")[1] ?? "", "base64url").toString())
    expect([claims.sub, "exp" in claims]).toEqual([other.id, false])
    expect(events).toEqual([event(other, "login.succeeded")])
    expect((await unmanaged.get("/v2/sessions")).items).toEqual([])
    expect((await unmanaged.get(`/v2/sessions/${result.id}`)).status).toBe(404)
  })
})

describe("a user with a second factor", () => {
  test("gets a login token for the right password, then a session for the right code", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const first = await realm.seen.during(() => authenticate(realm, user.id, PASSWORD))
    expect([first.result.status, first.result.body]).toEqual([
      200,
      { object: "token", token: expect.stringMatching(/^tmf:[0-9A-Za-z]{43}$/) }
    ])
    expect(first.events).toEqual([event(user, "login.initiated")])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await realm.get(`/v2/users/${user.id}`)).member("last_login_at")).toBeNull()

    const token = first.result.string("token")
    const wrong = await realm.seen.during(() => complete(realm, token, "000000"))
    expect([wrong.result.status, wrong.result.errors]).toEqual(LOGIN_FAILED)
    expect(wrong.events).toEqual([event(user, "login.failed")])
    const second = await realm.seen.during(() => complete(realm, token, device.code()))
    expect([second.result.status, second.result.member("object")]).toEqual([200, "session"])
    expect(second.events).toEqual([{ ...event(user, "login.succeeded"), session_id: second.result.id }])
    expect((await realm.get("/v2/sessions")).items.map(({ id }) => id)).toEqual([second.result.id])
  })

  test("gets 422 for a login token that is used, invalid or from another realm", async () => {
    const realm = await newRealm()
    const other = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const token = (await authenticate(realm, user.id, PASSWORD)).string("token")
    const { events } = await realm.seen.during(async () => {
      for (const [where, presented] of [
        [realm, `tmf:${"x".repeat(43)}`],
        [realm, token.replace("tmf:", "kli_")],
        [realm, token.slice(0, -1)],
        [realm, ""],
        [realm, undefined],
        [other, token]
      ] as const) {
        const reply = await complete(where, presented, device.code())
        expect([reply.status, reply.errors]).toEqual([422, ["Token is invalid, has expired or has already been used."]])
      }
    })
    expect(events).toEqual([])
    expect((await complete(realm, token, device.code())).status).toBe(200)
    expect((await complete(realm, token, device.code(1))).status).toBe(422)
    expect((await complete(realm, token, "")).errors).toEqual(["Code can't be blank."])
  })

  test("needs no code, and can't use a code, while the totp provider is inactive", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const token = (await authenticate(realm, user.id, PASSWORD)).string("token")
    await realm.put("/v2/auth_providers/totp", { auth_provider: { state: "inactive" } })
    expect((await complete(realm, token, device.code())).status).toBe(422)
    expect((await authenticate(realm, user.id, PASSWORD)).member("object")).toBe("session")
  })

  test("must complete the login within ten minutes and before being deactivated", async () => {
    await ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.user({ password: PASSWORD })
      const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
      const [first, second, third] = [
        (await authenticate(realm, user.id, PASSWORD)).string("token"),
        (await authenticate(realm, user.id, PASSWORD)).string("token"),
        (await authenticate(realm, user.id, PASSWORD)).string("token")
      ]
      const code = () => device.code(0, clock.currentTimeMillisUnsafe())
      clock.advance("599 seconds")
      expect((await complete(realm, first, code())).status).toBe(200)
      clock.advance("1 second")
      expect((await complete(realm, second, code())).status).toBe(422)
      expect(third).not.toBe(second)
      const pending = (await authenticate(realm, user.id, PASSWORD)).string("token")
      await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
      await realm.put(`/v2/users/${user.id}`, { user: { state: "active" } })
      clock.advance("30 seconds")
      expect((await complete(realm, pending, code())).status).toBe(422)
    })
  })
})
