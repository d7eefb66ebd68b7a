import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const PASSWORD = "a long enough password"

const email = () => `${uniqueText("new")}@example.test`

const human = () => ({ user_type: "human", username: uniqueText("new"), email: email(), credentials: [] })

const userEvent = (type: string, user: Reply) => ({ event_type: `user.${type}`, user_id: user.id })

/** The events of the memberships in a response to a creation. */
const membershipEvents = (user: Reply) => {
  const memberships = user.member("memberships")
  if (!Array.isArray(memberships)) throw new Error(`No memberships in ${user.text}`)
  return memberships.map(({ id, org_id }: { id: string; org_id: string | null }) => ({
    event_type: "membership.created",
    membership_id: id,
    ...(org_id === null ? {} : { org_id }),
    user_id: user.id
  }))
}

const create = (realm: GivenRealm, user: object, extra: object = {}) =>
  realm.seenV1.during(() => realm.post("/v1/users", { user, ...extra }))

/** Asserts that creating a user is rejected without an event. Returns the errors. */
const expectRejected = async (realm: GivenRealm, user: object, extra: object = {}): Promise<unknown> => {
  const before = (await realm.get("/v1/users")).body
  const { result, events } = await create(realm, user, extra)
  expect([result.status, events, result.member("id")]).toEqual([422, [], undefined])
  expect((await realm.get("/v1/users")).body).toEqual(before)
  return result.errors
}

describe("POST /v1/users for a human user", () => {
  test("returns 201 with the user, its memberships and new_record, and records user.created", async () => {
    const realm = await newRealm()
    const user = { user_type: "human", username: "JoS", email: "Jo@Example.test", password: PASSWORD }
    const { result, events } = await create(realm, user)
    expect(result.status).toBe(201)
    expect(result.body).toEqual({
      id: expect.stringMatching(/^usr_/),
      object: "user",
      state: "active",
      realm_id: realm.id,
      user_type: "human",
      created_at: 1_767_225_600,
      last_login_at: null,
      reference: null,
      custom: {},
      username: "jos",
      email: "jo@example.test",
      email_verification: "none",
      first_name: null,
      last_name: null,
      name: "JoS",
      credentials: [{ credential_type: "password", id: expect.stringMatching(/^crd_/), object: "credential" }],
      membership_count: 0,
      memberships: [],
      new_record: true
    })
    expect(events).toEqual([userEvent("created", result)])
    expect((await realm.get(`/v2/users/${result.id}`)).member("username")).toBe("JoS")
  })

  test("accepts every attribute of a human user, and derives the name from the first and last name", async () => {
    const realm = await newRealm()
    const attributes = {
      state: "inactive",
      first_name: "Jo",
      last_name: "Smith",
      reference: " 7/a ",
      custom: { text: "a", number: 1.5, flag: true, none: null, list: ["a", 1, false, null] }
    }
    const { result } = await create(realm, { ...human(), ...attributes, name: "Someone Else" })
    expect(result.body).toMatchObject({ ...attributes, name: "Jo Smith" })
    const { memberships, new_record, ...read }: Record<string, unknown> = JSON.parse(result.text)
    expect([memberships, new_record]).toEqual([[], true])
    expect((await realm.get(`/v1/users/${result.id}`)).body).toEqual(read)
  })

  test.each([
    ["user_type", "User type can't be blank."],
    ["username", "Username can't be blank."],
    ["email", "Email can't be blank."],
    ["credentials", "Password can't be blank."]
  ])("requires %s, but accepts credentials instead of a password", async (member, sentence) => {
    const realm = await newRealm()
    expect(await expectRejected(realm, { ...human(), [member]: undefined })).toEqual([sentence])
    expect(await expectRejected(realm, { ...human(), [member]: null })).toEqual([sentence])
  })

  test("reports all errors at once", async () => {
    const user = { user_type: "human", username: " ", email: "jo", password: "short", api_key: "generate" }
    expect(await expectRejected(await newRealm(), user)).toEqual([
      "Email is not a valid email address.",
      "Username can't be blank.",
      "API key is only available for API users.",
      "Password is too short (minimum is 8 characters)."
    ])
  })

  test.each([
    ["user_type", "robot", "User type must be one of: human, api."],
    ["user_type", 1, "User type must be one of: human, api."],
    ["state", "closed", "State must be one of: active, inactive."],
    ["email_verification", "maybe", "Email verification must be one of: none, requested, verified."],
    ["username", 1, "Username must be text."],
    ["username", "a\u0007b", "Username contains characters that are not allowed."],
    ["name", ["a"], "Name must be text."],
    ["token", 7, "Token must be text."],
    ["api_key", {}, "API key must be text."],
    ["api_key", "generate", "API key is only available for API users."],
    [
      "custom",
      { "a b": 1 },
      'The key "a b" is not allowed in custom attributes. Use only letters, digits and underscores.'
    ],
    ["credentials", [{ credential_type: "api_key" }], "Credential type api_key is only available for API users."],
    ["org", { name: "Acme", state: "closed" }, "State must be one of: active, inactive."],
    ["permissions", ["a b"], "Permissions may contain only letters, digits and * : ; . _ - in each tag."]
  ])("rejects %s %j", async (member, value, sentence) => {
    expect(await expectRejected(await newRealm(), { ...human(), [member]: value })).toEqual([sentence])
  })

  test("requires a username and email that are unique in the realm, ignoring case and user type", async () => {
    const realm = await newRealm()
    const known = await realm.user({ username: "Jo", email: "jo@example.test" })
    const robot = await realm.apiUser({ username: "Robot", email: "robot@example.test" })
    for (const { id } of [known, robot]) {
      const user = await realm.get(`/v1/users/${id}`)
      for (const [member, name] of [
        ["username", "Username"],
        ["email", "Email"]
      ] as const) {
        const taken = { ...human(), [member]: user.string(member).toUpperCase() }
        expect(await expectRejected(realm, taken)).toEqual([`${name} has already been taken.`])
      }
    }
    const elsewhere = { ...human(), username: "jo", email: "jo@example.test" }
    expect((await create(await newRealm(), elsewhere)).result.status).toBe(201)
  })

  test("records the v1 event for email_verification requested or verified", async () => {
    const realm = await newRealm()
    for (const [email_verification, ...types] of [
      ["none", "created"],
      ["requested", "created", "email.verification_requested"],
      ["verified", "created", "email.verified"]
    ]) {
      const { result, events } = await create(realm, { ...human(), email_verification })
      expect([result.status, result.member("email_verification")]).toEqual([201, email_verification])
      expect(events).toEqual(types.map((type) => userEvent(type, result)))
    }
  })

  test("accepts a single password with a matching confirmation", async () => {
    const realm = await newRealm()
    const { credentials: _, ...user } = human()
    const password = { credential_type: "password", password: PASSWORD }
    const wrong = { ...user, password: PASSWORD, password_confirmation: "b" }
    expect(await expectRejected(realm, wrong)).toEqual(["Password confirmation does not match the password."])
    expect(await expectRejected(realm, { ...user, password: PASSWORD, credentials: [password] })).toEqual([
      "Password and credentials with a password can't both be set."
    ])
    const both = { ...user, password: PASSWORD, credentials: [{ credential_type: "totp", name: "Phone" }] }
    const { result } = await create(realm, both)
    const types = [{ credential_type: "password" }, { credential_type: "totp" }]
    expect(result.member("credentials")).toMatchObject(types)
  })
})

