import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm } from "../support/sallyport.ts"

const CREATED_AT = 1_767_225_600

const orgNotFound = [404, ["Org could not be found."]]

const names = (reply: Reply) => reply.items.map(({ name }) => name)

describe("GET /v1/orgs", () => {
  test("returns {collection, more_results}, with custom only for expand=custom", async () => {
    const realm = await newRealm()
    const org = await realm.org({ name: "Acme", reference: "a-1", custom: { plan: "pro" } })
    const { result: list, events } = await realm.seenV1.during(() => realm.get("/v1/orgs"))
    const item = {
      id: org.id,
      object: "org",
      state: "active",
      name: "Acme",
      realm_id: realm.id,
      reference: "a-1",
      created_at: CREATED_AT
    }
    expect([list.status, list.body, events]).toEqual([200, { collection: [item], more_results: false }, []])
    const expanded = await realm.get("/v1/orgs?expand=custom")
    expect(expanded.body).toEqual({ collection: [{ ...item, custom: { plan: "pro" } }], more_results: false })
  })

  test("lists closed orgs as inactive", async () => {
    const realm = await newRealm()
    for (const state of ["active", "inactive", "closed"]) await realm.org({ name: state, state, reference: "Ref" })
    await realm.org({ name: "other", reference: "ref" })
    const list = async (query: string) =>
      (await realm.get(`/v1/orgs?${query}`)).items.map(({ name, state }) => [name, state])
    const [active, inactive, closed] = [
      ["active", "active"],
      ["inactive", "inactive"],
      ["closed", "inactive"]
    ]
    expect(await list("reference=Ref")).toEqual([active, closed, inactive])
    expect(await list("reference=Re")).toEqual([])
    expect(await list("state=active")).toEqual([active, ["other", "active"]])
    expect(await list("state=inactive")).toEqual([closed, inactive])
    expect(await list("state=inactive&sort=id&direction=desc&max_results=1")).toEqual([closed])
    expect(await list("state=inactive&reference=ref")).toEqual([])
    expect(statusAndErrors(await realm.get("/v1/orgs?state=closed"))).toEqual([
      422,
      ["State must be one of: active, inactive."]
    ])
  })

  test("sorts by name (the default) or id, in both directions, and pages without gaps", async () => {
    const realm = await newRealm()
    for (const name of ["beta", "Alpha", "Beta", "alpha 2", "c"]) await realm.org({ name })
    const byName = ["Alpha", "alpha 2", "beta", "Beta", "c"]
    const byId = ["beta", "Alpha", "Beta", "alpha 2", "c"]
    for (const [order, expected] of [
      ["", byName],
      ["&sort=name&direction=desc", byName.toReversed()],
      ["&sort=id", byId],
      ["&sort=id&direction=desc", byId.toReversed()]
    ] as const) {
      expect(names(await realm.get(`/v1/orgs?${order}`))).toEqual(expected)
      const first = await realm.get(`/v1/orgs?max_results=3${order}`)
      const rest = await realm.get(`/v1/orgs?max_results=3${order}&after=${String(first.items.at(-1)?.["id"])}`)
      expect([first, rest].flatMap(names)).toEqual(expected)
      expect([first, rest].map((page) => page.member("more_results"))).toEqual([true, false])
    }
  })

  test("returns 404 for an `after` id that is malformed, unknown or from another realm", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [org, foreign] = [await realm.org(), await other.org()]
    for (const after of ["x", "org_", unknownIdLike(org.id), foreign.id, `${org.id}0`, (await realm.user()).id]) {
      expect([after, ...statusAndErrors(await realm.get(`/v1/orgs?after=${after}`))]).toEqual([after, ...orgNotFound])
    }
    const wrong = ["max_results=0", "max_results=1001", "max_results=1.5", "max_results=", "sort=email", "direction=up"]
    for (const query of [...wrong, "expand=memberships", "expand=custom,x", "state=", "sort=id&sort=name"]) {
      expect([query, (await realm.get(`/v1/orgs?${query}`)).status]).toEqual([query, 422])
    }
    expect((await realm.get("/v1/orgs?max_results=1000")).status).toBe(200)
  })
})

