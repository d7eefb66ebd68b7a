import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import {
  authenticate,
  complete,
  enrolled,
  userEvent as event,
  missingWrapperErrors,
  OTHER_PASSWORD,
  PASSWORD,
  statusAndErrors
} from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import {
  emailToken,
  latestEventToken,
  passwordToken,
  reset,
  tokenOf,
  UNUSABLE,
  verifyEmail
} from "../support/tokens.ts"

const generate = (realm: GivenRealm, user: string, body?: unknown) =>
  realm.post(`/v2/users/${user}/generate_password_token`, body)

const sessionDeleted = (user: Reply, session: Reply) => ({
  event_type: "session.deleted",
  user_id: user.id,
  session_id: session.id
})

const logsIn = async (realm: GivenRealm, user: Reply, password: string) =>
  (await authenticate(realm, user.id, password)).status === 200

describe("POST /v2/users/{id}/generate_password_token", () => {
  test("returns a tpw: token, records user.password.resetting and keeps the current password valid", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { result, events } = await realm.seen.during(() => generate(realm, user.id))
    expect([result.status, result.body]).toEqual([200, { object: "token", token: tokenOf("tpw:") }])
    expect(events).toEqual([event(user, "password.resetting")])
    expect(await logsIn(realm, user, PASSWORD)).toBe(true)
    expect((await generate(realm, user.string("email").toUpperCase())).status).toBe(200)
  })

  test.each([
    undefined,
    {},
    { request: { ip: "203.0.113.7", client: "phone" } },
    { request: null }
  ])("accepts an optional body: %j", async (body) => {
    const realm = await newRealm()
    const user = await realm.user()
    expect((await generate(realm, user.id, body)).status).toBe(200)
    const request = body?.request ?? { ip: null, client: null }
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "user.password.resetting", request })
  })

  test("shows the token in its event to keys of level write, and null to keys of level read", async () => {
    const realm = await newRealm()
    const [writer, reader] = [await realm.as("write"), await realm.as("read")]
    const token = await passwordToken(realm, (await realm.user()).id)
    expect(await latestEventToken(realm, "user.password.resetting")).toBe(token)
    expect(await latestEventToken(writer, "user.password.resetting")).toBe(token)
    expect(await latestEventToken(reader, "user.password.resetting")).toBeNull()
    const id = String((await realm.seen.all()).at(-1)?.["id"])
    expect((await realm.get(`/v2/events/${id}`)).member("token")).toBe(token)
    expect((await reader.get(`/v2/events/${id}`)).member("token")).toBeNull()
    const [created] = (await realm.get("/v2/events?event_type=user.created")).items
    expect(created).not.toHaveProperty("token")
  })

  test("returns 404 for an unknown or inactive user and 422 for an API user, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ state: "inactive" })
    const api = await newApiUser(realm)
    const foreign = await (await newRealm()).user()
    const events = await realm.seen.caused(async () => {
      for (const id of [user.id, unknownIdLike(user.id), foreign.id, "nobody@example.test"]) {
        expect([id, ...statusAndErrors(await generate(realm, id))]).toEqual([id, 404, ["User could not be found."]])
      }
      expect(statusAndErrors(await generate(realm, api.id))).toEqual([
        422,
        ["Password is only available for human users."]
      ])
    })
    expect(events).toEqual([])
  })
})

