import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const PASSWORD = "a long enough password"

const email = () => `${uniqueText("known")}@example.test`

const path = (idOrEmail: string, query = "") => `/v2/users/${encodeURIComponent(idOrEmail)}${query}`

const notFound = ["User could not be found."]

/** Ids and emails that match no user of this realm: another realm's user, an unknown id, an org, malformed ids. */
const unknownNames = async (realm: GivenRealm): Promise<ReadonlyArray<string>> => {
  const theirs = await (await newRealm()).user()
  const org = await realm.org()
  const unknown = `${theirs.id.slice(0, -8)}zzzzzzzz`
  const malformed = [theirs.id.toUpperCase(), `${theirs.id}0`, "usr_", "x", "--", "0", "%00", "é"]
  return [theirs.id, theirs.string("email"), unknown, org.id, realm.id, ...malformed]
}

describe("GET /v2/users/{user_id_or_email}", () => {
  test("returns the user with credentials and membership_count, and records no event", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, first_name: "Jo" })
    await realm.membership(user.id, (await realm.org()).id)
    const { result, events } = await realm.seen.during(() => realm.get(path(user.id)))
    expect([result.status, events]).toEqual([200, []])
    expect(result.body).toEqual({
      id: user.id,
      object: "user",
      state: "active",
      realm_id: realm.id,
      created_at: 1_767_225_600,
      last_login_at: null,
      email: user.string("email"),
      email_pending: null,
      email_verification: "none",
      first_name: "Jo",
      last_name: null,
      name: "Jo",
      username: null,
      locale: null,
      reference: null,
      custom: {},
      credentials: [{ credential_type: "password", id: expect.stringMatching(/^crd_/), object: "credential" }],
      deletion_at: null,
      membership_count: 1
    })
  })

  test("falls back to the username, then to the local part of the email, for a missing name", async () => {
    const realm = await newRealm()
    for (const [attributes, name] of [
      [{ first_name: "Jo", last_name: "Smith", username: "a" }, "Jo Smith"],
      [{ first_name: "Jo", username: "b" }, "Jo"],
      [{ last_name: "Smith", username: "c" }, "Smith"],
      [{ username: "JS" }, "JS"],
      [{ email: "jo.smith@example.test" }, "jo.smith"]
    ] as const) {
      const { id } = await realm.user(attributes)
      expect((await realm.get(path(id))).member("name")).toBe(name)
    }
  })

  test("finds an email in mixed case and any Unicode form", async () => {
    const realm = await newRealm()
    const { id } = await realm.user({ email: "\u00e9va@example.test" })
    for (const typed of [
      "\u00e9va@example.test",
      "E\u0301VA@Example.Test",
      "\u00e9ｖａ@example.test",
      " \u00e9va@example.test "
    ]) {
      expect((await realm.get(path(typed))).member("id")).toBe(id)
    }
  })

  test.each([
    ["plain", "a+b@example.test"],
    ["a slash", "a/b@example.test"],
    ["a percent sign", "100%25@example.test"],
    ["characters that end a path", "a?b#c@example.test"],
    ["characters that separate parameters", "o'brien&co=1@example.test"],
    ["like a user's id", "usr_jo@example.test"],
    ["like a realm's id", "rl_jo@example.test"],
    ["254 characters", `${"l".repeat(241)}@example.test`],
    ["254 non-ASCII characters", `${"ж".repeat(241)}@example.test`]
  ])("finds any email: %s", async (_, typed) => {
    const realm = await newRealm()
    const { id } = await realm.user({ email: typed })
    const reply = await realm.get(path(typed))
    expect([reply.status, reply.member("id"), reply.member("email")]).toEqual([200, id, typed])
  })

  test("matches an email in the path only with current emails, not with pending emails or usernames", async () => {
    const realm = await newRealm()
    const { id } = await realm.user({
      email: "name@example.test",
      email_pending: "pending@example.test",
      username: "name@example.test"
    })
    await realm.put(path(id), { user: { email: "other@example.test" } })
    for (const other of ["pending@example.test", "name@example.test"]) {
      expect((await realm.get(path(other))).status).toBe(404)
    }
  })

  test("finds no user by an email that several users share, if duplicate emails are allowed", async () => {
    const realm = await newRealm({ require_unique_emails: false })
    const same = email()
    const { id } = await realm.user({ email: same })
    expect((await realm.get(path(same))).id).toBe(id)
    await realm.user({ email: same })
    expect((await realm.get(path(same))).status).toBe(404)
    expect((await realm.get(path(id))).status).toBe(200)
  })

  test("includes memberships and their orgs with expand=memberships", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const org = await realm.org({ reference: "7", custom: { a: 1 } })
    const membership = await realm.membership(user.id, org.id, { permissions: ["a"], expires_at: 1_800_000_000.5 })
    const { result, events } = await realm.seen.during(() => realm.get(path(user.id, "?expand=memberships")))
    expect(events).toEqual([])
    expect(result.member("memberships")).toEqual([
      {
        id: membership.id,
        object: "membership",
        org_id: org.id,
        user_id: user.id,
        permissions: ["a"],
        expires_at: 1_800_000_000.5,
        org: {
          id: org.id,
          object: "org",
          state: "active",
          name: org.string("name"),
          realm_id: realm.id,
          reference: "7",
          created_at: 1_767_225_600,
          custom: { a: 1 }
        }
      }
    ])
    expect((await realm.get(path(user.id))).member("memberships")).toBeUndefined()
    expect((await realm.get(path((await realm.user()).id, "?expand=memberships"))).member("memberships")).toEqual([])
  })

  test("leaves inactive and closed orgs out of the expansion, but counts their memberships", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    for (const state of ["active", "inactive", "closed"]) {
      const { id } = await realm.org()
      await realm.membership(user.id, id)
      await realm.put(`/v2/orgs/${id}`, { org: { state } })
    }
    const reply = await realm.get(path(user.id, "?expand=memberships"))
    expect(reply.member("memberships")).toHaveLength(1)
    expect([reply.member("memberships", 0, "org", "state"), reply.member("membership_count")]).toEqual(["active", 3])
  })

  test.each(["org", "everything", "memberships,everything"])("rejects expand=%s", async (expand) => {
    const realm = await newRealm()
    const reply = await realm.get(path((await realm.user()).id, `?expand=${expand}`))
    expect([reply.status, reply.errors]).toEqual([422, ["Expand must be one of: memberships, custom, credentials."]])
  })

  test("returns the same 404 for every id or email that matches no user", async () => {
    const realm = await newRealm()
    for (const stranger of await unknownNames(realm)) {
      const reply = await realm.get(path(stranger))
      expect([stranger, reply.status, reply.errors]).toEqual([stranger, 404, notFound])
    }
  })
})