describe("GET /v1/orgs/{org_id}", () => {
  test("returns the org, and its memberships with their users for expand=memberships", async () => {
    const realm = await newRealm()
    const org = await realm.org({ name: "Acme", custom: { a: [1, null, "x", true] } })
    const plain = {
      id: org.id,
      object: "org",
      state: "active",
      name: "Acme",
      realm_id: realm.id,
      reference: null,
      created_at: CREATED_AT,
      custom: { a: [1, null, "x", true] }
    }
    expect((await realm.get(`/v1/orgs/${org.id}`)).body).toEqual(plain)
    const [human, robot] = [await realm.user({ first_name: "Jo", username: "JoS" }), await realm.apiUser()]
    const first = await realm.membership(human.id, org.id, { permissions: ["a", "b"] })
    const second = await realm.membership(robot.id, org.id)
    await realm.membership(human.id, (await realm.org()).id)
    const { result, events } = await realm.seenV1.during(() => realm.get(`/v1/orgs/${org.id}?expand=memberships`))
    expect([result.status, events]).toEqual([200, []])
    const users = (await realm.get("/v1/users?sort=id&expand=custom")).items
    const membership = { object: "membership", org_id: org.id, custom: {}, expires_at: null }
    expect(result.body).toEqual({
      ...plain,
      memberships: [
        { ...membership, id: first.id, user_id: human.id, permissions: ["a", "b"], user: users[0] },
        { ...membership, id: second.id, user_id: robot.id, permissions: [], user: users[1] }
      ]
    })
    expect(users.map(({ user_type, username }) => [user_type, username])).toEqual([
      ["human", "jos"],
      ["api", robot.string("username")]
    ])
    for (const word of ["custom", "memberships,custom", "x"]) {
      expect((await realm.get(`/v1/orgs/${org.id}?expand=${word}`)).status).toBe(422)
    }
  })

  test("shows a closed org as inactive", async () => {
    const realm = await newRealm()
    const org = await realm.org({ state: "closed" })
    for (const query of ["", "?expand=memberships"]) {
      expect((await realm.get(`/v1/orgs/${org.id}${query}`)).member("state")).toBe("inactive")
    }
  })
})

