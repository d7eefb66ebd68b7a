import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { statusAndErrors } from "../support/logins.ts"
import { unknownIdLike } from "../support/resources.ts"
import { newRealm, ownService, service } from "../support/sallyport.ts"

const now = STARTS_AT / 1000

const noMembership = [404, ["Membership could not be found."]]

const ids = (reply: Reply) => reply.items.map(({ id }) => id)

const pair = async (realm: GivenRealm) => {
  const [user, org] = [await realm.user({ first_name: "Jo" }), await realm.org({ custom: { a: 1 } })]
  return { user_id: user.id, org_id: org.id }
}

const create = (api: Api, membership: object) => api.post("/v1/memberships", { membership })

/** Creates a membership without an org. */
const createWithoutOrg = async (realm: GivenRealm, userId: string, attributes: object = {}) => {
  const reply = await create(realm, { user_id: userId, ...attributes })
  expect(reply.status).toBe(201)
  return reply
}

/** The event of a membership. */
const membershipEvent = (what: string, membership: Reply) => ({
  event_type: `membership.${what}`,
  membership_id: membership.id,
  user_id: membership.string("user_id"),
  ...(membership.member("org_id") === null ? {} : { org_id: membership.string("org_id") })
})

describe("GET /v1/memberships", () => {
  test("includes the users for an org_id query and the orgs for a user_id query, but not for a query with both", async () => {
    const realm = await newRealm()
    const { user_id, org_id } = await pair(realm)
    const robot = await realm.apiUser()
    const created = await create(realm, { user_id, org_id, permissions: "a b", custom: { seat: 1 } })
    const [two, three] = [await realm.membership(robot.id, org_id), await createWithoutOrg(realm, user_id)]
    const bare = { id: created.id, object: "membership", user_id, org_id, permissions: ["a", "b"], expires_at: null }
    const one = { ...bare, custom: { seat: 1 } }
    const [org] = (await realm.get("/v1/orgs?expand=custom")).items
    const [user, api] = (await realm.get("/v1/users?expand=custom&sort=id")).items

    const byUserAndOrg = await realm.get(`/v1/memberships?user_id=${user_id}&org_id=${org_id}`)
    expect([byUserAndOrg.status, byUserAndOrg.body]).toEqual([200, { collection: [one], more_results: false }])
    const byOrg = await realm.get(`/v1/memberships?org_id=${org_id}`)
    expect(byOrg.items).toEqual([{ ...one, user }, expect.objectContaining({ id: two.id, user: api })])
    expect(byOrg.items.some((item) => "org" in item)).toBe(false)
    const withoutOrg = { ...bare, id: three.id, org_id: null, permissions: [], custom: {} }
    const { result: ofUser, events } = await realm.seenV1.during(() => realm.get(`/v1/memberships?user_id=${user_id}`))
    expect([ofUser.items, events]).toEqual([[{ ...one, org }, withoutOrg], []])
  })

  test("returns 422 without a filter", async () => {
    const realm = await newRealm()
    for (const query of ["", "?", "?max_results=10"]) {
      const reply = await realm.get(`/v1/memberships${query}`)
      expect(statusAndErrors(reply)).toEqual([422, ["Org or user is required to list memberships."]])
    }
  })

  test("sorts by id, pages in both directions, and rejects unknown sort orders", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { id: user_id } = await realm.user()
    const created = [(await createWithoutOrg(realm, user_id)).id]
    for (let n = 0; n < 4; n++) created.push((await realm.membership(user_id, (await realm.org()).id)).id)
    const list = `/v1/memberships?user_id=${user_id}`
    for (const [direction, expected] of [
      ["asc", created],
      ["desc", created.toReversed()]
    ] as const) {
      const page = (after: string) => realm.get(`${list}&direction=${direction}&sort=id&max_results=2${after}`)
      const pages = [await page(""), await page(`&after=${expected[1]}`), await page(`&after=${expected[3]}`)]
      expect(pages.flatMap(ids)).toEqual(expected)
      expect(pages.map((reply) => reply.member("more_results"))).toEqual([true, true, false])
    }
    for (const wrong of ["sort=name", "direction=up", "max_results=0", "max_results=1001", "max_results=x"]) {
      expect([wrong, (await realm.get(`${list}&${wrong}`)).status]).toEqual([wrong, 422])
    }
    const foreign = await createWithoutOrg(other, (await other.user()).id)
    for (const after of ["mb_x", user_id]) {
      expect(statusAndErrors(await realm.get(`${list}&after=${after}`))).toEqual(noMembership)
    }
    for (const filter of [`user_id=${foreign.string("user_id")}`, `user_id=${unknownIdLike(user_id)}`, "org_id=x"]) {
      expect((await realm.get(`/v1/memberships?${filter}`)).body).toEqual({ collection: [], more_results: false })
    }
  })
})

