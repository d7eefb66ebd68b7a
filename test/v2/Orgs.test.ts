import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const errorOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

/** A well-formed id that does not exist. */
const unknownId = (id: string) => id.replace(/.{4}$/, "zzzz")

const names = (reply: Reply) => reply.items.map(({ name }) => name)

describe("GET /v2/orgs", () => {
  test("returns {collection, more_results}, with custom only for expand=custom", async () => {
    const given = await newRealm()
    const org = await given.org({ name: "Acme", reference: "a-1", custom: { plan: "pro" } })
    const list = await given.get("/v2/orgs")
    expect(list.status).toBe(200)
    const item = {
      id: org.id,
      object: "org",
      name: "Acme",
      state: "active",
      reference: "a-1",
      realm_id: given.id,
      created_at: 1_767_225_600
    }
    expect(list.body).toEqual({ collection: [item], more_results: false })
    const expanded = await given.get("/v2/orgs?expand=custom")
    expect(expanded.body).toEqual({ collection: [{ ...item, custom: { plan: "pro" } }], more_results: false })
  })

  test("filters by exact reference and by state", async () => {
    const given = await newRealm()
    for (const state of ["active", "inactive", "closed"]) await given.org({ name: state, state, reference: "Ref" })
    await given.org({ name: "other", reference: "ref" })
    const named = async (query: string) => names(await given.get(`/v2/orgs?${query}`))
    expect(await named("reference=Ref")).toEqual(["active", "closed", "inactive"])
    expect(await named("reference=Re")).toEqual([])
    expect(await named("state=active")).toEqual(["active", "other"])
    expect(await named("state=inactive&reference=Ref")).toEqual(["inactive"])
    expect(await named("state=closed&sort=id")).toEqual(["closed"])
    expect(await named("state=closed&reference=ref")).toEqual([])
  })

  test("sorts by name (the default) or id in both directions, with equal names in creation order", async () => {
    const given = await newRealm()
    for (const name of ["beta", "Alpha", "Beta", "alpha 2"]) await given.org({ name })
    const byName = ["Alpha", "alpha 2", "beta", "Beta"]
    const byId = ["beta", "Alpha", "Beta", "alpha 2"]
    for (const [query, expected] of [
      ["", byName],
      ["sort=name&direction=desc", byName.toReversed()],
      ["sort=id", byId],
      ["sort=id&direction=desc", byId.toReversed()]
    ] as const) {
      expect(names(await given.get(`/v2/orgs?${query}`))).toEqual(expected)
    }
  })

  test("pages through every sort order in both directions, and returns each org once", async () => {
    const given = await newRealm()
    for (const name of ["c", "a", "b", "a", "d"]) await given.org({ name })
    for (const order of ["", "&direction=desc", "&sort=id", "&sort=id&direction=desc", "&state=active"]) {
      const all = (await given.get(`/v2/orgs?max_results=1000${order}`)).items.map(({ id }) => id)
      const seen: Array<unknown> = []
      for (let after = "", more = true; more; after = `&after=${String(seen.at(-1))}`) {
        const page = await given.get(`/v2/orgs?max_results=2${order}${after}`)
        seen.push(...page.items.map(({ id }) => id))
        more = page.member("more_results") === true
        expect(page.items.length).toBe(more ? 2 : 1)
      }
      expect(seen).toEqual(all)
    }
  })

  test("returns 100 orgs by default", async () => {
    const given = await newRealm()
    await Promise.all(Array.from({ length: 101 }, () => given.org()))
    const reply = await given.get("/v2/orgs")
    expect([reply.items.length, reply.member("more_results")]).toEqual([100, true])
  })

  test("returns the same 404 for a malformed, unknown or another realm's `after`", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [org, foreign] = [await given.org(), await other.org()]
    for (const after of ["x", "org_", unknownId(org.id), foreign.id, `${org.id}0`, (await given.user()).id]) {
      const reply = await given.get(`/v2/orgs?after=${after}`)
      expect(errorOf(reply)).toEqual({ status: 404, errors: ["Org could not be found."] })
    }
  })

  test("returns 422 for max_results outside 1 to 1000 and for unknown parameter values", async () => {
    const given = await newRealm()
    const wrong = ["max_results=0", "max_results=1001", "max_results=-1", "max_results=1.5", "max_results=all"]
    const words = ["sort=email", "direction=up", "expand=memberships", "expand=custom,memberships", "state=deleted"]
    for (const query of [...wrong, ...words, "state=", "sort=id&sort=name"]) {
      expect((await given.get(`/v2/orgs?${query}`)).status, query).toBe(422)
    }
    expect((await given.get("/v2/orgs?max_results=1000")).status).toBe(200)
  })
})