describe("POST /v2/users/reset_password_with_token", () => {
  test("returns a session, and records user.password_token.consumed, session.deleted and user.login.succeeded", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const [one, two] = [await realm.session(user.id), await realm.session(user.id)]
    const others = await realm.session((await realm.user()).id)
    const token = await passwordToken(realm, user.id)
    const { result, events } = await realm.seen.during(() => reset(realm, token))
    expect([result.status, result.member("object"), result.member("user", "id")]).toEqual([200, "session", user.id])
    expect(result.member("user", "last_login_at")).toBe(result.member("created_at"))
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      sessionDeleted(user, one),
      sessionDeleted(user, two),
      { ...event(user, "login.succeeded"), session_id: result.id }
    ])
    expect((await realm.get("/v2/sessions?sort=id")).items.map(({ id }) => id)).toEqual([others.id, result.id])
    expect(await logsIn(realm, user, PASSWORD)).toBe(false)
    expect(await logsIn(realm, user, OTHER_PASSWORD)).toBe(true)
    expect(result.text).not.toContain(OTHER_PASSWORD)
  })

  test("returns a login token, which a code turns into a session, if a second factor is required", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const device = await enrolled(realm, user.id)
    const session = await realm.session(user.id)
    const token = await passwordToken(realm, user.id)
    const { result, events } = await realm.seen.during(() => reset(realm, token))
    expect([result.status, result.body]).toEqual([200, { object: "token", token: tokenOf("tmf:") }])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      sessionDeleted(user, session),
      event(user, "login.initiated")
    ])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await complete(realm, result.string("token"), device.code())).member("object")).toBe("session")
  })

  test("sets a first password for a user without a password", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    expect((await reset(realm, await passwordToken(realm, user.id))).status).toBe(200)
    expect(await logsIn(realm, user, OTHER_PASSWORD)).toBe(true)
    expect((await realm.get(`/v2/users/${user.id}`)).member("credentials")).toMatchObject([
      { credential_type: "password" }
    ])
  })

  test("stores the request attributes in the events and the session", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const request = { ip: "203.0.113.7", client: "phone" }
    const token = await passwordToken(realm, user.id)
    const before = (await realm.seen.all()).length
    const session = await realm.post("/v2/users/reset_password_with_token", {
      user: { token, password: PASSWORD },
      request
    })
    const recorded = (await realm.seen.all()).slice(before)
    expect(recorded.map((each) => each["request"])).toEqual([request, request])
    expect(session.member("request")).toEqual(request)
  })

  test.each<[object, string]>([
    [{ password_confirmation: PASSWORD }, "Password confirmation does not match the password."],
    [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    [{ password: "password1" }, "Password is too common. Choose a different one."],
    [{ password: "" }, "Password can't be blank."],
    [{ password: null }, "Password can't be blank."],
    [{ password: "x".repeat(600) }, "Password is too long (maximum is 512 characters)."],
    [{ password: 7 }, "Password must be text."]
  ])("rejects a new password that breaks a rule, and keeps the token valid: $1", async (wrong, sentence) => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const token = await passwordToken(realm, user.id)
    const { result, events } = await realm.seen.during(() => reset(realm, token, OTHER_PASSWORD, wrong))
    expect([...statusAndErrors(result), events]).toEqual([422, [sentence], []])
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    expect((await reset(realm, token)).status).toBe(200)
  })

  test("returns 400 without the wrapper", async () => {
    const reply = await (await newRealm()).post("/v2/users/reset_password_with_token", { token: "x" })
    expect(statusAndErrors(reply)).toEqual([400, missingWrapperErrors("token")])
  })

  test("returns 422 and records no event for an invalid or another realm's token", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const token = await passwordToken(other, (await other.user()).id)
    const events = await realm.seen.caused(async () => {
      for (const presented of [token, `tpw:${"x".repeat(43)}`, "tpw:", "", null, undefined]) {
        expect([presented, ...statusAndErrors(await reset(realm, presented))]).toEqual([presented, ...UNUSABLE])
      }
    })
    expect(events).toEqual([])
    expect((await reset(other, token)).status).toBe(200)
  })

  test("accepts a token for 60 minutes, then rejects it and records user.password_token.failed", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const [user, other] = [await realm.user(), await realm.user()]
      const [first, second] = [await passwordToken(realm, user.id), await passwordToken(realm, other.id)]
      clock.advance("3599 seconds")
      expect(await latestEventToken(realm, "user.password.resetting")).toBe(second)
      expect((await reset(realm, first)).status).toBe(200)
      clock.advance("1 second")
      expect(await latestEventToken(realm, "user.password.resetting")).toBeNull()
      const { result, events } = await realm.seen.during(() => reset(realm, second))
      expect([...statusAndErrors(result), events]).toEqual([...UNUSABLE, [event(other, "password_token.failed")]])
    }))
})

describe("an outstanding reset token", () => {
  type Change = (realm: GivenRealm, user: Reply) => Promise<Reply>

  const put =
    (changes: object): Change =>
    (realm, user) =>
      realm.put(`/v2/users/${user.id}`, { user: changes })

  test.each<[string, Change]>([
    ["an update of the password", put({ password: OTHER_PASSWORD })],
    [
      "deactivation, even if the user is active again",
      async (realm, user) => {
        await put({ state: "inactive" })(realm, user)
        return put({ state: "active" })(realm, user)
      }
    ],
    ["a change of the email", put({ email: `${uniqueText("moved")}@example.test` })],
    [
      "a user's own password change",
      (realm, user) =>
        realm.put(`/v2/users/${user.id}/update_password`, {
          user: { current_password: PASSWORD, password: OTHER_PASSWORD, keep_sessions: true }
        })
    ],
    [
      "a new password in the profile",
      (realm, user) => realm.put(`/v2/users/${user.id}/profile`, { user: { password: OTHER_PASSWORD } })
    ],
    [
      "a change of the password credential",
      (realm, user) =>
        realm.put(`/v2/credentials/${user.string("credentials", 0, "id")}`, {
          credential: { password: OTHER_PASSWORD }
        })
    ],
    ["a reset by another token", async (realm, user) => reset(realm, await passwordToken(realm, user.id))],
    [
      "the verification of a pending email",
      async (realm, user) => {
        await put({ email_verification: "verified", email_pending: `${uniqueText("next")}@example.test` })(realm, user)
        return verifyEmail(realm, await emailToken(realm, user.id))
      }
    ]
  ])("is voided after %s", async (_, change) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const token = await passwordToken(realm, user.id)
    expect((await change(realm, user)).status).toBe(200)
    expect(await latestEventToken(realm, "user.password.resetting")).toBeNull()
    const { result, events } = await realm.seen.during(() => reset(realm, token, "nine purple hippos"))
    expect([...statusAndErrors(result), events]).toEqual([...UNUSABLE, []])
  })

  test("stays valid after any other change of the user", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const token = await passwordToken(realm, user.id)
    const other = await realm.user({ password: PASSWORD })
    await put({ first_name: "Al", email_pending: "next@example.test", email: user.string("email") })(realm, user)
    await put({ password: OTHER_PASSWORD })(realm, other)
    expect((await reset(realm, token)).status).toBe(200)
  })
})

describe("a reset token used while password login is turned off", () => {
  test.each([
    ["realm", "The realm is inactive, so nobody can log in."],
    ["auth_provider", "This login method is turned off for this realm."]
  ])("sets no password but stays valid: inactive %s", async (resource, sentence) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const token = await passwordToken(realm, user.id)
    const path = resource === "realm" ? `/v2/realms/${realm.id}` : "/v2/auth_providers/password"
    const setState = (state: string) => realm.put(path, { [resource]: { state } })
    await setState("inactive")
    const { result, events } = await realm.seen.during(() => reset(realm, token))
    expect([...statusAndErrors(result), events]).toEqual([422, [sentence], []])
    await setState("active")
    expect(await logsIn(realm, user, PASSWORD)).toBe(true)
    expect((await reset(realm, token)).status).toBe(200)
  })
})
