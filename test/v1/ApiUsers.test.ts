import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const KEY = "a-key-of-our-own-0123456789"

const path = (user: Reply) => `/v1/users/${user.id}`

const createdEvent = (user: Reply) => [{ event_type: "user.created", user_id: user.id }]

const updatedEvent = (user: Reply) => [{ event_type: "user.updated", user_id: user.id }]

const aKey = { credential_type: "api_key", id: expect.stringMatching(/^crd_/), object: "credential" }

const create = (realm: GivenRealm, user: object) =>
  realm.seenV1.during(() => realm.post("/v1/users", { user: { user_type: "api", ...user } }))

const update = (realm: GivenRealm, user: Reply, changes: object) =>
  realm.seenV1.during(() => realm.put(path(user), { user: changes }))

describe("POST /v1/users for an API user", () => {
  test("requires no attributes, generates a username and uses the username as the name", async () => {
    const realm = await newRealm()
    const { result, events } = await create(realm, {})
    expect(result.status).toBe(201)
    expect(result.body).toEqual({
      id: expect.stringMatching(/^usr_/),
      object: "user",
      state: "active",
      realm_id: realm.id,
      user_type: "api",
      created_at: 1_767_225_600,
      last_login_at: null,
      reference: null,
      custom: {},
      username: expect.stringMatching(/^api_[0-9a-z]{12,}$/),
      email: null,
      name: result.string("username"),
      credentials: [],
      membership_count: 0,
      api_key: null,
      memberships: [],
      new_record: true
    })
    expect(events).toEqual(createdEvent(result))
    const second = await create(realm, { username: "", name: null, email: " " })
    expect(second.result.status).toBe(201)
    expect(second.result.string("username")).not.toBe(result.string("username"))
  })

  test("accepts username, email, name and the attributes common to all users", async () => {
    const realm = await newRealm()
    const attributes = {
      state: "inactive",
      username: "robot",
      email: "ops@example.test",
      name: "The Robot",
      reference: "7",
      custom: { a: 1 }
    }
    const { result } = await create(realm, attributes)
    expect(result.body).toMatchObject(attributes)
    expect((await realm.get(path(result))).body).toMatchObject(attributes)
  })

  test("ignores the attributes that only human users have", async () => {
    const realm = await newRealm()
    const { result, events } = await create(realm, {
      username: "robot",
      first_name: "Ro",
      last_name: "Bot",
      locale: "es",
      email: "ops@example.test",
      email_pending: "next@example.test",
      email_verification: "requested"
    })
    expect([result.member("name"), events]).toEqual(["robot", createdEvent(result)])
    const inV2 = await realm.get(`/v2/users/${result.id}`)
    const humanAttributes = {
      first_name: null,
      last_name: null,
      locale: null,
      email_pending: null,
      email_verification: "none"
    }
    expect(inV2.body).toMatchObject(humanAttributes)
  })

  test.each([
    [{ password: "a long enough password" }, "Password is only available for human users."],
    [
      { credentials: [{ credential_type: "password", password: "a long enough password" }] },
      "Credential type password is only available for human users."
    ],
    [
      { credentials: [{ credential_type: "totp", name: "A" }] },
      "Credential type totp is only available for human users."
    ],
    [{ token: `utk_${"a".repeat(43)}` }, "Token is only available for human users."],
    [{ email: "ops" }, "Email is not a valid email address."],
    [{ username: "a\u0007b" }, "Username contains characters that are not allowed."],
    [{ name: "n".repeat(256) }, "Name is too long (maximum is 255 characters)."],
    [{ api_key: "short" }, "API key is too short (minimum is 20 characters)."]
  ])("rejects %j", async (user, sentence) => {
    const realm = await newRealm()
    const { result, events } = await create(realm, user)
    expect([result.status, result.errors, events]).toEqual([422, [sentence], []])
    expect((await realm.get("/v1/users")).items).toEqual([])
  })
})