describe("GET /v2/orgs/{org_id}", () => {
  test("returns the org with custom, and memberships with users only for expand=memberships", async () => {
    const given = await newRealm()
    const org = await given.org({ name: "Acme", custom: { a: [1, null, "x", true] } })
    const plain = await given.get(`/v2/orgs/${org.id}`)
    expect(plain.status).toBe(200)
    expect(plain.body).toEqual({
      id: org.id,
      object: "org",
      state: "active",
      name: "Acme",
      realm_id: given.id,
      reference: null,
      created_at: 1_767_225_600,
      custom: { a: [1, null, "x", true] }
    })
    const [one, two] = [await given.user({ first_name: "One" }), await given.user({ state: "inactive" })]
    const first = await given.membership(one.id, org.id, { permissions: ["a", "b"] })
    const second = await given.membership(two.id, org.id)
    const { result, events } = await given.seen.during(() => given.get(`/v2/orgs/${org.id}?expand=memberships`))
    expect(events).toEqual([])
    const membership = { object: "membership", org_id: org.id, expires_at: null }
    expect(result.member("memberships")).toMatchObject([
      {
        ...membership,
        id: first.id,
        user_id: one.id,
        permissions: ["a", "b"],
        user: { id: one.id, first_name: "One" }
      },
      { ...membership, id: second.id, user_id: two.id, permissions: [], user: { id: two.id, state: "inactive" } }
    ])
    expect((await given.get(`/v2/orgs/${org.id}?expand=users`)).status).toBe(422)
  })
})

