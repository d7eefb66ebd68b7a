import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const email = () => `${uniqueText("new")}@example.test`

const userEvent = (type: string, user: Reply) => ({ event_type: `user.${type}`, user_id: user.id })

/** The events of the memberships in a response to a creation. */
const membershipEvents = (user: Reply) => {
  const memberships = user.member("memberships")
  if (!Array.isArray(memberships)) throw new Error(`No memberships in ${user.text}`)
  return memberships.map(({ id, org_id }: { id: string; org_id: string }) => ({
    event_type: "membership.created",
    membership_id: id,
    org_id,
    user_id: user.id
  }))
}

/** Asserts that creating a user is rejected without an event. Returns the errors. */
const expectRejected = async (realm: GivenRealm, user: object, extra: object = {}): Promise<unknown> => {
  const body = { user: { email: email(), credentials: [], ...user }, ...extra }
  const { result, events } = await realm.seen.during(() => realm.post("/v2/users", body))
  expect([result.status, events]).toEqual([422, []])
  expect((await realm.get("/v2/users")).items).toEqual([])
  return result.errors
}

describe("POST /v2/users", () => {
  test("returns 201 with the user, its memberships and new_record, and records user.created", async () => {
    const realm = await newRealm()
    const user = { email: "jo@example.test", credentials: [] }
    const { result, events } = await realm.seen.during(() => realm.post("/v2/users", { user }))
    expect(result.status).toBe(201)
    expect(result.body).toEqual({
      id: expect.stringMatching(/^usr_/),
      object: "user",
      state: "active",
      realm_id: realm.id,
      created_at: 1_767_225_600,
      last_login_at: null,
      email: "jo@example.test",
      email_pending: null,
      email_verification: "none",
      first_name: null,
      last_name: null,
      name: "jo",
      username: null,
      locale: null,
      reference: null,
      custom: {},
      credentials: [],
      deletion_at: null,
      membership_count: 0,
      memberships: [],
      new_record: true
    })
    expect(events).toEqual([userEvent("created", result)])
  })

  test("accepts every attribute of a user", async () => {
    const realm = await newRealm()
    const attributes = {
      state: "inactive",
      username: "JoS",
      first_name: "Jo",
      last_name: "Smith",
      locale: "es",
      reference: " 7/a ",
      custom: { text: "a", number: 1.5, flag: true, none: null, list: ["a", 1, false, null] }
    }
    const user = await realm.user(attributes)
    expect(user.body).toMatchObject({ ...attributes, name: "Jo Smith" })
    const { memberships, new_record, ...read }: Record<string, unknown> = JSON.parse(user.text)
    expect([memberships, new_record]).toEqual([[], true])
    expect((await realm.get(`/v2/users/${user.id}`)).body).toEqual(read)
  })

  test.each([
    ["requested", ["created", "email.verifying"]],
    ["verified", ["created", "email.verified"]],
    ["none", ["created"]]
  ])("with email_verification %s, records %j", async (email_verification, types) => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() => realm.user({ email_verification }))
    expect(result.member("email_verification")).toBe(email_verification)
    expect(events).toEqual(types.map((type) => userEvent(type, result)))
  })

  test("records user.email.updating for an email_pending", async () => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() => realm.user({ email_pending: "Next@example.test" }))
    expect(result.member("email_pending")).toBe("next@example.test")
    expect(events).toEqual([userEvent("created", result), userEvent("email.updating", result)])
  })

  test("normalizes an email to lowercase, and requires a unique email in any case or Unicode form", async () => {
    const realm = await newRealm()
    expect((await realm.user({ email: " \u00c9VA@Example.TEST " })).member("email")).toBe("\u00e9va@example.test")
    for (const same of ["\u00e9va@example.test", "E\u0301va@example.test", "\u00e9ｖａ@example.test"]) {
      const body = { user: { email: same, credentials: [] } }
      const { result, events } = await realm.seen.during(() => realm.post("/v2/users", body))
      expect([result.status, result.errors, events]).toEqual([422, ["Email has already been taken."], []])
    }
    expect((await (await newRealm()).user({ email: "\u00e9va@example.test" })).status).toBe(201)
  })

  test.each([undefined, null, "", " "])("requires an email: rejects %j", async (none) => {
    expect(await expectRejected(await newRealm(), { email: none })).toEqual(["Email can't be blank."])
  })

  test("creates exactly one of several users with the same email concurrently", async () => {
    const realm = await newRealm()
    const user = { email: email(), credentials: [] }
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 5 }, () => realm.post("/v2/users", { user })))
    )
    expect(result.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    expect(events).toEqual(
      result.filter(({ status }) => status === 201).map((created) => userEvent("created", created))
    )
  })

  test("preserves the case of a username, and compares it case-insensitively", async () => {
    const realm = await newRealm()
    expect((await realm.user({ username: " JoSmith " })).member("username")).toBe("JoSmith")
    for (const username of ["JOSMITH", "ｊｏsmith"]) {
      const body = { user: { email: email(), credentials: [], username } }
      const { result, events } = await realm.seen.during(() => realm.post("/v2/users", body))
      expect([result.status, result.errors, events]).toEqual([422, ["Username has already been taken."], []])
    }
  })

  test("allows several users with the same reference", async () => {
    const realm = await newRealm()
    for (const _ of [1, 2]) expect((await realm.user({ reference: "7" })).member("reference")).toBe("7")
  })

  test("limits names, references and usernames to 255 characters, counting an emoji as one", async () => {
    const realm = await newRealm()
    const longest = "😀".repeat(255)
    const attributes = { first_name: longest, last_name: longest, username: longest, reference: longest }
    expect((await realm.user(attributes)).body).toMatchObject({ ...attributes, name: `${longest} ${longest}` })
    expect(await expectRejected(await newRealm(), { first_name: `${longest}x` })).toEqual([
      "First name is too long (maximum is 255 characters)."
    ])
  })

  test("stores the request attributes in the events, and rejects them inside the wrapper", async () => {
    const realm = await newRealm()
    const request = { ip: "203.0.113.7", client: "phone" }
    const user = { email: email(), credentials: [] }
    const inside = await realm.seen.during(() => realm.post("/v2/users", { user: { ...user, request } }))
    const messages = ["Move request out of user, to the top of the request body."]
    expect([inside.result.status, inside.result.errors, inside.events]).toEqual([422, messages, []])
    await realm.post("/v2/users", { user, request })
    expect((await realm.seen.all()).slice(-1).map((event) => event["request"])).toEqual([request])
  })
})

