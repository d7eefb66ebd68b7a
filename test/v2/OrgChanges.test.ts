import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { newRealm } from "../support/sallyport.ts"

const errorOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

const finalAnswer = { status: 422, errors: ["The org is permanently closed and can't be changed."] }

describe("PUT /v2/orgs/{org_id}", () => {
  test("changes only the given members, returns the org and records org.updated", async () => {
    const given = await newRealm()
    const org = await given.org({ name: "Acme", reference: "a-1", custom: { a: 1 } })
    const before = { name: "Acme", reference: "a-1", custom: { a: 1 }, state: "active" }
    for (const change of [{ name: "Acme 2" }, { reference: "b" }, { reference: null }, { state: "inactive" }]) {
      const { result, events } = await given.seen.during(() => given.put(`/v2/orgs/${org.id}`, { org: change }))
      expect(result.status).toBe(200)
      expect(result.body).toMatchObject(Object.assign(before, change))
      expect(events).toEqual([{ event_type: "org.updated", org_id: org.id }])
      expect((await given.get(`/v2/orgs/${org.id}`)).body).toEqual(result.body)
    }
    expect((await given.put(`/v2/orgs/${org.id}`, { org: { state: "active" } })).member("state")).toBe("active")
  })

  test("replaces custom as a whole with case-sensitive keys, and clears it for null", async () => {
    const given = await newRealm()
    const org = await given.org({ custom: { Key: 1, key: 2, gone: true } })
    expect(org.member("custom")).toEqual({ Key: 1, key: 2, gone: true })
    const custom = { Key: [1, "x", null, false], key: null, n: 1.5, constructor: "c" }
    const changed = await given.put(`/v2/orgs/${org.id}`, { org: { custom } })
    expect(changed.member("custom")).toEqual(custom)
    // Sent as text, because an object literal can't have `__proto__` as its own member.
    const own = await given.put(`/v2/orgs/${org.id}`, '{"org":{"custom":{"__proto__":"p"}}}')
    expect(own.text).toContain('"custom":{"__proto__":"p"}')
    expect((await given.put(`/v2/orgs/${org.id}`, { org: { custom: null } })).member("custom")).toEqual({})
  })

  test("records no event for an update that changes nothing", async () => {
    const given = await newRealm()
    const org = await given.org({ name: "Acme", reference: "r", custom: { a: [1], b: "x" } })
    const events = await given.seen.caused(async () => {
      for (const same of [{}, { name: "Acme" }, { reference: "r", state: "active" }, { custom: { b: "x", a: [1] } }]) {
        const reply = await given.put(`/v2/orgs/${org.id}`, { org: same })
        expect(reply.status).toBe(200)
        expect(reply.body).toEqual((await given.get(`/v2/orgs/${org.id}`)).body)
      }
    })
    expect(events).toEqual([])
  })

  test("returns 422 for invalid attributes without changing the org", async () => {
    const given = await newRealm()
    const org = await given.org()
    const before = (await given.get(`/v2/orgs/${org.id}`)).body
    const events = await given.seen.caused(async () => {
      for (const wrong of [{ name: "" }, { name: null }, { state: "open" }, { state: null }, { custom: { ä: 1 } }]) {
        expect((await given.put(`/v2/orgs/${org.id}`, { org: { reference: "new", ...wrong } })).status).toBe(422)
      }
      expect((await given.put(`/v2/orgs/${org.id}`, {})).status).toBe(400)
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/orgs/${org.id}`)).body).toEqual(before)
  })
})

describe("closing an org", () => {
  const closings = {
    "DELETE without force": (api: Api, id: string) => api.delete(`/v2/orgs/${id}`),
    "DELETE with force=false": (api: Api, id: string) => api.delete(`/v2/orgs/${id}?force=false`),
    "PUT state closed": (api: Api, id: string) => api.put(`/v2/orgs/${id}`, { org: { state: "closed" } })
  }
  for (const [way, close] of Object.entries(closings)) {
    test(`by ${way} returns state closed, records org.updated and keeps its memberships`, async () => {
      const given = await newRealm()
      const [org, user] = [await given.org({ state: "inactive" }), await given.user()]
      const membership = await given.membership(user.id, org.id)
      const { result, events } = await given.seen.during(() => close(given, org.id))
      expect(result.status).toBe(200)
      expect(result.body).toMatchObject({ id: org.id, object: "org", state: "closed", name: org.string("name") })
      expect(events).toEqual([{ event_type: "org.updated", org_id: org.id }])
      expect((await given.get(`/v2/orgs/${org.id}`)).member("state")).toBe("closed")
      expect((await given.get(`/v2/memberships/${membership.id}`)).member("org", "state")).toBe("closed")
    })
  }

  test("is final: an update or a second close returns 422 without changing the org", async () => {
    const given = await newRealm()
    const org = await given.org({ name: "Acme" })
    await given.delete(`/v2/orgs/${org.id}`)
    const events = await given.seen.caused(async () => {
      for (const change of [{ state: "active" }, { state: "inactive" }, { state: "closed" }, { name: "x" }, {}]) {
        expect(errorOf(await given.put(`/v2/orgs/${org.id}`, { org: change }))).toEqual(finalAnswer)
      }
      expect(errorOf(await given.delete(`/v2/orgs/${org.id}`))).toEqual(finalAnswer)
    })
    expect(events).toEqual([])
    expect((await given.get(`/v2/orgs/${org.id}`)).body).toMatchObject({ state: "closed", name: "Acme" })
  })

  test("prevents new members in every operation", async () => {
    const given = await newRealm()
    const [org, open, user] = [await given.org({ state: "closed" }), await given.org(), await given.user()]
    const events = await given.seen.caused(async () => {
      for (const [path, body] of [
        ["memberships", { membership: { user_id: user.id, org_id: org.id } }],
        ["users", { user: { email: "new@example.test", credentials: [] }, org_ids: [open.id, org.id] }],
        ["orgs", { org: { name: "x", state: "closed" }, user_ids: user.id }],
        ["orgs", { org: { name: "x", state: "closed" }, user: { email: "new@example.test", credentials: [] } }],
        ["users", { user: { email: "n@example.test", credentials: [], org: { name: "x", state: "closed" } } }]
      ] as const) {
        const reply = await given.post(`/v2/${path}`, body)
        expect(reply.status, path).toBe(422)
        expect(reply.errors).toEqual([expect.stringMatching(/refers to a closed org\.$/)])
      }
    })
    expect(events).toEqual([])
    expect((await given.get("/v2/users")).items.length).toBe(1)
    expect((await given.get("/v2/orgs")).items.length).toBe(2)
    expect((await given.get(`/v2/memberships?user_id=${user.id}`)).items).toEqual([])
  })
})

describe("DELETE /v2/orgs/{org_id}?force=true", () => {
  const deletions = {
    "in the query": (api: Api, id: string) => api.delete(`/v2/orgs/${id}?force=true`),
    "in a JSON body": (api: Api, id: string) => api.call("DELETE", `/v2/orgs/${id}`, { body: { force: true } })
  }
  for (const [way, remove] of Object.entries(deletions)) {
    test(`${way}: returns 202, deletes the org, and records org.deleted and a membership.deleted for each membership`, async () => {
      const given = await newRealm()
      const [org, other] = [await given.org(), await given.org()]
      const [one, two] = [await given.user(), await given.user()]
      const deletedMemberships = [await given.membership(one.id, org.id), await given.membership(two.id, org.id)]
      const kept = await given.membership(one.id, other.id)
      const { result, events } = await given.seen.during(() => remove(given, org.id))
      expect({ status: result.status, text: result.text }).toEqual({ status: 202, text: "" })
      expect(events).toEqual([
        { event_type: "org.deleted", org_id: org.id },
        ...deletedMemberships.map((membership) => ({
          event_type: "membership.deleted",
          org_id: org.id,
          user_id: membership.string("user_id"),
          membership_id: membership.id
        }))
      ])
      expect((await given.get(`/v2/orgs/${org.id}`)).status).toBe(404)
      expect((await remove(given, org.id)).status).toBe(404)
      for (const { id } of deletedMemberships) expect((await given.get(`/v2/memberships/${id}`)).status).toBe(404)
      expect((await given.get(`/v2/users/${one.id}?expand=memberships`)).member("memberships")).toMatchObject([
        { id: kept.id }
      ])
    })
  }

  test("also deletes a closed org", async () => {
    const given = await newRealm()
    const org = await given.org({ state: "closed" })
    const { result, events } = await given.seen.during(() => given.delete(`/v2/orgs/${org.id}?force=1`))
    expect(result.status).toBe(202)
    expect(events).toEqual([{ event_type: "org.deleted", org_id: org.id }])
  })

  test("returns 422 for a force value other than true or false, and deletes no org", async () => {
    const given = await newRealm()
    const org = await given.org()
    for (const force of ["yes", "", "TRUE"]) {
      expect((await given.delete(`/v2/orgs/${org.id}?force=${force}`)).status).toBe(422)
    }
    expect((await given.get(`/v2/orgs/${org.id}`)).member("state")).toBe("active")
  })

  test("SEC-56 (CVE-2026-55670): never reuses the id of a deleted org", async () => {
    const given = await newRealm()
    const org = await given.org({ name: "Acme" })
    await given.delete(`/v2/orgs/${org.id}?force=true`)
    const again = await given.org({ name: "Acme", id: org.id })
    expect(again.id > org.id).toBe(true)
    expect((await given.get(`/v2/orgs/${org.id}`)).status).toBe(404)
  })
})

test("only active orgs appear in the expanded memberships of users and sessions", async () => {
  const given = await newRealm()
  const user = await given.user()
  const [active, inactive, closed] = [await given.org(), await given.org(), await given.org()]
  for (const { id } of [active, inactive, closed]) await given.membership(user.id, id)
  await given.put(`/v2/orgs/${inactive.id}`, { org: { state: "inactive" } })
  await given.delete(`/v2/orgs/${closed.id}`)
  const session = await given.session(user.id)
  const shown = (reply: Reply, ...way: ReadonlyArray<string>) => reply.member(...way, "memberships")
  const expected = [{ org_id: active.id, org: { id: active.id, state: "active" } }]
  const expandedUser = await given.get(`/v2/users/${user.id}?expand=memberships`)
  expect(shown(expandedUser)).toMatchObject(expected)
  expect(shown(await given.get(`/v2/sessions/${session.id}?expand=memberships`), "user")).toMatchObject(expected)
  await given.put(`/v2/orgs/${inactive.id}`, { org: { state: "active" } })
  expect(shown(await given.get(`/v2/users/${user.id}?expand=memberships`))).toMatchObject([
    ...expected,
    { org_id: inactive.id }
  ])
})

test("SEC-50: another realm's org is treated as an unknown id", async () => {
  const [given, other] = [await newRealm(), await newRealm()]
  const [org, mine] = [await other.org(), await given.org()]
  const locked = await given.as("admin_realm")
  const events = await other.seen.caused(async () => {
    for (const api of [given, locked]) {
      for (const id of [org.id, org.id.replace(/.{4}$/, "zzzz"), "org_x", "x", `${mine.id}0`]) {
        for (const reply of [
          await api.get(`/v2/orgs/${id}`),
          await api.put(`/v2/orgs/${id}`, { org: { name: "taken over" } }),
          await api.delete(`/v2/orgs/${id}`),
          await api.delete(`/v2/orgs/${id}?force=true`)
        ]) {
          expect(errorOf(reply), id).toEqual({ status: 404, errors: ["Org could not be found."] })
        }
      }
    }
  })
  expect(events).toEqual([])
  expect((await other.get(`/v2/orgs/${org.id}`)).member("name")).toBe(org.string("name"))
})

test("GET requires level read; POST, PUT and DELETE require level write", async () => {
  const given = await newRealm()
  const org = await given.org()
  const [reader, writer] = [await given.as("read"), await given.as("write")]
  expect((await reader.get("/v2/orgs")).status).toBe(200)
  expect((await reader.get(`/v2/orgs/${org.id}`)).status).toBe(200)
  const calls = (api: Api) => [
    () => api.post("/v2/orgs", { org: { name: "x" } }),
    () => api.put(`/v2/orgs/${org.id}`, { org: { name: "x" } }),
    () => api.delete(`/v2/orgs/${org.id}`),
    () => api.delete(`/v2/orgs/${org.id}?force=true`)
  ]
  const events = await given.seen.caused(async () => {
    for (const call of calls(reader)) expect((await call()).status).toBe(403)
  })
  expect(events).toEqual([])
  const statuses: Array<number> = []
  for (const call of calls(writer)) statuses.push((await call()).status)
  expect(statuses).toEqual([201, 200, 200, 202])
})
