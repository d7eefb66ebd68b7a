import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { newRealm } from "../support/sallyport.ts"

const errorOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

/** A well-formed id that does not exist. */
const unknownId = (id: string) => id.replace(/.{4}$/, "zzzz")

const ids = (reply: Reply) => reply.items.map(({ id }) => id)

const pair = async (given: GivenRealm) => {
  const [user, org] = [await given.user({ first_name: "Jo" }), await given.org({ name: "Acme", custom: { a: 1 } })]
  return { user_id: user.id, org_id: org.id }
}

/** The event of a membership. */
const membershipEvent = (what: string, membership: Reply) => ({
  event_type: `membership.${what}`,
  membership_id: membership.id,
  user_id: membership.string("user_id"),
  org_id: membership.string("org_id")
})

describe("GET /v2/memberships", () => {
  test("includes the users for an org_id query and the orgs for a user_id query, but not for a query with both", async () => {
    const given = await newRealm()
    const { user_id, org_id } = await pair(given)
    const one = await given.membership(user_id, org_id, { permissions: "a b" })
    const two = await given.membership((await given.user()).id, org_id)
    const three = await given.membership(user_id, (await given.org()).id)
    const bare = { id: one.id, object: "membership", user_id, org_id, permissions: ["a", "b"], expires_at: null }

    const byUserAndOrg = await given.get(`/v2/memberships?user_id=${user_id}&org_id=${org_id}`)
    expect(byUserAndOrg.status).toBe(200)
    expect(byUserAndOrg.body).toEqual({ collection: [bare], more_results: false })
    const byOrg = await given.get(`/v2/memberships?org_id=${org_id}`)
    expect(ids(byOrg)).toEqual([one.id, two.id])
    expect(byOrg.items[0]).toEqual({ ...bare, user: expect.objectContaining({ id: user_id, first_name: "Jo" }) })
    const byUser = await given.get(`/v2/memberships?user_id=${user_id}`)
    expect(ids(byUser)).toEqual([one.id, three.id])
    expect(byUser.items[0]).toEqual({ ...bare, org: expect.objectContaining({ id: org_id, custom: { a: 1 } }) })
  })

  test("accepts an email in any case as user_id, and a username in /v1", async () => {
    const given = await newRealm()
    const user = await given.user({ email: "jo.of.many@example.test", username: "Jo.Of.Many" })
    const membership = await given.membership(user.id, (await given.org()).id)
    for (const [version, name] of [
      ["v1", "Jo.Of.MANY@example.test"],
      ["v2", "Jo.Of.MANY@example.test"],
      ["v1", "jo.of.MANY"]
    ] as const) {
      expect(ids(await given.get(`/${version}/memberships?user_id=${name}`)), name).toEqual([membership.id])
    }
    for (const nobody of ["nobody@example.test", "Jo.Of.Many", "usr_nope", ""]) {
      const reply = await given.get(`/v2/memberships?user_id=${nobody}`)
      expect([reply.status, reply.items], nobody).toEqual([200, []])
    }
  })

  test("returns 422 without a filter", async () => {
    const given = await newRealm()
    for (const query of ["", "?", "?max_results=10"]) {
      const reply = await given.get(`/v2/memberships${query}`)
      expect(errorOf(reply), query).toEqual({
        status: 422,
        errors: ["Org or user is required to list memberships."]
      })
    }
  })

  test("sorts by id, pages in both directions, and rejects unknown parameter values", async () => {
    const given = await newRealm()
    const org = await given.org()
    const created: Array<string> = []
    for (let n = 0; n < 5; n++) created.push((await given.membership((await given.user()).id, org.id)).id)
    const list = `/v2/memberships?org_id=${org.id}`
    for (const direction of ["asc", "desc"]) {
      const expected = direction === "asc" ? created : created.toReversed()
      const page = (after: string) => given.get(`${list}&direction=${direction}&sort=id&max_results=2${after}`)
      const first = await page("")
      const second = await page(`&after=${expected[1]}`)
      const third = await page(`&after=${expected[3]}`)
      expect([first, second, third].flatMap(ids)).toEqual(expected)
      expect([first, second, third].map((reply) => reply.member("more_results"))).toEqual([true, true, false])
    }
    for (const wrong of ["sort=name", "direction=up", "max_results=0", "max_results=1001", "max_results=x"]) {
      expect((await given.get(`${list}&${wrong}`)).status, wrong).toBe(422)
    }
    const other = await newRealm()
    const { org_id } = await pair(other)
    for (const after of ["mb_x", org.id]) {
      const reply = await given.get(`${list}&after=${after}`)
      expect(errorOf(reply)).toEqual({ status: 404, errors: ["Membership could not be found."] })
    }
    for (const id of [org_id, unknownId(org.id), "x"]) {
      expect((await given.get(`/v2/memberships?org_id=${id}`)).body).toEqual({ collection: [], more_results: false })
    }
  })
})

