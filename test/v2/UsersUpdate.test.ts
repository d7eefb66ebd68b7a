import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const PASSWORD = "a long enough password"

const path = (user: Reply) => `/v2/users/${user.id}`

const userEvents = (user: Reply, types: ReadonlyArray<string>) =>
  types.map((type) => ({ event_type: `user.${type}`, user_id: user.id }))

const sessionsDeleted = (user: Reply, sessions: ReadonlyArray<Reply>) =>
  sessions.map(({ id }) => ({ event_type: "session.deleted", session_id: id, user_id: user.id }))

/** A new user as returned by a read. */
const readOf = (user: Reply) => {
  const { memberships: _, new_record: __, ...read }: Record<string, unknown> = JSON.parse(user.text)
  return read
}

/** Updates a user and asserts that a read returns the same user. Returns the response and the events. */
const update = async (realm: GivenRealm, user: Reply, changes: object) => {
  const done = await realm.seen.during(() => realm.put(path(user), { user: changes }))
  expect([done.result.status, done.result.body]).toEqual([200, (await realm.get(path(user))).body])
  return done
}

/** Asserts that an update is rejected, changes nothing and records no event. */
const expectRejected = async (realm: GivenRealm, user: Reply, changes: object, sentence: string) => {
  const before = (await realm.get(path(user))).body
  const { result, events } = await realm.seen.during(() => realm.put(path(user), { user: changes }))
  expect([result.status, result.errors, events]).toEqual([422, [sentence], []])
  expect((await realm.get(path(user))).body).toEqual(before)
}

const full = {
  email: "jo@example.test",
  email_pending: "next@example.test",
  username: "Jo",
  first_name: "Jo",
  last_name: "Smith",
  locale: "en",
  reference: "7",
  custom: { a: 1, b: ["x"] }
}

describe("PUT /v2/users/{user_id_or_email}", () => {
  test.each<[object, object, ReadonlyArray<string>]>([
    [{ first_name: "Al" }, { name: "Al Smith" }, ["updated"]],
    [{ last_name: "Ann" }, { name: "Jo Ann" }, ["updated"]],
    [{ username: "JO" }, {}, ["updated"]],
    [{ username: "Al" }, {}, ["updated"]],
    [{ locale: "es" }, {}, ["updated"]],
    [{ reference: "8" }, {}, ["updated"]],
    [{ custom: { a: 2 } }, {}, ["updated"]],
    [{ email: "al@example.test" }, {}, ["updated"]],
    [{ email_pending: "al@example.test" }, {}, ["updated", "email.updating"]],
    [{ email_verification: "requested" }, {}, ["updated", "email.verifying"]],
    [{ email_verification: "verified" }, {}, ["updated", "email.verified"]],
    [{ state: "inactive" }, {}, ["updated"]]
  ])("changes only the given members: %j", async (changes, follows, types) => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const { result, events } = await update(realm, user, changes)
    expect(result.body).toEqual({ ...readOf(user), ...changes, ...follows })
    expect(events).toEqual(userEvents(user, types))
  })

  test.each([
    {},
    full,
    { email: " JO@Example.TEST " },
    { email_pending: "NEXT@example.test" },
    { custom: { b: ["x"], a: 1 } },
    { username: " Jo ", first_name: "Jo ", state: "active", email_verification: "none" },
    { password: null, password_confirmation: null }
  ])("records no event for an update that changes nothing: %j", async (changes) => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const { result, events } = await update(realm, user, changes)
    expect([result.body, events]).toEqual([readOf(user), []])
  })

  test.each([null, "", " \t"])("removes an optional attribute that is %j", async (none) => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const optional = ["email_pending", "username", "first_name", "last_name", "locale", "reference"]
    const changes = Object.fromEntries(optional.map((name) => [name, none]))
    const { result, events } = await update(realm, user, changes)
    const nulls = Object.fromEntries(optional.map((name) => [name, null]))
    expect(result.body).toEqual({ ...readOf(user), ...nulls, name: "jo" })
    expect(events).toEqual(userEvents(user, ["updated"]))
  })

  test("replaces custom as a whole, with case-sensitive keys", async () => {
    const realm = await newRealm()
    const user = await realm.user({ custom: { a: 1, b: 2 } })
    for (const [custom, kept] of [
      [
        { A: 1, b: null },
        { A: 1, b: null }
      ],
      [{ a: [1, "x", true, null] }, { a: [1, "x", true, null] }],
      [null, {}]
    ] as const) {
      const { result, events } = await update(realm, user, { custom })
      expect([result.member("custom"), events]).toEqual([kept, userEvents(user, ["updated"])])
    }
  })

  test("ignores read-only and unknown members", async () => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const org = await realm.org()
    const { events, result } = await update(realm, user, {
      id: "usr_01kdvdna00zsp2tfv52z0twfya",
      object: "org",
      realm_id: (await newRealm()).id,
      created_at: 0,
      last_login_at: 1,
      name: "Someone Else",
      user_type: "api",
      credentials: [{ credential_type: "password", password: PASSWORD }],
      membership_count: 7,
      memberships: [{ org_id: org.id }],
      org_ids: [org.id],
      org: { name: "Acme" },
      permissions: ["ar:owner"],
      new_record: true,
      token: "x",
      constructor: { name: "x" },
      whatever: { deep: [1] }
    })
    expect([result.body, events]).toEqual([readOf(user), []])
  })

  test("finds an email in mixed case, and stores the request attributes in the event", async () => {
    const realm = await newRealm()
    const user = await realm.user(full)
    const request = { ip: "203.0.113.7", client: "phone" }
    const changed = await realm.put("/v2/users/JO@example.TEST", { user: { email: "al@example.test" }, request })
    expect([changed.status, changed.id, changed.member("email")]).toEqual([200, user.id, "al@example.test"])
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "user.updated", user_id: user.id, request })
  })

  test.each([
    [{ email: null }, "Email can't be blank."],
    [{ email: " " }, "Email can't be blank."],
    [{ email: "AL@example.test" }, "Email has already been taken."],
    [{ username: "ＡＬ" }, "Username has already been taken."],
    [{ state: "inactive", email: "al@example.test", password: PASSWORD }, "Email has already been taken."],
    [{ password: "1234567" }, "Password is too short (minimum is 8 characters)."],
    [{ password: "" }, "Password can't be blank."],
    [{ password: PASSWORD, password_confirmation: "other" }, "Password confirmation does not match the password."],
    [{ first_name: "Al", password_confirmation: PASSWORD }, "Password confirmation does not match the password."],
    [{ state: "closed" }, "State must be one of: active, inactive."],
    [{ state: null }, "State must be one of: active, inactive."],
    [{ email_verification: "done" }, "Email verification must be one of: none, requested, verified."]
  ])("rejects %j with 422, changes nothing, records no event and ends no session", async (changes, sentence) => {
    const realm = await newRealm()
    await realm.user({ email: "al@example.test", username: "al" })
    const user = await realm.user(full)
    const session = await realm.session(user.id)
    await expectRejected(realm, user, changes, sentence)
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  })
})

