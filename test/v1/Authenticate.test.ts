import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { authenticateV1, complete, enrolled, userEvent as event, PASSWORD, statusAndErrors } from "../support/logins.ts"
import { noRealm } from "../support/noRealm.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, service } from "../support/sallyport.ts"

const form = (realm: GivenRealm, path: string, body: string) =>
  realm.call("POST", path, { body, headers: { "content-type": "application/x-www-form-urlencoded" } })

const LOGIN_FAILED = [401, ["Login failed."]]
const NO_USER = [404, ["User could not be found."]]

describe("POST /v1/users/{id}/authenticate", () => {
  test("returns the user and a token for the right password, and records user.login.succeeded", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, first_name: "Jo" })
    const request = { ip: "203.0.113.7", client: "app" }
    const { result, events } = await realm.seen.during(() => authenticateV1(realm, user.id, PASSWORD, { request }))
    const token = result.string("token")
    const read = await realm.get(`/v1/users/${user.id}`)
    expect([result.status, result.body]).toEqual([200, { ...Object(read.body), token }])
    expect(result.member("last_login_at")).toBe(STARTS_AT / 1000)

    const [session, ...others] = (await realm.get("/v2/sessions")).items
    expect([session, others]).toEqual([expect.objectContaining({ user_id: user.id, request }), []])
    expect(decodeJwt(token)["sid"]).toBe(session?.["id"])
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: session?.["id"] }])
    const listed = (await realm.get(`/v1/events?user_id=${user.id}`)).items.at(-1)
    expect([listed?.["event_type"], listed?.["request"]]).toEqual(["user.login.succeeded", request])
  })

  test("accepts a username in any case, a password inside the wrapper, and a form body", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "Jo.Smith", password: PASSWORD })
    const encoded = encodeURIComponent(PASSWORD)
    const path = "/v1/users/jo.smith/authenticate"
    const replies = [
      await authenticateV1(realm, "jo.SMITH"),
      await realm.post(path, { user: { password: PASSWORD } }),
      await form(realm, path, `password=${encoded}`),
      await form(realm, path, `user[password]=${encoded}&request[client]=app`)
    ]
    for (const reply of replies) expect([reply.status, reply.id]).toEqual([200, user.id])
    expect(replies[0]?.member("username")).toBe("jo.smith")
    const clients = (await realm.seen.all()).slice(-4).map(({ request }) => Reflect.get(Object(request), "client"))
    expect(clients).toEqual([null, null, null, "app"])
  })

  test("accepts an email only in a realm that uses emails as usernames", async () => {
    const [standard, email] = [await newRealm(), await newRealm({ username_validation_human: "email" })]
    for (const [realm, expected] of [
      [standard, 404],
      [email, 200]
    ] as const) {
      const user = await realm.user({ email: "jo@example.test", password: PASSWORD })
      expect((await authenticateV1(realm, "JO@Example.test")).status).toBe(expected)
      expect((await authenticateV1(realm, user.id)).status).toBe(200)
    }
    await standard.user({ username: "sam", email: "sam@example.test", password: PASSWORD })
    expect((await authenticateV1(standard, "sam")).status).toBe(200)
    await standard.put(`/v1/realms/${standard.id}`, { realm: { username_validation_human: "email" } })
    expect(statusAndErrors(await authenticateV1(standard, "sam"))).toEqual(NO_USER)
    expect((await authenticateV1(standard, "sam@example.test")).member("username")).toBeNull()
  })

  test("finds the realm from a user id, but requires a realm for a username", async () => {
    const realm = await newRealm()
    const { root } = (await service()).given
    const user = await realm.user({ username: "jo", password: PASSWORD })
    const body = { password: PASSWORD }
    expect((await root.post(`/v1/users/${user.id}/authenticate`, body)).status).toBe(200)
    expect((await root.post("/v1/users/jo/authenticate", { ...body, realm_id: realm.id })).status).toBe(200)
    expect((await root.post(`/v1/users/jo/authenticate?realm_id=${realm.id}`, body)).status).toBe(200)
    expect(statusAndErrors(await root.post("/v1/users/jo/authenticate", body))).toEqual([422, noRealm])
  })

  test("includes memberships and orgs with expand=memberships in the query or body", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const org = await realm.org({ name: "Acme" })
    const membership = await realm.membership(user.id, org.id, { permissions: ["team:read"] })
    expect((await authenticateV1(realm, user.id)).member("memberships")).toBeUndefined()
    const path = `/v1/users/${user.id}/authenticate`
    const read = await realm.get(`/v1/users/${user.id}?expand=memberships`)
    for (const reply of [
      await realm.post(`${path}?expand=memberships`, { password: PASSWORD }),
      await realm.post(path, { password: PASSWORD, expand: "memberships" }),
      await realm.post(path, { user: { password: PASSWORD }, expand: ["memberships"] }),
      await form(realm, path, `password=${encodeURIComponent(PASSWORD)}&expand=memberships`)
    ]) {
      expect(reply.status).toBe(200)
      expect(reply.member("memberships")).toEqual(read.member("memberships"))
      expect(reply.member("memberships", 0)).toMatchObject({ id: membership.id, org: { id: org.id, name: "Acme" } })
    }
    const unknown = [422, ["Expand must be one of: memberships."]]
    expect(statusAndErrors(await realm.post(`${path}?expand=orgs`, { password: PASSWORD }))).toEqual(unknown)
    expect(statusAndErrors(await realm.post(path, { password: PASSWORD, expand: "orgs" }))).toEqual(unknown)
  })

  test("returns a token with v1's claims: uid, aud, tk, un, fn, ln, n", async () => {
    const realm = await newRealm({ jwt_claims: "both", session_minutes: 10 })
    await realm.put(`/v1/realms/${realm.id}`, { realm: { jwt_fields: ["memberships"] } })
    const user = await realm.user({ username: "Jo", password: PASSWORD, first_name: "Jo", last_name: "Smith" })
    const org = await realm.org()
    await realm.membership(user.id, org.id, { permissions: ["team:read"] })
    const claims = decodeJwt((await authenticateV1(realm, user.id)).string("token"))
    const [session] = (await realm.get("/v2/sessions")).items
    expect(claims).toMatchObject({
      uid: user.id,
      aud: realm.id,
      tk: session?.["id"],
      un: "jo",
      fn: "Jo",
      ln: "Smith",
      n: "Jo Smith",
      iat: STARTS_AT / 1000,
      exp: STARTS_AT / 1000 + 600,
      m: [{ oid: org.id, p: ["team:read"] }]
    })
  })

  test("returns 401 and records user.login.failed for a wrong or missing password or an inactive user", async () => {
    const realm = await newRealm()
    const users = [
      await realm.user({ password: PASSWORD }),
      await realm.user({ password: PASSWORD, state: "inactive" }),
      await realm.user()
    ] as const
    for (const [user, password] of [
      [users[0], "wrong"],
      [users[0], ` ${PASSWORD}`],
      [users[1], PASSWORD],
      [users[2], PASSWORD]
    ] as const) {
      const { result, events } = await realm.seen.during(() => authenticateV1(realm, user.id, password))
      expect(statusAndErrors(result)).toEqual(LOGIN_FAILED)
      expect(result.member("id")).toBeUndefined()
      expect(events).toEqual([event(user, "login.failed")])
    }
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await realm.get(`/v1/users/${users[0].id}`)).member("last_login_at")).toBeNull()
  })

  test("returns 404 and records no event for an unknown user, another realm's user or an API user", async () => {
    const realm = await newRealm()
    const other = await (await newRealm()).user({ username: "foreign", password: PASSWORD })
    const robot = await realm.apiUser({ username: "robot", api_key: "generate" })
    const { events } = await realm.seen.during(async () => {
      for (const id of [
        unknownIdLike(other.id),
        "nobody",
        other.id,
        "foreign",
        robot.id,
        "robot",
        "--",
        "%20",
        "%00"
      ]) {
        expect([id, ...statusAndErrors(await authenticateV1(realm, id))]).toEqual([id, ...NO_USER])
      }
    })
    expect(events).toEqual([])
  })

  test("returns 429 after ten wrong passwords, even for the right password, and records user.blocked", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "jo", password: PASSWORD })
    const { events } = await realm.seen.during(async () => {
      for (let guess = 1; guess <= 10; guess += 1) {
        expect((await authenticateV1(realm, guess % 2 === 0 ? user.id : "jo", `guess ${guess}`)).status).toBe(401)
      }
      const blocked = await authenticateV1(realm, user.id)
      expect(statusAndErrors(blocked)).toEqual([429, ["Too many failed attempts. Try again in 15 minutes."]])
      expect(blocked.headers.get("retry-after")).toBe("900")
    })
    expect(events).toEqual([...Array.from({ length: 10 }, () => event(user, "login.failed")), event(user, "blocked")])
    const names = (await realm.get(`/v1/events?user_id=${user.id}&event_type=user.blocked`)).items
    expect(names.map(({ event_type }) => event_type)).toEqual(["user.blocked"])
  })

  test("returns 422 for an invalid password without counting an attempt or looking up the user", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const path = `/v1/users/${user.id}/authenticate`
    const { events } = await realm.seen.during(async () => {
      for (const [body, sentence] of [
        [{}, "Password can't be blank."],
        [undefined, "Password can't be blank."],
        [{ password: null, user: {} }, "Password can't be blank."],
        [{ user: { password: "" } }, "Password can't be blank."],
        [{ password: "x".repeat(513) }, "Password is too long (maximum is 512 characters)."],
        [{ password: "a\u0000b" }, "Password is not valid."],
        [{ password: 7 }, "Password must be text."]
      ] as const) {
        expect(statusAndErrors(await realm.call("POST", path, { body }))).toEqual([422, [sentence]])
      }
      expect(statusAndErrors(await realm.post("/v1/users/nobody/authenticate", {}))).toEqual([
        422,
        ["Password can't be blank."]
      ])
    })
    expect(events).toEqual([])
  })

  test("returns 422 and records no event when the realm or the password provider is inactive", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const provider = (state: string) => realm.put("/v1/auth_providers/password", { auth_provider: { state } })
    const { events } = await realm.seen.during(async () => {
      await provider("inactive")
      const providerInactive = [422, ["This login method is turned off for this realm."]]
      expect(statusAndErrors(await authenticateV1(realm, user.id))).toEqual(providerInactive)
      await provider("active")
      await realm.put(`/v1/realms/${realm.id}`, { realm: { state: "inactive" } })
      const inactive = [422, ["The realm is inactive, so nobody can log in."]]
      expect(statusAndErrors(await authenticateV1(realm, user.id))).toEqual(inactive)
    })
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "auth_provider.updated",
      "auth_provider.updated",
      "realm.updated"
    ])
  })

  test("returns errors in Spanish for Accept-Language: es", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const ask = (id: string, password: string) =>
      realm.post(`/v1/users/${id}/authenticate`, { password }, { "accept-language": "es" })
    expect(statusAndErrors(await ask(user.id, "wrong"))).toEqual([401, ["Error al iniciar sesión."]])
    expect(statusAndErrors(await ask("nobody", PASSWORD))).toEqual([404, ["Usuario: no se ha encontrado."]])
    expect(statusAndErrors(await ask(user.id, ""))).toEqual([422, ["Contraseña: no puede estar en blanco."]])
  })
})

describe("a user with a second factor", () => {
  test("gets 200 with a kli_ token and no session, and records user.login.initiated", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    await enrolled(realm, user.id)
    const { result, events } = await realm.seen.during(() => authenticateV1(realm, user.id))
    const token = result.string("token")
    expect([result.status, token]).toEqual([200, expect.stringMatching(/^kli_[0-9A-Za-z]{43}$/)])
    expect(result.body).toEqual({ ...Object((await realm.get(`/v1/users/${user.id}`)).body), token })
    expect(result.member("last_login_at")).toBeNull()
    expect(events).toEqual([event(user, "login.initiated")])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await authenticateV1(realm, user.id, "wrong")).status).toBe(401)
  })

  test("can't use the kli_ token as a session token, a reset token or a v2 token", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const token = (await authenticateV1(realm, user.id)).string("token")
    expect((await realm.get(`/v2/sessions/${token}`)).status).toBe(404)
    expect((await complete(realm, token, device.code())).status).toBe(422)
    const reset = { token, password: "eight yellow giraffes" }
    expect((await realm.post("/v1/users/--/reset_password_with_token", { user: reset })).status).not.toBe(200)
    expect((await authenticateV1(realm, user.id)).status).toBe(200)
  })
})
