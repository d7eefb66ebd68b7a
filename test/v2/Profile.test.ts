import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
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
import { newRealm } from "../support/sallyport.ts"
import { latestEventToken, tokenOf, verifyEmail } from "../support/tokens.ts"

const profile = (realm: GivenRealm, user: string, changes: object) =>
  realm.put(`/v2/users/${user}/profile`, { user: changes })

const read = async (realm: GivenRealm, { id }: Reply): Promise<object> =>
  Object((await realm.get(`/v2/users/${id}`)).body)

/** Updates a profile and asserts the resulting user. Returns the events. */
const changeProfile = async (realm: GivenRealm, user: Reply, changes: object, follows: object) => {
  const before = await read(realm, user)
  const { result, events } = await realm.seen.during(() => profile(realm, user.id, changes))
  expect([result.status, result.body]).toEqual([200, { ...before, ...follows }])
  expect(await read(realm, user)).toEqual(result.body)
  return events
}

const full = { email: "jo@example.test", username: "Jo", first_name: "Jo", last_name: "Smith", locale: "en" }

describe("PUT /v2/users/{id}/profile", () => {
  test.each<[object, object]>([
    [{ first_name: "Al" }, { name: "Al Smith" }],
    [{ last_name: "Ann" }, { name: "Jo Ann" }],
    [{ username: "Al" }, {}],
    [{ locale: "es" }, {}],
    [
      { first_name: null, last_name: " " },
      { last_name: null, name: "Jo" }
    ]
  ])("changes only the given members, and records user.profile.updated: %j", async (changes, follows) => {
    const realm = await newRealm()
    const user = await realm.user(full)
    expect(await changeProfile(realm, user, changes, { ...changes, ...follows })).toEqual([
      event(user, "profile.updated")
    ])
  })

  test.each([
    {},
    full,
    { email: " JO@Example.TEST " },
    { password: null }
  ])("records no event if nothing changes: %j", async (changes) => {
    const realm = await newRealm()
    const user = await realm.user({ ...full, password: PASSWORD })
    expect(await changeProfile(realm, user, changes, {})).toEqual([])
  })

  test("stores a changed email as email_pending, and records user.profile.updated and user.email.updating", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    const email_pending = `${uniqueText("next")}@example.test`
    const changes = { email: email_pending.toUpperCase() }
    expect(await changeProfile(realm, user, changes, { email_pending })).toEqual([
      event(user, "profile.updated"),
      event(user, "email.updating")
    ])
    const token = await latestEventToken(realm, "user.email.updating")
    expect(token).toEqual(tokenOf("tue:"))
    expect(await changeProfile(realm, user, changes, {})).toEqual([])
    expect((await verifyEmail(realm, token)).member("email")).toBe(email_pending)
  })

  test("ends the sessions only if a new password is set, and records session.deleted for each session", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const session = await realm.session(user.id)
    expect(await changeProfile(realm, user, { first_name: "Al" }, { first_name: "Al", name: "Al" })).toHaveLength(1)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
    const changes = { password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }
    expect(await changeProfile(realm, user, changes, {})).toEqual([
      event(user, "profile.updated"),
      { event_type: "session.deleted", user_id: user.id, session_id: session.id }
    ])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect((await authenticate(realm, user.id, PASSWORD)).status).toBe(422)
    expect((await authenticate(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
  })

  test("records one user.profile.updated for several changes in one request", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const changes = { first_name: "Al", email: `${uniqueText("next")}@example.test`, password: PASSWORD }
    const events = await realm.seen.caused(() => profile(realm, user.id, changes))
    expect(events).toEqual([event(user, "profile.updated"), event(user, "email.updating")])
  })

  test.each<[object, string]>([
    [{ email: "" }, "Email can't be blank."],
    [{ email: null }, "Email can't be blank."],
    [{ email: "jo" }, "Email is not a valid email address."],
    [{ username: "AL" }, "Username has already been taken."],
    [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    [{ password: PASSWORD, password_confirmation: "other" }, "Password confirmation does not match the password."],
    [{ password_confirmation: PASSWORD }, "Password confirmation does not match the password."],
    [{ first_name: "x".repeat(256) }, "First name is too long (maximum is 255 characters)."]
  ])("returns 422 without changing the user or recording an event: $1", async (wrong, sentence) => {
    const realm = await newRealm()
    await realm.user({ username: "al" })
    const user = await realm.user(full)
    const session = await realm.session(user.id)
    const before = await read(realm, user)
    const { result, events } = await realm.seen.during(() => profile(realm, user.id, { locale: "es", ...wrong }))
    expect([...statusAndErrors(result), events]).toEqual([422, [sentence], []])
    expect(await read(realm, user)).toEqual(before)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  })

  test("accepts another user's email as pending, but rejects the verification while the other user has the email", async () => {
    const realm = await newRealm()
    const other = await realm.user()
    const user = await realm.user()
    expect((await profile(realm, user.id, { email: other.string("email") })).status).toBe(200)
    const rejected = await verifyEmail(realm, await latestEventToken(realm, "user.email.updating"))
    expect(statusAndErrors(rejected)).toEqual([422, ["Email has already been taken."]])
  })

  test("accepts an email as the id, in any case, and stores the request attributes in the event", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const request = { ip: "203.0.113.7", client: "phone" }
    const path = `/v2/users/${user.string("email").toUpperCase()}/profile`
    const reply = await realm.put(path, { user: { first_name: "Al" }, request })
    expect([reply.status, reply.id]).toEqual([200, user.id])
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "user.profile.updated", request })
  })

  test("ignores a username if emails are the usernames", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const user = await realm.user()
    expect(await changeProfile(realm, user, { username: "al" }, {})).toEqual([])
  })

  test("returns 404 for an unknown or inactive user, and 422 for an API user", async () => {
    const realm = await newRealm()
    const user = await realm.user({ state: "inactive" })
    const api = await newApiUser(realm)
    const foreign = await (await newRealm()).user()
    const events = await realm.seen.caused(async () => {
      for (const id of [user.id, unknownIdLike(user.id), foreign.id, "nobody@example.test"]) {
        const reply = await profile(realm, id, { first_name: "Al" })
        expect([id, ...statusAndErrors(reply)]).toEqual([id, 404, ["User could not be found."]])
      }
      const reply = await profile(realm, api.id, { first_name: "Al" })
      expect(statusAndErrors(reply)).toEqual([422, ["User is only available for human users."]])
      const withoutWrapper = await realm.put(`/v2/users/${user.id}/profile`, { first_name: "Al" })
      expect(statusAndErrors(withoutWrapper)).toEqual([400, missingWrapperErrors("first_name")])
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/users/${user.id}`)).member("first_name")).toBeNull()
  })
})