describe("PUT /v2/users/{user_id_or_email}", () => {
  test("returns 404 and records no event for every id or email that matches no user", async () => {
    const realm = await newRealm()
    for (const stranger of await unknownNames(realm)) {
      for (const user of [{ first_name: "Al" }, { email: "" }, { password: PASSWORD }]) {
        const { result, events } = await realm.seen.during(() => realm.put(path(stranger), { user }))
        expect([stranger, result.status, result.errors, events]).toEqual([stranger, 404, notFound, []])
      }
    }
  })
})

describe("DELETE /v2/users/{user_id_or_email}", () => {
  test("returns 204, ends everything that belongs to the user, and records an event for each", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const other = await realm.user()
    const org = await realm.org()
    const memberships = [
      await realm.membership(user.id, org.id),
      await realm.membership(user.id, (await realm.org({ state: "inactive" })).id)
    ]
    const sessions = [await realm.session(user.id), await realm.session(user.id)]
    await realm.membership(other.id, org.id)
    const otherSession = await realm.session(other.id)

    const { result, events } = await realm.seen.during(() => realm.delete(path(user.id)))
    expect([result.status, result.text]).toEqual([204, ""])
    expect(events).toEqual([
      { event_type: "user.deleted", user_id: user.id },
      ...memberships.map((membership) => ({
        event_type: "membership.deleted",
        membership_id: membership.id,
        org_id: membership.string("org_id"),
        user_id: user.id
      })),
      ...sessions.map(({ id }) => ({ event_type: "session.deleted", session_id: id, user_id: user.id }))
    ])
    for (const { id } of memberships) expect((await realm.get(`/v2/memberships/${id}`)).status).toBe(404)
    for (const { id } of sessions) expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    expect((await realm.get(`/v2/memberships?org_id=${org.id}`)).items).toHaveLength(1)
    expect((await realm.get(`/v2/sessions/${otherSession.id}`)).status).toBe(200)
  })

  test("makes the user impossible to find, frees the email and never reuses the id", async () => {
    const realm = await newRealm()
    const user = await realm.user({ username: "jo" })
    const typed = user.string("email").toUpperCase()
    const { result, events } = await realm.seen.during(() => realm.delete(path(typed)))
    expect([result.status, events]).toEqual([204, [{ event_type: "user.deleted", user_id: user.id }]])
    for (const deletedName of [user.id, typed]) {
      const silent = await realm.seen.during(async () => [
        await realm.get(path(deletedName)),
        await realm.put(path(deletedName), { user: { first_name: "Al" } }),
        await realm.delete(path(deletedName)),
        await realm.get(`/v2/users?after=${encodeURIComponent(deletedName)}`)
      ])
      expect(silent.result.map(({ status, errors }) => [status, errors])).toEqual(Array(4).fill([404, notFound]))
      expect(silent.events).toEqual([])
    }
    expect((await realm.get("/v2/users")).items).toEqual([])
    const again = await realm.user({ email: typed, username: "jo" })
    expect(again.id).not.toBe(user.id)
    expect((await realm.get(path(user.id))).status).toBe(404)
  })

  test("stores the request attributes from the body in the events", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const request = { ip: "2001:db8::1", client: "desk" }
    expect((await realm.call("DELETE", path(user.id), { body: { request } })).status).toBe(204)
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "user.deleted", request })
  })

  test("returns 404 and records no event for every id or email that matches no user", async () => {
    const realm = await newRealm()
    for (const stranger of await unknownNames(realm)) {
      const { result, events } = await realm.seen.during(() => realm.delete(path(stranger)))
      expect([stranger, result.status, result.errors, events]).toEqual([stranger, 404, notFound, []])
    }
  })

  test("leaves another realm's user unchanged", async () => {
    const theirs = await newRealm()
    const user = await theirs.user({ first_name: "Jo" })
    const before = (await theirs.get(path(user.id))).body
    const mine = await newRealm()
    const { events } = await theirs.seen.during(async () => {
      await mine.put(path(user.id), { user: { first_name: "Al" } })
      await mine.delete(path(user.id))
    })
    expect([events, (await theirs.get(path(user.id))).body]).toEqual([[], before])
  })
})
