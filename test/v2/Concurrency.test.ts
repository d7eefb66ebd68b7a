import { expect, test } from "vitest"
import { newRealm } from "../support/sallyport.ts"

/** Several attempts, because the order of concurrent requests can't be controlled. */
const tries = Array.from({ length: 8 })

test("SEC-55: a session created while its user is being deactivated does not survive the deactivation", async () => {
  const given = await newRealm()
  for (const _ of tries) {
    const user = await given.user()
    const begin = () => given.post("/v2/sessions", { session: { user_id: user.id } })
    const deactivate = () => given.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    const replies = await Promise.all([begin(), begin(), deactivate(), begin(), begin()])
    expect(replies.map(({ status }) => status).filter((status) => ![200, 201, 404].includes(status))).toEqual([])
    expect((await given.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])
  }
})

test("a session created while its user is being deleted does not survive the deletion", async () => {
  const given = await newRealm()
  for (const _ of tries) {
    const user = await given.user()
    const begin = () => given.post("/v2/sessions", { session: { user_id: user.id } })
    const replies = await Promise.all([begin(), begin(), given.delete(`/v2/users/${user.id}`), begin(), begin()])
    expect(replies.map(({ status }) => status).filter((status) => ![201, 204, 404].includes(status))).toEqual([])
    expect((await given.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])
  }
})

test("a membership created while its user or org is being deleted does not survive the deletion", async () => {
  const given = await newRealm()
  for (const [at] of tries.entries()) {
    const [user, org] = [await given.user(), await given.org()]
    const join = () => given.post("/v2/memberships", { membership: { user_id: user.id, org_id: org.id } })
    const remove = () => given.delete(at % 2 === 0 ? `/v2/users/${user.id}` : `/v2/orgs/${org.id}?force=true`)
    const replies = await Promise.all([join(), remove(), join(), join()])
    expect(replies.map(({ status }) => status).filter((status) => ![201, 202, 204, 422].includes(status))).toEqual([])
    for (const filter of [`user_id=${user.id}`, `org_id=${org.id}`]) {
      expect((await given.get(`/v2/memberships?${filter}`)).items).toEqual([])
      const recorded = (await given.get(`/v2/events?event_type=membership.&${filter}`)).items
      expect(recorded.map(({ event_type }) => event_type)).toEqual(
        recorded.length === 0 ? [] : ["membership.created", "membership.deleted"]
      )
    }
  }
})

test("no user can join an org after the org is closed", async () => {
  const given = await newRealm()
  for (const _ of tries) {
    const [user, org] = [await given.user(), await given.org()]
    const [joined] = await Promise.all([
      given.post("/v2/memberships", { membership: { user_id: user.id, org_id: org.id } }),
      given.delete(`/v2/orgs/${org.id}`)
    ])
    const recorded = (await given.get(`/v2/events?org_id=${org.id}`)).items.map(({ event_type }) => event_type)
    const join = joined?.status === 201 ? ["membership.created"] : []
    expect(recorded).toEqual(["org.created", ...join, "org.updated"])
  }
})

test("only one of several concurrent requests to close or delete an org succeeds and records an event", async () => {
  const given = await newRealm()
  for (const [path, done, late, eventType] of [
    ["", 200, 422, "org.updated"],
    ["?force=true", 202, 404, "org.deleted"]
  ] as const) {
    const org = await given.org()
    const { result, events } = await given.seen.during(() =>
      Promise.all(Array.from({ length: 4 }, () => given.delete(`/v2/orgs/${org.id}${path}`)))
    )
    expect(result.map(({ status }) => status).toSorted()).toEqual([done, late, late, late])
    expect(events).toEqual([{ event_type: eventType, org_id: org.id }])
  }
})

test("concurrent changes of jwt_algo create only one key", async () => {
  const given = await newRealm()
  const change = () => given.put(`/v2/realms/${given.id}`, { realm: { jwt_algo: "rs256" } })
  const { result, events } = await given.seen.during(() => Promise.all([change(), change()]))
  expect(result.map(({ status }) => status)).toEqual([200, 200])
  expect(events).toEqual([{ event_type: "realm.updated" }])
  expect((await given.call("GET", `/realms/${given.id}/jwks`)).member("keys")).toHaveLength(1)
})

test("concurrent creation of many users rejects duplicate emails, and releases all connections", async () => {
  const given = await newRealm()
  const create = (n: number) => given.post("/v2/users", { user: { email: `crowd${n}@example.test`, credentials: [] } })
  const { result, events } = await given.seen.during(() =>
    Promise.all(Array.from({ length: 60 }, (_, n) => create(n % 50)))
  )
  const created = result.filter(({ status }) => status === 201).map(({ id }) => id)
  expect([created.length, result.filter(({ status }) => status === 422).length]).toEqual([50, 10])
  expect(events.map(({ event_type, user_id }) => [event_type, user_id]).toSorted()).toEqual(
    created.map((id) => ["user.created", id]).toSorted()
  )
  // More transactions than connections, and reads at the same time.
  const update = (id: string) => given.put(`/v2/users/${id}`, { user: { first_name: "Jo" } })
  const next = await Promise.all([...created.map(update), ...created.map((id) => given.get(`/v2/users/${id}`))])
  expect(new Set(next.map(({ status }) => status))).toEqual(new Set([200]))
})
