import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newApiUser } from "../support/credentials.ts"
import {
  authenticate,
  userEvent as event,
  missingWrapperErrors,
  OTHER_PASSWORD,
  PASSWORD,
  statusAndErrors
} from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const update = (realm: GivenRealm, user: string, asked: object = {}) =>
  realm.put(`/v2/users/${user}/update_password`, {
    user: { current_password: PASSWORD, password: OTHER_PASSWORD, ...asked }
  })

const sessionsDeleted = (user: Reply, sessions: ReadonlyArray<Reply>) =>
  sessions.map(({ id }) => ({ event_type: "session.deleted", user_id: user.id, session_id: id }))

const logsIn = async (realm: GivenRealm, user: Reply, password: string) =>
  (await authenticate(realm, user.id, password)).status === 200

describe("PUT /v2/users/{id}/update_password", () => {
  test("returns the user, records user.updated and session.deleted, and accepts only the new password", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const sessions = [await realm.session(user.id), await realm.session(user.id)]
    const others = await realm.session((await realm.user()).id)
    const { result, events } = await realm.seen.during(() =>
      update(realm, user.id, { password_confirmation: OTHER_PASSWORD })
    )
    expect([result.status, result.body]).toEqual([200, (await realm.get(`/v2/users/${user.id}`)).body])
    expect(result.member("credentials")).toEqual(user.member("credentials"))
    expect(events).toEqual([event(user, "updated"), ...sessionsDeleted(user, sessions)])
    expect((await realm.get("/v2/sessions")).items.map(({ id }) => id)).toEqual([others.id])
    expect(await logsIn(realm, user, PASSWORD)).toBe(false)
    expect(await logsIn(realm, user, OTHER_PASSWORD)).toBe(true)
    expect(result.text).not.toContain(OTHER_PASSWORD)
  })

  test.each<[unknown, number]>([
    [true, 1],
    ["true", 1],
    [false, 0],
    [null, 0]
  ])("with keep_sessions %j, leaves %i sessions", async (keep_sessions, stay) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const session = await realm.session(user.id)
    const { result, events } = await realm.seen.during(() => update(realm, user.id, { keep_sessions }))
    expect(result.status).toBe(200)
    expect(events).toEqual([event(user, "updated"), ...sessionsDeleted(user, stay === 1 ? [] : [session])])
    expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items.length).toBe(stay)
  })

  test("returns 422 for a wrong current password without changing the password", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const session = await realm.session(user.id)
    const { result, events } = await realm.seen.during(() => update(realm, user.id, { current_password: "wrong" }))
    expect([...statusAndErrors(result), events]).toEqual([422, ["Current password does not match."], []])
    expect(result.member("error_details", 0, "field")).toBe("current_password")
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    expect(await logsIn(realm, user, PASSWORD)).toBe(true)
  })

  test("returns 422 for a user without a password", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    expect(statusAndErrors(await update(realm, user.id))).toEqual([422, ["Current password does not match."]])
    expect((await realm.get(`/v2/users/${user.id}`)).member("credentials")).toEqual([])
  })

  test("accepts an email as the id, in any case, and stores the request attributes in the events", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    await realm.session(user.id)
    const request = { ip: "203.0.113.7", client: "phone" }
    const reply = await realm.put(`/v2/users/${user.string("email").toUpperCase()}/update_password`, {
      user: { current_password: PASSWORD, password: OTHER_PASSWORD },
      request
    })
    expect([reply.status, reply.id]).toEqual([200, user.id])
    expect((await realm.seen.all()).slice(-2)).toMatchObject([
      { event_type: "user.updated", request },
      { event_type: "session.deleted", request }
    ])
  })

  test.each<[object, string]>([
    [{ password_confirmation: PASSWORD }, "Password confirmation does not match the password."],
    [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    [{ password: "password1" }, "Password is too common. Choose a different one."],
    [{ password: "" }, "Password can't be blank."],
    [{ password: null }, "Password can't be blank."],
    [{ password: "x".repeat(600) }, "Password is too long (maximum is 512 characters)."],
    [{ current_password: "" }, "Current password can't be blank."],
    [{ current_password: null }, "Current password can't be blank."],
    [{ current_password: "x".repeat(600) }, "Current password is too long (maximum is 512 characters)."],
    [{ keep_sessions: "perhaps" }, "Keep sessions must be true or false."]
  ])("returns 422 without changing the password, recording an event or counting an attempt: $1", async (wrong, sentence) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const session = await realm.session(user.id)
    const { result, events } = await realm.seen.during(async () => {
      for (let time = 1; time < 10; time += 1) await update(realm, user.id, wrong)
      return update(realm, user.id, wrong)
    })
    expect([...statusAndErrors(result), events]).toEqual([422, [sentence], []])
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    expect(await logsIn(realm, user, PASSWORD)).toBe(true)
  })

  test("returns 404 for an unknown or inactive user, 422 for an API user, and 400 for a missing wrapper", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, state: "inactive" })
    const api = await newApiUser(realm)
    const foreign = await (await newRealm()).user({ password: PASSWORD })
    const events = await realm.seen.caused(async () => {
      for (const id of [user.id, unknownIdLike(user.id), foreign.id, "nobody@example.test"]) {
        expect([id, ...statusAndErrors(await update(realm, id))]).toEqual([id, 404, ["User could not be found."]])
      }
      expect(statusAndErrors(await update(realm, api.id))).toEqual([
        422,
        ["Password is only available for human users."]
      ])
      const withoutWrapper = await realm.put(`/v2/users/${user.id}/update_password`, { password: OTHER_PASSWORD })
      expect(statusAndErrors(withoutWrapper)).toEqual([400, missingWrapperErrors("password")])
    })
    expect(events).toEqual([])
  })

  test("C24: blocks the user for 15 minutes after ten wrong passwords", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await realm.user({ password: PASSWORD })
      const guess = () => update(realm, user.id, { current_password: "wrong" })
      const events = await realm.seen.caused(async () => {
        for (let time = 0; time < 10; time += 1) expect((await guess()).status).toBe(422)
      })
      expect(events).toEqual([event(user, "blocked")])
      const { result, events: none } = await realm.seen.during(() => update(realm, user.id))
      expect([...statusAndErrors(result), result.headers.get("retry-after"), none]).toEqual([
        429,
        ["Too many failed attempts. Try again in 15 minutes."],
        "900",
        []
      ])
      clock.advance("15 minutes")
      expect((await update(realm, user.id)).status).toBe(200)
    }))
})