describe("the API key of a user", () => {
  test.each(["hash", "encrypt"])("is generated with the realm's prefix and shown at creation (%s)", async (policy) => {
    const realm = await newRealm({ api_key_policy: policy, api_key_prefix: "acme_" })
    const { result, events } = await create(realm, { api_key: "generate" })
    expect(result.string("api_key")).toMatch(/^acme_[0-9A-Za-z]{43}$/)
    expect([result.member("credentials"), events]).toEqual([[aKey], createdEvent(result)])
    const key = policy === "encrypt" ? result.string("api_key") : null
    for (const read of ["", "?expand=memberships"]) {
      expect((await realm.get(path(result) + read)).member("api_key")).toBe(key)
    }
    const login = await realm.post("/v1/users/authenticate_key", { api_key: result.string("api_key") })
    expect([login.status, login.member("id")]).toEqual([200, result.id])
  })

  test("may be chosen by the caller but must be unique in the realm", async () => {
    const realm = await newRealm({ api_key_prefix: "acme_" })
    const { result } = await create(realm, { api_key: KEY })
    expect([result.status, result.member("api_key")]).toEqual([201, KEY])
    const second = await create(realm, { api_key: KEY })
    expect([second.result.status, second.result.errors, second.events]).toEqual([
      422,
      ["API key has already been taken."],
      []
    ])
    expect((await create(await newRealm(), { api_key: KEY })).result.status).toBe(201)
  })

  test("may be one of several credentials, the first of which is shown", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    for (const api_key of ["", " ", null]) {
      expect((await create(realm, { api_key })).result.member("credentials")).toEqual([])
    }
    const credentials = [{ credential_type: "api_key", api_key: `${KEY}-2` }, { credential_type: "api_key" }]
    const { result, events } = await create(realm, { api_key: KEY, credentials })
    expect([result.member("credentials"), events]).toEqual([[aKey, aKey, aKey], createdEvent(result)])
    expect((await realm.get(path(result))).member("api_key")).toBe(KEY)
    const listed = await create(realm, { credentials: [{ credential_type: "api_key", api_key: `${KEY}-3` }] })
    expect(listed.result.member("api_key")).toBe(`${KEY}-3`)
  })

  test("is hidden from callers with a key of level read", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    const { result } = await create(realm, { api_key: KEY })
    const seen = async (level: "read" | "write") => (await (await realm.as(level)).get(path(result))).member("api_key")
    expect([await seen("read"), await seen("write")]).toEqual([null, KEY])
  })

  test("is omitted from every list and event", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    await create(realm, { api_key: KEY })
    const human = await realm.user()
    expect((await realm.get("/v1/users?expand=custom")).text).not.toContain(KEY)
    expect((await realm.get("/v1/events")).text).not.toContain(KEY)
    expect(Object.keys(Object((await realm.get(path(human))).body))).not.toContain("api_key")
  })

  test("stays readable after the realm switches to hash, until the key is set again", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    const { result } = await create(realm, { api_key: KEY })
    await realm.put(`/v1/realms/${realm.id}`, { realm: { api_key_policy: "hash" } })
    expect((await realm.get(path(result))).member("api_key")).toBe(KEY)
    const repeated = await update(realm, result, { api_key: KEY })
    expect([repeated.result.member("api_key"), repeated.events]).toEqual([KEY, updatedEvent(result)])
    expect((await realm.get(path(result))).member("api_key")).toBeNull()
  })

  test("can be changed or added by an update, which records user.updated and shows the key once", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, {})
    const first = await update(realm, user, { api_key: "generate" })
    expect([first.result.status, first.result.member("credentials")]).toEqual([200, [aKey]])
    expect(first.events).toEqual(updatedEvent(user))
    const key = first.result.string("api_key")
    const second = await update(realm, user, { api_key: KEY })
    expect([second.result.member("api_key"), second.events]).toEqual([KEY, updatedEvent(user)])
    expect(second.result.member("credentials")).toEqual(first.result.member("credentials"))
    expect((await realm.get(path(user))).member("api_key")).toBeNull()
    const login = async (api_key: string) => (await realm.post("/v1/users/authenticate_key", { api_key })).status
    expect([await login(key), await login(KEY)]).toEqual([404, 200])
  })

  test("stays the same after an update with the same API key or a blank API key", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    const { result: user } = await create(realm, { api_key: KEY })
    for (const api_key of [KEY, "", null]) {
      const { result, events } = await update(realm, user, { api_key })
      expect([result.status, result.member("api_key"), events]).toEqual([200, KEY, []])
    }
  })

  test("stays the same when an update is rejected for an invalid or already used key", async () => {
    const realm = await newRealm({ api_key_policy: "encrypt" })
    const { result: user } = await create(realm, { api_key: KEY })
    await create(realm, { api_key: `${KEY}-2` })
    for (const [api_key, sentence] of [
      [`${KEY}-2`, "API key has already been taken."],
      ["short", "API key is too short (minimum is 20 characters)."]
    ]) {
      const { result, events } = await update(realm, user, { api_key, name: "Else" })
      expect([result.status, result.errors, events]).toEqual([422, [sentence], []])
      expect((await realm.get(path(user))).body).toMatchObject({ api_key: KEY, name: user.member("name") })
    }
  })
})