describe("POST /v2/memberships", () => {
  test("returns 201 with new_record, org and user, and records membership.created", async () => {
    const given = await newRealm()
    const { user_id, org_id } = await pair(given)
    const expires_at = 1_800_000_000.125
    const { result, events } = await given.seen.during(() =>
      given.post("/v2/memberships", { membership: { user_id, org_id, permissions: ["ar:owner", "a"], expires_at } })
    )
    expect(result.status).toBe(201)
    const [org, users] = [await given.get("/v2/orgs?expand=custom"), await given.get("/v2/users?expand=custom")]
    const { deletion_at: _, ...user } = Object(users.items[0])
    const membership = {
      id: result.id,
      object: "membership",
      user_id,
      org_id,
      permissions: ["ar:owner", "a"],
      expires_at,
      org: org.items[0],
      user
    }
    expect(result.body).toEqual({ ...membership, new_record: true })
    expect(events).toEqual([membershipEvent("created", result)])
    const got = await given.get(`/v2/memberships/${result.id}`)
    expect({ status: got.status, body: got.body }).toEqual({ status: 200, body: membership })
  })

  test("allows one membership per user and org, even under concurrent requests", async () => {
    const given = await newRealm()
    const membership = await pair(given)
    const { result, events } = await given.seen.during(() =>
      Promise.all(Array.from({ length: 5 }, () => given.post("/v2/memberships", { membership })))
    )
    const [created, ...others] = result.toSorted((a, b) => a.status - b.status)
    if (created === undefined) throw new Error("No response")
    expect(created.status).toBe(201)
    for (const other of others) {
      expect(errorOf(other)).toEqual({ status: 422, errors: ["User already has a membership in this org."] })
    }
    expect(events).toEqual([membershipEvent("created", created)])
  })

  test("SEC-51: returns 422 for missing, unknown or another realm's ids without creating a membership", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const [mine, foreign] = [await pair(given), await pair(other)]
    const unknownIds = { user_id: unknownId(mine.user_id), org_id: unknownId(mine.org_id) }
    const swappedIds = { user_id: mine.org_id, org_id: mine.user_id }
    const [noUser, noOrg] = [["User could not be found."], ["Org could not be found."]]
    const events = await given.seen.caused(async () => {
      for (const [membership, errors] of [
        [{ user_id: mine.user_id }, ["Org can't be blank."]],
        [{ org_id: mine.org_id }, ["User can't be blank."]],
        [{}, ["Org can't be blank.", "User can't be blank."]],
        [{ ...mine, user_id: null }, ["User must be text."]],
        [{ ...mine, org_id: foreign.org_id }, noOrg],
        [{ ...mine, user_id: foreign.user_id }, noUser],
        [{ ...mine, org_id: unknownIds.org_id }, noOrg],
        [{ ...mine, user_id: unknownIds.user_id }, noUser],
        [{ ...mine, org_id: "" }, noOrg],
        [swappedIds, noUser]
      ] as const) {
        expect(errorOf(await given.post("/v2/memberships", { membership }))).toEqual({ status: 422, errors })
      }
      expect((await given.post("/v2/memberships", mine)).status).toBe(400)
    })
    expect(events).toEqual([])
    for (const [name, id] of Object.entries(foreign)) {
      expect((await other.get(`/v2/memberships?${name}=${id}`)).items).toEqual([])
    }
    expect((await given.get(`/v2/memberships?user_id=${mine.user_id}`)).items).toEqual([])
  })
})

