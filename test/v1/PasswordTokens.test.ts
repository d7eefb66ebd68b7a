import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import {
  authenticateV1,
  enrolled,
  userEvent as event,
  OTHER_PASSWORD,
  PASSWORD,
  statusAndErrors
} from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { passwordToken, passwordTokenV1, reset, resetV1, tokenOf, UNUSABLE } from "../support/tokens.ts"

const generate = (realm: GivenRealm, user: string, body?: unknown) =>
  realm.post(`/v1/users/${user}/generate_password_token`, body)

const read = async (realm: GivenRealm, user: Reply) => (await realm.get(`/v1/users/${user.id}`)).body

const NOT_FOUND = [404, ["User could not be found."]]

describe("POST /v1/users/{id}/generate_password_token", () => {
  test("returns the user with a kpw_ password reset token, by id or username", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: uniqueText("Jo"), password: PASSWORD })
    for (const name of [user.id, user.string("username").toUpperCase()]) {
      const { result, events } = await realm.seen.during(() => generate(realm, name))
      const expected = { ...Object(await read(realm, user)), password_reset_token: tokenOf("kpw_") }
      expect([result.status, result.body]).toEqual([200, expected])
      expect(events).toEqual([event(user, "password.resetting")])
    }
  })

  test("records user.password_token.created, which shows the token to keys of level write", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const token = await passwordTokenV1(realm, user.id)
    const last = async (level: "read" | "write") => {
      const { items } = await (await realm.as(level)).get("/v1/events?event_type=user.password_token.created")
      return [items.length, items[0]?.["event_type"], items[0]?.["user_id"], items[0]?.["token"]]
    }
    expect(await last("write")).toEqual([1, "user.password_token.created", user.id, token])
    expect(await last("read")).toEqual([1, "user.password_token.created", user.id, null])
    await resetV1(realm, token)
    expect(await last("write")).toEqual([1, "user.password_token.created", user.id, null])
  })

  test.each([
    undefined,
    {},
    { request: { ip: "203.0.113.7", client: "phone" } }
  ])("accepts an optional body: %j", async (body) => {
    const realm = await newRealm()
    expect((await generate(realm, (await realm.user()).id, body)).status).toBe(200)
    const request = body?.request ?? { ip: null, client: null }
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "user.password.resetting", request })
  })

  test("returns 404 for an unknown or inactive user and 422 for an API user, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ state: "inactive" })
    const api = await newApiUser(realm)
    const events = await realm.seen.caused(async () => {
      for (const id of [user.id, unknownIdLike(user.id), "nobody", "--"]) {
        expect([id, ...statusAndErrors(await generate(realm, id))]).toEqual([id, ...NOT_FOUND])
      }
      expect(statusAndErrors(await generate(realm, api.id))).toEqual([
        422,
        ["Password is only available for human users."]
      ])
    })
    expect(events).toEqual([])
  })
})