describe("POST /v2/orgs", () => {
  test("returns 201 with memberships and new_record true, and records org.created", async () => {
    const given = await newRealm()
    const { result, events } = await given.seen.during(() => given.post("/v2/orgs", { org: { name: "Acme" } }))
    expect(result.status).toBe(201)
    expect(result.body).toEqual({
      id: result.id,
      object: "org",
      state: "active",
      name: "Acme",
      realm_id: given.id,
      reference: null,
      created_at: 1_767_225_600,
      custom: {},
      memberships: [],
      new_record: true
    })
    expect(events).toEqual([{ event_type: "org.created", org_id: result.id }])
  })

  test("returns 422 for a missing or blank name and for other invalid attributes, and creates no org", async () => {
    const given = await newRealm()
    const events = await given.seen.caused(async () => {
      for (const [org, error] of [
        [{}, "Name can't be blank."],
        [{ name: null }, "Name can't be blank."],
        [{ name: "  " }, "Name can't be blank."],
        [{ name: "x".repeat(256) }, "Name is too long (maximum is 255 characters)."],
        [{ name: 7 }, "Name must be text."],
        [{ name: "x", reference: "x".repeat(256) }, "Reference is too long (maximum is 255 characters)."],
        [{ name: "x", state: "gone" }, "State must be one of: active, inactive, closed."],
        [{ name: "x", custom: [] }, "Custom must be an object."],
        [{ name: "x", custom: { "a-b": 1 } }, /^The key "a-b" is not allowed/],
        [{ name: "x", custom: { "": 1 } }, /^The key "" is not allowed/],
        [{ name: "x", custom: { a: { b: 1 } } }, /^The custom attribute "a" must be text/],
        [{ name: "x", custom: { a: [[1]] } }, /^The custom attribute "a" must be text/],
        [{ name: "x", custom: { a: "x".repeat(16 * 1024) } }, "Custom is larger than 16 KiB."],
        [{ name: "x", permissions: "ar:root" }, /^Permissions can't start/]
      ] as const) {
        const reply = await given.post("/v2/orgs", { org })
        expect(reply.status).toBe(422)
        expect(reply.errors).toEqual([error instanceof RegExp ? expect.stringMatching(error) : error])
      }
      expect((await given.post("/v2/orgs", { name: "unwrapped" })).status).toBe(400)
    })
    expect(events).toEqual([])
    expect((await given.get("/v2/orgs")).items).toEqual([])
  })

  test("SEC-27: ignores id, realm_id, created_at, object and unknown members", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const existing = await given.org()
    const sent = {
      name: "x",
      id: existing.id,
      object: "user",
      created_at: 1,
      memberships: [{}],
      new_record: false,
      x: 1
    }
    const org = await given.post("/v2/orgs", { org: sent })
    expect(org.status).toBe(201)
    expect(org.id).not.toBe(existing.id)
    const { name: _, ...readOnly } = { ...sent, realm_id: other.id }
    const { result, events } = await given.seen.during(() => given.put(`/v2/orgs/${org.id}`, { org: readOnly }))
    expect({ status: result.status, events }).toEqual({ status: 200, events: [] })
    expect(result.body).toMatchObject({ object: "org", realm_id: given.id, created_at: 1_767_225_600 })
  })

  test("creates memberships with the given permissions from user_ids", async () => {
    const given = await newRealm()
    const [one, two] = [await given.user(), await given.user()]
    const both = [one.id, two.id]
    const org = () => ({ name: uniqueText("Org") })
    for (const [body, users] of [
      [{ org: org(), user_ids: one.id, permissions: "a b" }, [one]],
      [{ org: { ...org(), user_ids: [one.id], permissions: ["a", "b"] } }, [one]],
      [{ org: { ...org(), permissions: "a b a" }, user_ids: both }, [one, two]],
      [{ org: { ...org(), user_ids: both, permissions: "a b" }, user_ids: both, permissions: "a b" }, [one, two]],
      [{ org: org(), user_ids: [...both, one.id], permissions: ["a", "b"] }, [one, two]]
    ] as const) {
      const { result, events } = await given.seen.during(() => given.post("/v2/orgs", body))
      expect(result.status).toBe(201)
      const memberships = users.map((user, index) => ({
        id: result.string("memberships", index, "id"),
        user_id: user.id,
        org_id: result.id,
        permissions: ["a", "b"],
        user: { id: user.id }
      }))
      expect(result.member("memberships")).toMatchObject(memberships)
      const created = memberships.map(({ id, user_id, org_id }) => ({ membership_id: id, user_id, org_id }))
      expect(events).toEqual([
        { event_type: "org.created", org_id: result.id },
        ...created.map((ids) => ({ event_type: "membership.created", ...ids }))
      ])
    }
  })

  test("creates a user as a member, and records the events of the org, the user and the membership", async () => {
    const given = await newRealm()
    const user = { credentials: [], email_verification: "requested" }
    const [inside, extra] = ["in@example.test", "beside@example.test"]
    for (const [email, body] of [
      [inside, { org: { name: "Acme", user: { ...user, email: inside }, permissions: "ar:owner" } }],
      [extra, { org: { name: "Acme" }, user: { ...user, email: extra }, permissions: ["ar:owner"] }]
    ] as const) {
      const { result, events } = await given.seen.during(() => given.post("/v2/orgs", body))
      const userId = result.string("memberships", 0, "user_id")
      expect(result.status).toBe(201)
      expect(result.member("memberships")).toMatchObject([{ permissions: ["ar:owner"], user: { id: userId, email } }])
      const membership_id = result.string("memberships", 0, "id")
      expect(events).toEqual([
        { event_type: "org.created", org_id: result.id },
        { event_type: "user.created", user_id: userId },
        { event_type: "user.email.verifying", user_id: userId },
        { event_type: "membership.created", org_id: result.id, user_id: userId, membership_id }
      ])
    }
  })

  test("returns 422 if an extra parameter has different values inside and outside the wrapper", async () => {
    const given = await newRealm()
    const [one, two] = [await given.user(), await given.user()]
    for (const [inside, extra, error] of [
      [{ user_ids: one.id }, { user_ids: two.id }, "User was given twice with different values."],
      [{ permissions: "a" }, { permissions: "b" }, "Permissions was given twice with different values."],
      [{ user: { email: "a@x.test" } }, { user: { email: "b@x.test" } }, "User was given twice with different values."]
    ] as const) {
      const reply = await given.post("/v2/orgs", { org: { name: "x", ...inside }, ...extra })
      expect(errorOf(reply)).toEqual({ status: 422, errors: [error] })
    }
  })

  test("SEC-51: returns 422 for an unknown or another realm's user id, and creates no org or user", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [mine, foreign] = [await given.user({ email: "taken@example.test" }), await other.user()]
    const user = { email: "new@example.test", credentials: [] }
    const events = await given.seen.caused(async () => {
      for (const id of [foreign.id, unknownId(mine.id), "usr_x", given.id]) {
        const reply = await given.post("/v2/orgs", { org: { name: "x" }, user_ids: [mine.id, id], user })
        expect(errorOf(reply), id).toEqual({ status: 422, errors: ["User could not be found."] })
      }
      const taken = await given.post("/v2/orgs", { org: { name: "x" }, user: { ...user, email: "Taken@example.test" } })
      expect(errorOf(taken)).toEqual({ status: 422, errors: ["Email has already been taken."] })
    })
    expect(events).toEqual([])
    expect((await given.get("/v2/orgs")).items).toEqual([])
    expect((await given.get("/v2/users")).items.map(({ id }) => id)).toEqual([mine.id])
  })
})