describe("PUT and DELETE /v2/memberships/{membership_id}", () => {
  test("PUT changes only the given members, returns the membership and records membership.updated", async () => {
    const given = await newRealm()
    const { user_id, org_id } = await pair(given)
    const { id } = await given.membership(user_id, org_id, { permissions: "a" })
    const path = `/v2/memberships/${id}`
    for (const [change, after] of [
      [{ expires_at: 1_800_000_000 }, { permissions: ["a"], expires_at: 1_800_000_000 }],
      [{ permissions: ["b"] }, { permissions: ["b"], expires_at: 1_800_000_000 }],
      [{ expires_at: null }, { permissions: ["b"], expires_at: null }]
    ] as const) {
      const { result, events } = await given.seen.during(() => given.put(path, { membership: change }))
      expect(result.status).toBe(200)
      expect(result.body).toMatchObject({ ...after, org: { id: org_id }, user: { id: user_id } })
      expect(result.body).toEqual((await given.get(path)).body)
      expect(events).toEqual([membershipEvent("updated", result)])
    }
  })

  test("PUT ignores org_id and user_id, and records no event if nothing changes", async () => {
    const given = await newRealm()
    const { user_id, org_id } = await pair(given)
    const other = await pair(given)
    const { id } = await given.membership(user_id, org_id, { permissions: "a b", expires_at: 1_800_000_000 })
    const before = (await given.get(`/v2/memberships/${id}`)).body
    const same = { permissions: ["a", "b"], expires_at: 1_800_000_000 }
    const events = await given.seen.caused(async () => {
      for (const membership of [{}, other, same, { ...same, ...other, id: "mb_x", created_at: 1, custom: { a: 1 } }]) {
        const reply = await given.put(`/v2/memberships/${id}`, { membership })
        expect({ status: reply.status, body: reply.body }).toEqual({ status: 200, body: before })
      }
    })
    expect(events).toEqual([])
  })

  test("DELETE returns 204 and records membership.deleted, then returns 404", async () => {
    const given = await newRealm()
    const { user_id, org_id } = await pair(given)
    const membership = await given.membership(user_id, org_id)
    const path = `/v2/memberships/${membership.id}`
    const { result, events } = await given.seen.during(() => given.delete(path))
    expect({ status: result.status, text: result.text }).toEqual({ status: 204, text: "" })
    expect(events).toEqual([membershipEvent("deleted", membership)])
    const again = await given.seen.during(() => given.delete(path))
    expect({ ...errorOf(again.result), events: again.events }).toEqual({
      status: 404,
      errors: ["Membership could not be found."],
      events: []
    })
    expect((await given.membership(user_id, org_id)).id).not.toBe(membership.id)
  })

  test("SEC-50: another realm's membership is treated as an unknown id", async () => {
    const [given, other] = [await newRealm(), await newRealm()]
    const { user_id, org_id } = await pair(other)
    const { id } = await other.membership(user_id, org_id)
    const locked = await given.as("write")
    const events = await other.seen.caused(async () => {
      for (const api of [given, locked]) {
        for (const path of [id, unknownId(id), "mb_x", org_id].map((each) => `/v2/memberships/${each}`)) {
          for (const reply of [
            await api.get(path),
            await api.put(path, { membership: { permissions: "ar:owner" } }),
            await api.delete(path)
          ]) {
            expect(errorOf(reply)).toEqual({ status: 404, errors: ["Membership could not be found."] })
          }
        }
      }
    })
    expect(events).toEqual([])
  })
})

test("GET requires level read; POST, PUT and DELETE require level write", async () => {
  const given = await newRealm()
  const { user_id, org_id } = await pair(given)
  const { id } = await given.membership(user_id, org_id)
  const fresh = { user_id, org_id: (await given.org()).id }
  const [reader, writer] = [await given.as("read"), await given.as("write")]
  expect((await reader.get(`/v2/memberships?org_id=${org_id}`)).status).toBe(200)
  expect((await reader.get(`/v2/memberships/${id}`)).status).toBe(200)
  const statusesFor = async (api: Api) => [
    (await api.post("/v2/memberships", { membership: fresh })).status,
    (await api.put(`/v2/memberships/${id}`, { membership: { permissions: "a" } })).status,
    (await api.delete(`/v2/memberships/${id}`)).status
  ]
  expect(await given.seen.caused(async () => expect(await statusesFor(reader)).toEqual([403, 403, 403]))).toEqual([])
  expect(await statusesFor(writer)).toEqual([201, 200, 204])
})