describe("POST /v1/orgs", () => {
  test("returns 201 with the memberships and new_record true, and records org.created", async () => {
    const realm = await newRealm()
    const org = { name: "Acme", reference: "r", custom: { a: 1 }, state: "inactive" }
    const { result, events } = await realm.seenV1.during(() => realm.post("/v1/orgs", { org }))
    expect([result.status, result.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^org_\w{26}$/),
        object: "org",
        ...org,
        realm_id: realm.id,
        created_at: CREATED_AT,
        memberships: [],
        new_record: true
      }
    ])
    expect(events).toEqual([{ event_type: "org.created", org_id: result.id }])
    const { memberships: _, new_record: __, ...read } = JSON.parse(result.text)
    expect((await realm.get(`/v1/orgs/${result.id}`)).body).toEqual(read)
  })

  test("returns 422 for invalid attributes and 400 without the wrapper, and creates no org", async () => {
    const realm = await newRealm()
    const user = { user_type: "human", email: "new@example.test", credentials: [] }
    const events = await realm.seen.caused(async () => {
      for (const [org, error] of [
        [{}, "Name can't be blank."],
        [{ name: null }, "Name can't be blank."],
        [{ name: "  " }, "Name can't be blank."],
        [{ name: "x".repeat(256) }, "Name is too long (maximum is 255 characters)."],
        [{ name: 7 }, "Name must be text."],
        [{ name: "x", reference: "x".repeat(256) }, "Reference is too long (maximum is 255 characters)."],
        [{ name: "x", state: "closed" }, "State must be one of: active, inactive."],
        [{ name: "x", custom: [] }, "Custom must be an object."],
        [{ name: "x", custom: { "a-b": 1 } }, /^The key "a-b" is not allowed/],
        [{ name: "x", custom: { a: { b: 1 } } }, /^The custom attribute "a" must be text/],
        [{ name: "x", custom: { a: "x".repeat(16 * 1024) } }, "Custom is larger than 16 KiB."],
        [{ name: "x", permissions: "ar:root" }, /^Permissions can't start/],
        [{ name: "x", permissions: Array.from({ length: 21 }, (_, n) => `p${n}`) }, /^Permissions may contain at most/],
        [{ name: "x", user: "jo" }, "User must be an object."],
        [{ name: "x", user: { ...user, user_type: undefined, username: "n" } }, "User type can't be blank."],
        [{ name: "x", user }, "Username can't be blank."],
        [{ name: "x", user_ids: 7 }, "User must be a list."]
      ] as const) {
        const reply = await realm.post("/v1/orgs", { org })
        const expected = error instanceof RegExp ? expect.stringMatching(error) : error
        expect(statusAndErrors(reply)).toEqual([422, [expected]])
      }
      expect((await realm.post("/v1/orgs", { name: "unwrapped" })).status).toBe(400)
    })
    expect(events).toEqual([])
    expect((await realm.get("/v1/orgs")).items).toEqual([])
    expect((await realm.get("/v1/users")).items).toEqual([])
  })

  test("creates memberships with the given permissions from user_ids", async () => {
    const realm = await newRealm()
    const [one, two] = [await realm.user(), await realm.apiUser()]
    const both = [one.id, two.id]
    for (const [inside, extra, users] of [
      [{}, { user_ids: one.id, permissions: "a b" }, [one]],
      [{ user_ids: [one.id], permissions: ["a", "b"] }, {}, [one]],
      [{ permissions: "a b a" }, { user_ids: both }, [one, two]],
      [{ user_ids: both, permissions: "a b" }, { user_ids: both, permissions: "a b" }, [one, two]]
    ] as const) {
      const body = { org: { name: uniqueText("Org"), ...inside }, ...extra }
      const { result, events } = await realm.seenV1.during(() => realm.post("/v1/orgs", body))
      expect(result.status).toBe(201)
      const ids = users.map((user, index) => ({
        membership_id: result.string("memberships", index, "id"),
        user_id: user.id,
        org_id: result.id
      }))
      expect(result.member("memberships")).toMatchObject(
        ids.map(({ membership_id: id, ...pair }) => ({ id, ...pair, permissions: ["a", "b"], custom: {} }))
      )
      expect(events).toEqual([
        { event_type: "org.created", org_id: result.id },
        ...ids.map((named) => ({ event_type: "membership.created", ...named }))
      ])
    }
  })

  test("creates a human or API user as a member, and records the events of all three resources", async () => {
    const realm = await newRealm()
    const human = { user_type: "human", username: "Jo", email: "jo@example.test", credentials: [] }
    const attributes = { ...human, email_verification: "requested" }
    for (const [user, inside, verification] of [
      [attributes, false, ["user.email.verification_requested"]],
      [{ user_type: "api", username: "Robot" }, true, []]
    ] as const) {
      const extras = { user, permissions: "ar:owner" }
      const body = inside ? { org: { name: "Acme", ...extras } } : { org: { name: "Acme" }, ...extras }
      const { result, events } = await realm.seenV1.during(() => realm.post("/v1/orgs", body))
      expect([result.status, result.string("memberships", 0, "user", "user_type")]).toEqual([201, user.user_type])
      const [user_id, membership_id] = ["user_id", "id"].map((name) => result.string("memberships", 0, name))
      expect(events).toEqual([
        { event_type: "org.created", org_id: result.id },
        { event_type: "user.created", user_id },
        ...verification.map((event_type) => ({ event_type, user_id })),
        { event_type: "membership.created", org_id: result.id, user_id, membership_id }
      ])
      expect((await realm.get(`/v1/users/${user.username}`)).id).toBe(user_id)
    }
  })

  test("returns 422 if an extra parameter has different values inside and outside the wrapper", async () => {
    const realm = await newRealm()
    for (const [inside, extra, what] of [
      [{ user_ids: "a" }, { user_ids: "b" }, "User"],
      [{ permissions: "a" }, { permissions: "b" }, "Permissions"],
      [{ user: { username: "a" } }, { user: { username: "b" } }, "User"]
    ] as const) {
      const reply = await realm.post("/v1/orgs", { org: { name: "x", ...inside }, ...extra })
      expect(statusAndErrors(reply)).toEqual([422, [`${what} was given twice with different values.`]])
    }
  })

  test("SEC-51: returns 422 for an unknown or another realm's user id, and creates no org", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [mine, foreign] = [await realm.user(), await other.user()]
    const user = { user_type: "human", username: "new", email: "new@example.test", credentials: [] }
    const events = await realm.seen.caused(async () => {
      for (const id of [foreign.id, unknownIdLike(mine.id), "usr_x", realm.id]) {
        const reply = await realm.post("/v1/orgs", { org: { name: "x" }, user_ids: [mine.id, id], user })
        expect([id, ...statusAndErrors(reply)]).toEqual([id, 422, ["User could not be found."]])
      }
    })
    expect(events).toEqual([])
    expect((await realm.get("/v1/orgs")).items).toEqual([])
    expect((await realm.get("/v1/users")).items.map(({ id }) => id)).toEqual([mine.id])
  })
})