describe("the email of a user", () => {
  test("changes immediately, and keeps its verification status and a pending change", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified", email_pending: "next@example.test" })
    const { result, events } = await update(realm, user, { email: "Al@Example.test" })
    expect(result.body).toEqual({ ...readOf(user), email: "al@example.test", name: "al" })
    expect(events).toEqual(userEvents(user, ["updated"]))
    const before = user.string("email")
    expect((await realm.get(`/v2/users/${before}`)).status).toBe(404)
    expect((await realm.user({ email: before })).status).toBe(201)
  })

  test("gets a verification request if the update also sets email_verification to requested", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified" })
    const changes = { email: "al@example.test", email_verification: "requested" }
    const { result, events } = await update(realm, user, changes)
    expect(result.body).toMatchObject(changes)
    expect(events).toEqual(userEvents(user, ["updated", "email.verifying"]))
  })

  test("stays the same when email_pending is set, which records user.email.updating", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const { result, events } = await update(realm, user, { email_pending: "Next@Example.test" })
    expect(result.body).toEqual({ ...readOf(user), email_pending: "next@example.test" })
    expect(events).toEqual(userEvents(user, ["updated", "email.updating"]))
    expect((await update(realm, user, { email_pending: null })).events).toEqual(userEvents(user, ["updated"]))
  })

  test("gets user.email.verifying each time email_verification is set to requested", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    for (const _ of [1, 2]) {
      const { result, events } = await update(realm, user, { email_verification: "requested" })
      expect(result.member("email_verification")).toBe("requested")
      expect(events).toEqual(userEvents(user, ["updated", "email.verifying"]))
    }
  })

  test("can be set to verified by a caller of level write, which records user.email.verified", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const writer = await realm.as("write")
    const set = (email_verification: string) => writer.put(path(user), { user: { email_verification } })
    expect(await realm.seen.caused(() => set("verified"))).toEqual(userEvents(user, ["updated", "email.verified"]))
    expect(await realm.seen.caused(() => set("verified"))).toEqual([])
    expect(await realm.seen.caused(() => set("none"))).toEqual(userEvents(user, ["updated"]))
  })
})

describe("the sessions of a user", () => {
  test("end permanently when the user becomes inactive, with session.deleted for each", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const sessions = [await realm.session(user.id), await realm.session(user.id)]
    const other = await realm.session((await realm.user()).id)
    const { events } = await update(realm, user, { state: "inactive" })
    expect(events).toEqual([...userEvents(user, ["updated"]), ...sessionsDeleted(user, sessions)])
    expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])
    expect((await realm.get(`/v2/sessions/${other.id}`)).status).toBe(200)
    expect((await update(realm, user, { state: "inactive" })).events).toEqual([])
    expect((await realm.post("/v2/sessions", { session: { user_id: user.id } })).status).toBe(404)
    expect((await update(realm, user, { state: "active" })).events).toEqual(userEvents(user, ["updated"]))
    expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])
  })

  test("end with a new password, which keeps the same password credential", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const sessions = [await realm.session(user.id), await realm.session(user.id)]
    const { result, events } = await update(realm, user, {
      password: "another long password",
      password_confirmation: "another long password"
    })
    expect(events).toEqual([...userEvents(user, ["updated"]), ...sessionsDeleted(user, sessions)])
    expect(result.member("credentials")).toEqual(user.member("credentials"))
    expect(result.text).not.toContain("another long")
  })

  test("end with a first password, which creates a credential", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const { result, events } = await update(realm, user, { password: PASSWORD })
    expect(result.member("credentials")).toMatchObject([{ credential_type: "password", object: "credential" }])
    expect(events).toEqual([...userEvents(user, ["updated"]), ...sessionsDeleted(user, [session])])
  })

  test("end only once when an update deactivates the user and sets a password", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const { events } = await update(realm, user, { state: "inactive", password: PASSWORD, first_name: "Al" })
    expect(events).toEqual([...userEvents(user, ["updated"]), ...sessionsDeleted(user, [session])])
  })

  test("continue after any other change", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    await update(realm, user, { ...full, email_verification: "requested" })
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
  })
})