describe("POST /v1/memberships", () => {
  test("returns 201 with new_record, org and user, and records membership.created", async () => {
    const realm = await newRealm()
    const membership = { ...(await pair(realm)), permissions: ["ar:owner", "a"], custom: { seat: 1 } }
    const attributes = { ...membership, expires_at: now + 60.125 }
    const { result, events } = await realm.seenV1.during(() => create(realm, attributes))
    const body = {
      id: expect.stringMatching(/^mb_\w{26}$/),
      object: "membership",
      ...attributes,
      org: (await realm.get("/v1/orgs?expand=custom")).items[0],
      user: (await realm.get("/v1/users?expand=custom")).items[0]
    }
    expect([result.status, result.body]).toEqual([201, { ...body, new_record: true }])
    expect(events).toEqual([membershipEvent("created", result)])
    const got = await realm.seenV1.during(() => realm.get(`/v1/memberships/${result.id}`))
    expect([got.result.status, got.result.body, got.events]).toEqual([200, body, []])
  })

  test("creates a membership without an org when org_id is missing or null", async () => {
    const realm = await newRealm()
    for (const [user, sent] of [
      [await realm.user(), {}],
      [await realm.apiUser(), { org_id: null }]
    ] as const) {
      const attributes = { user_id: user.id, ...sent, permissions: "a", custom: { plan: "pro" } }
      const { result, events } = await realm.seenV1.during(() => create(realm, attributes))
      const [shown] = (await realm.get("/v1/users?expand=custom&direction=asc&sort=id")).items.filter(
        ({ id }) => id === user.id
      )
      const body = {
        id: result.id,
        object: "membership",
        user_id: user.id,
        org_id: null,
        permissions: ["a"],
        custom: { plan: "pro" },
        expires_at: null,
        user: shown
      }
      expect([result.status, result.body]).toEqual([201, { ...body, new_record: true }])
      expect(events).toEqual([{ event_type: "membership.created", membership_id: result.id, user_id: user.id }])
      expect((await realm.get(`/v1/memberships/${result.id}`)).body).toEqual(body)
      expect((await realm.get(`/v1/users/${user.id}`)).member("membership_count")).toBe(1)
    }
  })

  test("allows one membership without an org per user, even under concurrent requests", async () => {
    const realm = await newRealm()
    const { user_id, org_id } = await pair(realm)
    await realm.membership(user_id, org_id)
    const { result, events } = await realm.seenV1.during(() =>
      Promise.all(Array.from({ length: 4 }, () => create(realm, { user_id })))
    )
    const [created, ...others] = result.toSorted((a, b) => a.status - b.status)
    if (created === undefined) throw new Error("No response")
    expect(others.map(statusAndErrors)).toEqual(Array(3).fill([422, ["User already has a membership without an org."]]))
    expect(events).toEqual([membershipEvent("created", created)])
    const twice = await create(realm, { user_id, org_id })
    expect(statusAndErrors(twice)).toEqual([422, ["User already has a membership in this org."]])
    expect((await createWithoutOrg(realm, (await realm.user()).id)).status).toBe(201)
  })

  test("C21: replaces an expired membership that has not been removed yet, and records its deletion", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const { user_id, org_id } = await pair(realm)
      const expired = await createWithoutOrg(realm, user_id, { expires_at: now + 1 })
      const kept = await create(realm, { user_id, org_id, expires_at: now + 1 })
      clock.advance(1_000)
      expect(statusAndErrors(await realm.get(`/v1/memberships/${expired.id}`))).toEqual(noMembership)
      const { result, events } = await realm.seenV1.during(() => createWithoutOrg(realm, user_id))
      expect(events).toEqual([membershipEvent("deleted", expired), membershipEvent("created", result)])
      const replaced = await realm.seenV1.during(() => create(realm, { user_id, org_id }))
      expect(replaced.events).toEqual([membershipEvent("deleted", kept), membershipEvent("created", replaced.result)])
    }))

  test("SEC-51: returns 422 for invalid members or another realm's ids without creating a membership", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [mine, foreign] = [await pair(realm), await pair(other)]
    const closed = await realm.org({ state: "closed" })
    const { user_id } = mine
    const [noUser, noOrg] = ["User could not be found.", "Org could not be found."]
    const events = await realm.seen.caused(async () => {
      for (const [membership, error] of [
        [{}, "User can't be blank."],
        [{ org_id: mine.org_id }, "User can't be blank."],
        [{ user_id: null }, "User must be text."],
        [{ user_id: 7 }, "User must be text."],
        [{ user_id: "" }, noUser],
        [{ user_id: "x".repeat(256) }, "User is too long (maximum is 255 characters)."],
        [{ user_id: foreign.user_id }, noUser],
        [{ user_id: unknownIdLike(user_id) }, noUser],
        [{ user_id: mine.org_id, org_id: mine.org_id }, noUser],
        [{ user_id, org_id: "" }, noOrg],
        [{ user_id, org_id: " " }, noOrg],
        [{ user_id, org_id: 0 }, "Org must be text."],
        [{ user_id, org_id: foreign.org_id }, noOrg],
        [{ user_id, org_id: unknownIdLike(mine.org_id) }, noOrg],
        [{ user_id, org_id: closed.id }, "Org refers to a closed org."],
        [{ user_id, permissions: "ar:root" }, /^Permissions can't start/],
        [{ user_id, permissions: ["a b"] }, /^Permissions may contain only/],
        [{ user_id, permissions: ["x".repeat(63)] }, /^Permissions may contain tags of at most 62/],
        [{ user_id, permissions: 7 }, "Permissions must be a list."],
        [{ user_id, custom: "x" }, "Custom must be an object."],
        [{ user_id, custom: { "a-b": 1 } }, /^The key "a-b" is not allowed/],
        [{ user_id, custom: { a: {} } }, /^The custom attribute "a" must be text/],
        [{ user_id, custom: { a: "x".repeat(16 * 1024) } }, "Custom is larger than 16 KiB."],
        [{ user_id, expires_at: now }, "Expires at must be in the future."]
      ] as const) {
        const expected = error instanceof RegExp ? expect.stringMatching(error) : error
        expect(statusAndErrors(await create(realm, membership))).toEqual([422, [expected]])
      }
      expect((await realm.post("/v1/memberships", mine)).status).toBe(400)
    })
    expect(events).toEqual([])
    for (const [name, id] of Object.entries(mine)) {
      expect((await realm.get(`/v1/memberships?${name}=${id}`)).items).toEqual([])
    }
  })

  test("includes a membership without an org in tokens and expansions", async () => {
    const realm = await (await service()).given.realm({ jwt_claims: "both", jwt_scopes: ["ar.orgs", "ar.custom"] })
    const { id } = await realm.user()
    const created = await createWithoutOrg(realm, id, { permissions: "a", custom: { plan: "pro" } })
    const claims = decodeJwt((await realm.session(id)).string("token"))
    expect(claims["m"]).toEqual([{ p: ["a"], oid: null, cs: { plan: "pro" } }])
    const expanded = await realm.get(`/v1/users/${id}?expand=memberships`)
    expect(expanded.member("memberships")).toMatchObject([{ id: created.id, org_id: null, custom: { plan: "pro" } }])
    expect((await realm.get(`/v2/memberships/${created.id}`)).body).toMatchObject({ id: created.id, org_id: null })
  })
})