describe("POST /v1/users with orgs and permissions", () => {
  test("creates memberships from org_ids and org", async () => {
    const realm = await newRealm()
    const old = await realm.org({ state: "inactive" })
    const org = { name: "Acme", reference: "7", custom: { a: 1 } }
    const { result, events } = await create(realm, {
      ...human(),
      org_ids: [old.id],
      org,
      permissions: "ar:owner docs:*"
    })
    const created = result.string("memberships", 1, "org_id")
    expect(result.member("memberships")).toEqual([
      {
        id: expect.stringMatching(/^mb_/),
        object: "membership",
        org_id: old.id,
        user_id: result.id,
        permissions: ["ar:owner", "docs:*"],
        custom: {},
        expires_at: null,
        org: { ...Object(old.body), memberships: undefined, new_record: undefined }
      },
      expect.objectContaining({ org: expect.objectContaining({ ...org, id: created, state: "active" }) })
    ])
    const orgCreated = { event_type: "org.created", org_id: created }
    expect(events).toEqual([userEvent("created", result), orgCreated, ...membershipEvents(result)])
    expect([events.length, result.member("membership_count")]).toEqual([4, 2])
  })

  test("creates one membership without an org if only permissions are given", async () => {
    const realm = await newRealm()
    for (const user of [human(), { user_type: "api" }]) {
      const { result, events } = await create(realm, { ...user, permissions: ["a", "b"] })
      expect(result.member("memberships")).toEqual([
        expect.objectContaining({ org_id: null, user_id: result.id, permissions: ["a", "b"] })
      ])
      expect(result.member("memberships", 0, "org")).toBeUndefined()
      expect(events).toEqual([userEvent("created", result), ...membershipEvents(result)])
      expect((await realm.get(`/v2/memberships?user_id=${result.id}`)).items).toHaveLength(1)
    }
    const withoutPermissions = await create(realm, { ...human(), permissions: [] })
    expect([withoutPermissions.result.member("memberships"), withoutPermissions.events]).toEqual([
      [],
      [userEvent("created", withoutPermissions.result)]
    ])
  })

  test("accepts org_ids, org and permissions inside and outside the wrapper, and returns 422 if they differ", async () => {
    const realm = await newRealm()
    const { id } = await realm.org()
    const extras = { org_ids: [id], org: { name: "Acme" }, permissions: ["a"] }
    for (const [inside, extra] of [
      [extras, {}],
      [{}, extras],
      [extras, extras]
    ] as const) {
      const { result } = await create(realm, { ...human(), ...inside }, extra)
      expect([result.status, result.member("membership_count")]).toEqual([201, 2])
    }
    expect(await expectRejected(realm, { ...human(), ...extras }, { permissions: ["b"] })).toEqual([
      "Permissions was given twice with different values."
    ])
  })

  test("creates no user if an org is unknown or closed", async () => {
    const realm = await newRealm()
    const closed = await realm.org({ state: "closed" })
    const foreign = await (await newRealm()).org()
    expect(await expectRejected(realm, { ...human(), org_ids: closed.id })).toEqual(["Org refers to a closed org."])
    expect(await expectRejected(realm, { ...human(), org_ids: [foreign.id] })).toEqual(["Org could not be found."])
  })

  test("stores the request attributes in the events", async () => {
    const realm = await newRealm()
    const request = { ip: "203.0.113.7", client: "phone" }
    await create(realm, { ...human(), permissions: "a" }, { request })
    expect((await realm.seenV1.all()).slice(-2).map((event) => event["request"])).toEqual([request, request])
  })
})