describe("POST /v1/users/{id}/reset_password_with_token", () => {
  test.each<[string, (user: Reply) => string]>([
    ["--", () => "--"],
    ["its id", ({ id }) => id],
    ["its username", (user) => user.string("username")]
  ])("returns the user, named by %s, and records user.password_token.consumed and session.deleted but no login", async (_, name) => {
    const realm = await newRealm()
    const user = await realm.user({ username: uniqueText("Jo"), password: PASSWORD })
    const session = await realm.session(user.id)
    const token = await passwordTokenV1(realm, user.id)
    const { result, events } = await realm.seen.during(() => resetV1(realm, token, name(user)))
    expect([result.status, result.body]).toEqual([200, await read(realm, user)])
    expect([result.member("last_login_at"), result.member("token")]).toEqual([null, undefined])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      { event_type: "session.deleted", user_id: user.id, session_id: session.id }
    ])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await authenticateV1(realm, user.id, PASSWORD)).status).toBe(401)
    expect((await authenticateV1(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
  })

  test("returns a user who has a second factor without starting a login", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    await enrolled(realm, user.id)
    const token = await passwordTokenV1(realm, user.id)
    const { result, events } = await realm.seen.during(() => resetV1(realm, token))
    expect([result.status, result.body]).toEqual([200, await read(realm, user)])
    expect(events).toEqual([event(user, "password_token.consumed")])
    expect((await authenticateV1(realm, user.id, OTHER_PASSWORD)).string("token")).toMatch(/^kli_/)
  })

  test("rejects a token at another user's path, records user.password_token.failed and keeps the token valid", async () => {
    const realm = await newRealm()
    const [user, other] = [await realm.user(), await realm.user()]
    const token = await passwordTokenV1(realm, user.id)
    const { result, events } = await realm.seen.during(() => resetV1(realm, token, other.id))
    expect([...statusAndErrors(result), events]).toEqual([...UNUSABLE, [event(user, "password_token.failed")]])
    expect((await resetV1(realm, token, user.id)).status).toBe(200)
  })

  test("returns 404 at the path of an unknown user, and keeps the token valid", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const foreign = await (await newRealm()).user()
    const token = await passwordTokenV1(realm, user.id)
    const events = await realm.seen.caused(async () => {
      for (const name of [unknownIdLike(user.id), foreign.id, "nobody", user.string("email")]) {
        expect([name, ...statusAndErrors(await resetV1(realm, token, name))]).toEqual([name, ...NOT_FOUND])
      }
    })
    expect(events).toEqual([])
    expect((await resetV1(realm, token)).status).toBe(200)
  })

  test("SEC-105: records user.password_token.failed only for a token that was issued, at any path", async () => {
    const realm = await newRealm()
    const [user, other] = [await realm.user(), await realm.user()]
    const [voided, used] = [await passwordTokenV1(realm, user.id), await passwordTokenV1(realm, user.id)]
    await resetV1(realm, used)
    const [foreign, ofV2] = [await newRealm(), await passwordToken(realm, user.id)]
    const elsewhere = await passwordTokenV1(foreign, (await foreign.user()).id)
    const unissuedTokens = [
      ofV2,
      ofV2.replace("tpw:", "kpw_"),
      `kpw_${"x".repeat(43)}`,
      elsewhere,
      "kpw_",
      "",
      undefined
    ]
    // A voided token is deleted, so it is treated like a token that never existed.
    for (const name of ["--", user.id, other.id]) {
      for (const presented of [used, voided, ...unissuedTokens]) {
        const { result, events } = await realm.seen.during(() => resetV1(realm, presented, name))
        const recorded = presented === used ? [event(user, "password_token.failed")] : []
        expect([name, presented, ...statusAndErrors(result), events]).toEqual([name, presented, ...UNUSABLE, recorded])
      }
    }
    const live = await passwordTokenV1(realm, user.id)
    const { result, events } = await realm.seen.during(() => resetV1(realm, live, other.id))
    expect([...statusAndErrors(result), events]).toEqual([...UNUSABLE, [event(user, "password_token.failed")]])
    expect((await reset(realm, ofV2)).status).toBe(200)
  })

  test("rejects a new password that breaks a rule, and keeps the token valid", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const token = await passwordTokenV1(realm, user.id)
    for (const [wrong, sentence] of [
      [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
      [{}, "Password can't be blank."],
      [
        { password: PASSWORD, password_confirmation: OTHER_PASSWORD },
        "Password confirmation does not match the password."
      ]
    ] as const) {
      const path = "/v1/users/--/reset_password_with_token"
      const { result, events } = await realm.seen.during(() => realm.post(path, { user: { token, ...wrong } }))
      expect([...statusAndErrors(result), events]).toEqual([422, [sentence], []])
    }
    expect((await resetV1(realm, token)).status).toBe(200)
  })

  test("rejects a token after 60 minutes and records user.password_token.failed for its user", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const [user, other] = [await realm.user(), await realm.user()]
      const [first, second] = [await passwordTokenV1(realm, user.id), await passwordTokenV1(realm, other.id)]
      clock.advance("3599 seconds")
      expect((await resetV1(realm, first)).status).toBe(200)
      clock.advance("1 second")
      const { result, events } = await realm.seen.during(() => resetV1(realm, second))
      expect([...statusAndErrors(result), events]).toEqual([...UNUSABLE, [event(other, "password_token.failed")]])
    }))

  test("returns 422 in an inactive realm, and keeps the token valid", async () => {
    const realm = await newRealm()
    const token = await passwordTokenV1(realm, (await realm.user()).id)
    const setState = (state: string) => realm.put(`/v2/realms/${realm.id}`, { realm: { state } })
    await setState("inactive")
    const { result, events } = await realm.seen.during(() => resetV1(realm, token))
    expect([...statusAndErrors(result), events]).toEqual([422, ["The realm is inactive, so nobody can log in."], []])
    await setState("active")
    expect((await resetV1(realm, token)).status).toBe(200)
  })
})