describe("PUT /v1/users/{user_id_or_username} for an API user", () => {
  test("uses the username as the name unless a name is set", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, { username: "robot" })
    for (const [changes, name] of [
      [{ username: "Robot2" }, "Robot2"],
      [{ name: "The Robot" }, "The Robot"],
      [{ username: "robot3" }, "The Robot"],
      [{ name: "" }, "robot3"],
      [{ username: "robot4" }, "robot4"]
    ] as const) {
      const { result, events } = await update(realm, user, changes)
      expect([result.member("name"), events]).toEqual([name, updatedEvent(user)])
    }
  })

  test("can remove the email but never changes the user type", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, { username: "robot", email: "ops@example.test" })
    const { result, events } = await update(realm, user, { email: "", username: " ", user_type: "human" })
    expect(result.body).toMatchObject({ email: null, username: "robot", user_type: "api" })
    expect(events).toEqual(updatedEvent(user))
    expect((await update(realm, user, { username: null, first_name: "Ro" })).events).toEqual([])
  })

  test("rejects a password in both API versions", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, {})
    for (const version of ["v1", "v2"]) {
      const changes = { user: { password: "a long enough password" } }
      const { result, events } = await realm.seen.during(() => realm.put(`/${version}/users/${user.id}`, changes))
      expect([result.status, result.errors, events]).toEqual([422, ["Password is only available for human users."], []])
    }
  })
})

describe("an API user in /v2", () => {
  test("is found only by its id and appears in no list", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, { username: "robot", email: "ops@example.test", reference: "7" })
    const read = await realm.get(`/v2/users/${user.id}`)
    expect([read.status, read.member("username"), read.member("name")]).toEqual([200, "robot", "robot"])
    for (const name of ["robot", "ops@example.test"]) expect((await realm.get(`/v2/users/${name}`)).status).toBe(404)
    for (const query of ["", "email=ops@example.test", "username=robot", "reference=7", "sort=id&direction=desc"]) {
      expect([query, (await realm.get(`/v2/users?${query}`)).items]).toEqual([query, []])
    }
  })

  test("can be updated and deleted, but ignores attributes that only human users have", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, { email: "ops@example.test" })
    const update = await realm.seen.during(() =>
      realm.put(`/v2/users/${user.id}`, { user: { email: null, first_name: "Ro" } })
    )
    expect([update.result.status, update.result.member("email")]).toEqual([200, null])
    expect([update.result.member("first_name"), update.events]).toEqual([null, updatedEvent(user)])
    expect((await realm.delete(`/v2/users/${user.id}`)).status).toBe(204)
  })

  test("can be added to orgs by its id", async () => {
    const realm = await newRealm()
    const { result: user } = await create(realm, {})
    const org = await realm.org()
    const membership = await realm.membership(user.id, org.id)
    expect(membership.member("user", "id")).toBe(user.id)
    expect((await realm.get(`/v2/memberships?org_id=${org.id}`)).items).toHaveLength(1)
  })
})
