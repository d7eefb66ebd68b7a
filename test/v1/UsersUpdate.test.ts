import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const PASSWORD = "a long enough password"

const path = (user: Reply) => `/v1/users/${user.id}`

const userEvents = (user: Reply, types: ReadonlyArray<string>) =>
  types.map((type) => ({ event_type: `user.${type}`, user_id: user.id }))

const full = {
  email: "jo@example.test",
  username: "Jo",
  first_name: "Jo",
  last_name: "Smith",
  reference: "7",
  custom: { a: 1, b: ["x"] }
}

/** Updates a user and asserts that a read returns the same user. Returns the response and the events. */
const update = async (realm: GivenRealm, user: Reply, changes: object) => {
  const done = await realm.seenV1.during(() => realm.put(path(user), { user: changes }))
  expect([done.result.status, done.result.body]).toEqual([200, (await realm.get(path(user))).body])
  return done
}

describe("PUT /v1/users/{user_id_or_username}", () => {
  test.each<[object, object, ReadonlyArray<string>]>([
    [{ first_name: "Al" }, { name: "Al Smith" }, ["updated"]],
    [{ last_name: null }, { name: "Jo" }, ["updated"]],
    [{ username: "al" }, {}, ["updated"]],
    [{ email: "al@example.test" }, {}, ["updated"]],
    [{ reference: "8" }, {}, ["updated"]],
    [{ custom: { a: 2 } }, {}, ["updated"]],
    [{ email_verification: "requested" }, {}, ["updated", "email.verification_requested"]],
    [{ email_verification: "verified" }, {}, ["updated", "email.verified"]],
    [{ state: "inactive" }, {}, ["updated"]]
  ])("changes only the given members: %j", async (changes, follows, types) => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const before = await realm.get(path(user))
    const { result, events } = await update(realm, user, changes)
    expect(result.body).toEqual({ ...Object(before.body), ...changes, ...follows })
    expect(events).toEqual(userEvents(user, types))
  })

  test.each([
    {},
    full,
    { email: "JO@Example.test", state: "active", custom: { b: ["x"], a: 1 } },
    { name: "Someone Else", user_type: "api", token: `utk_${"a".repeat(43)}`, email_pending: "al@example.test" },
    { locale: "es", credentials: [], org_ids: ["x"], membership_count: 7, created_at: 0, id: "x", realm_id: "rl_x" }
  ])("records no event for an update that changes nothing: %j", async (changes) => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const before = await realm.get(path(user))
    const { result, events } = await update(realm, user, changes)
    expect([result.body, events]).toEqual([before.body, []])
  })

  test("finds a username in mixed case, and stores the request attributes in the event", async () => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const request = { ip: "203.0.113.7", client: "phone" }
    const changed = await realm.put("/v1/users/JO", { user: { username: "Al" }, request })
    expect([changed.status, changed.id, changed.member("username")]).toEqual([200, user.id, "al"])
    expect((await realm.seenV1.all()).at(-1)).toMatchObject({ event_type: "user.updated", user_id: user.id, request })
    expect((await realm.put("/v1/users/jo", { user: {} })).status).toBe(404)
  })

  test("keeps the verification status when the email changes", async () => {
    const realm = await newRealm()
    const user = await realm.user({ ...full, email_verification: "verified" })
    const { result, events } = await update(realm, user, { email: "al@example.test" })
    expect([result.member("email_verification"), events]).toEqual(["verified", userEvents(user, ["updated"])])
  })

  test.each([
    [{ username: "" }, "Username can't be blank."],
    [{ username: null }, "Username can't be blank."],
    [{ email: "" }, "Email can't be blank."],
    [{ email: "AL@example.test" }, "Email has already been taken."],
    [{ username: "ＡＬ" }, "Username has already been taken."],
    [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    [{ password: PASSWORD, password_confirmation: "other" }, "Password confirmation does not match the password."],
    [{ api_key: "generate" }, "API key is only available for API users."],
    [{ state: "closed" }, "State must be one of: active, inactive."],
    [{ custom: [] }, "Custom must be an object."]
  ])("rejects %j with 422, changes nothing and records no event", async (changes, sentence) => {
    const realm = await newRealm()
    await realm.user({ email: "al@example.test", username: "al" })
    const user = await realm.user(full)
    const before = await realm.get(path(user))
    const { result, events } = await realm.seenV1.during(() => realm.put(path(user), { user: changes }))
    expect([result.status, result.errors, events]).toEqual([422, [sentence], []])
    expect((await realm.get(path(user))).body).toEqual(before.body)
  })

  test("allows a human user created in v2 to stay without a username", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const { result } = await update(realm, user, { first_name: "Jo" })
    expect([result.member("username"), result.member("name")]).toEqual([null, "Jo"])
  })

  test("records user.updated for a new password, and ends the user's sessions", async () => {
    const realm = await newRealm()
    const user = await realm.user({ ...full, password: PASSWORD })
    const session = await realm.session(user.id)
    const { events, result } = await update(realm, user, { password: "another long password" })
    expect(events).toEqual(userEvents(user, ["updated"]))
    expect(result.member("credentials")).toEqual(user.member("credentials"))
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
    const login = async (password: string) => (await realm.post("/v1/users/jo/authenticate", { password })).status
    expect([await login("another long password"), await login(PASSWORD)]).toEqual([200, 401])
  })
})