describe("POST /v2/users with orgs", () => {
  test("creates a membership in each org of org_ids", async () => {
    const realm = await newRealm()
    const orgs = [await realm.org(), await realm.org({ state: "inactive" })]
    const org_ids = orgs.map(({ id }) => id)
    const { result, events } = await realm.seen.during(() => realm.user({ org_ids }))
    expect(result.member("memberships")).toMatchObject(
      orgs.map((org) => ({ object: "membership", org_id: org.id, user_id: result.id, permissions: [] }))
    )
    expect([result.member("memberships", 0, "org", "id"), result.member("membership_count")]).toEqual([org_ids[0], 2])
    expect(events).toEqual([userEvent("created", result), ...membershipEvents(result)])
  })

  test("accepts a single org id, duplicate ids or an empty list in org_ids", async () => {
    const realm = await newRealm()
    const { id } = await realm.org()
    for (const [org_ids, count] of [[id, 1] as const, [[id, id], 1] as const, [[], 0] as const, [null, 0] as const]) {
      const { result, events } = await realm.seen.during(() => realm.user({ org_ids }))
      expect(result.member("membership_count")).toBe(count)
      expect(events).toEqual([userEvent("created", result), ...membershipEvents(result)])
      expect(events).toHaveLength(1 + count)
    }
  })

  test("creates the org and a membership in it", async () => {
    const realm = await newRealm()
    const { id } = await realm.org()
    const org = { name: "Acme", reference: "7", custom: { a: 1 } }
    const { result, events } = await realm.seen.during(() => realm.user({ org, org_ids: id }))
    const created = result.string("memberships", 1, "org_id")
    expect((await realm.get(`/v2/orgs/${created}`)).body).toMatchObject(org)
    expect(result.member("memberships", 1, "org")).toMatchObject({ ...org, id: created, state: "active" })
    const orgCreated = { event_type: "org.created", org_id: created }
    expect(events).toEqual([userEvent("created", result), orgCreated, ...membershipEvents(result)])
    expect(events).toHaveLength(4)
  })

  test("gives the permissions to every membership from org_ids or org", async () => {
    const realm = await newRealm()
    const { id } = await realm.org()
    for (const permissions of [["ar:owner", "Docs:*"], "ar:owner  Docs:* ar:owner"]) {
      const user = await realm.user({ org_ids: [id], org: { name: "Acme" }, permissions })
      for (const index of [0, 1]) {
        expect(user.member("memberships", index, "permissions")).toEqual(["ar:owner", "Docs:*"])
      }
    }
  })

  test("creates no membership for permissions without org_ids or org", async () => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() => realm.user({ permissions: ["a"] }))
    expect([result.member("memberships"), events]).toEqual([[], [userEvent("created", result)]])
    expect(await expectRejected(await newRealm(), { permissions: ["a b"] })).toHaveLength(1)
  })

  test("accepts org_ids, org and permissions inside and outside the wrapper, and returns 422 if they differ", async () => {
    const realm = await newRealm()
    const { id } = await realm.org()
    const other = await realm.org()
    const extras = { org_ids: [id], org: { name: "Acme", custom: { a: 1 } }, permissions: ["a"] }
    const user = () => ({ email: email(), credentials: [] })
    for (const body of [
      { user: user(), ...extras },
      { user: { ...user(), ...extras }, ...extras }
    ]) {
      const { result, events } = await realm.seen.during(() => realm.post("/v2/users", body))
      expect([result.status, result.member("membership_count")]).toEqual([201, 2])
      expect(events.slice(2)).toEqual(membershipEvents(result))
    }
    for (const [name, extra] of [
      ["Org", { org: { name: "Else" } }],
      ["Org", { org_ids: [other.id] }],
      ["Permissions", { permissions: ["b"] }]
    ] as const) {
      const body = { user: { ...user(), ...extras }, ...extra }
      const { result, events } = await realm.seen.during(() => realm.post("/v2/users", body))
      expect([result.status, events]).toEqual([422, []])
      expect(result.errors).toEqual([`${name} was given twice with different values.`])
    }
  })
})
