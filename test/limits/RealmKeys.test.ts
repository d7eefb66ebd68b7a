import { expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { ownService, service } from "../support/sallyport.ts"

const MAX_KEYS = 1_000

const create = (caller: Api, realm: GivenRealm, version = "v2") =>
  caller.post(`/${version}/api_keys`, { api_key: { name: "One of many", level: "write", realm_id: realm.id } })

const keyOf = async (realm: GivenRealm) => new Api(realm.transport, (await create(realm, realm)).string("key"))

const inBatches = async (count: number, ask: () => Promise<Reply>): Promise<ReadonlyArray<Reply>> => {
  const replies: Array<Reply> = []
  while (replies.length < count)
    replies.push(...(await Promise.all(Array.from({ length: Math.min(20, count - replies.length) }, ask))))
  return replies
}

/** Returns the types of the events caused by an action, even if they don't fit on one page. */
const eventTypesCausedBy = async (realm: GivenRealm, action: () => Promise<unknown>) => {
  const newest = () => realm.get("/v2/events?direction=desc&max_results=20").then(({ items }) => items)
  const [last] = await newest()
  await action()
  const events = await newest()
  return events
    .slice(
      0,
      events.findIndex(({ id }) => id === last?.["id"])
    )
    .map(({ event_type }) => event_type)
}

const statusesOf = (replies: ReadonlyArray<Reply>) => replies.map(({ status }) => status).sort()

const rateLimitOf = (reply: Reply) => ({
  status: reply.status,
  code: reply.member("error_details", 0, "code"),
  retryAfter: reply.headers.get("retry-after"),
  limit: reply.headers.get("ratelimit"),
  policy: reply.headers.get("ratelimit-policy")
})

test("SEC-252: a realm can have at most 1,000 API keys, even under concurrent creation", async () => {
  const { given } = await service()
  const [realm, another] = [await given.realm(), await given.realm()]
  const created = await inBatches(MAX_KEYS - 3, () => create(given.root, realm))
  expect(new Set(statusesOf(created))).toEqual(new Set([201]))
  const events = await eventTypesCausedBy(realm, async () => {
    const last = await Promise.all(Array.from({ length: 8 }, () => create(given.root, realm)))
    expect(statusesOf(last)).toEqual([201, 201, 201, 422, 422, 422, 422, 422])
  })
  expect(events).toEqual(["api_key.created", "api_key.created", "api_key.created"])
  for (const version of ["v1", "v2"]) {
    const eventTypes = await eventTypesCausedBy(realm, async () => {
      const rejected = await create(given.root, realm, version)
      expect([rejected.status, rejected.body]).toMatchObject([
        422,
        {
          errors: ["A realm can have at most 1000 API keys. Delete those that you no longer need."],
          error_details: [{ field: null, code: "too_many_api_keys", params: { most: MAX_KEYS } }]
        }
      ])
    })
    expect(eventTypes).toEqual([])
  }
  expect((await create(given.root, another)).status).toBe(201)
  expect((await given.root.delete(`/v2/api_keys/${created[0]?.id}`)).status).toBe(204)
  expect(statusesOf([await create(given.root, realm), await create(given.root, realm)])).toEqual([201, 422])
})

test("SEC-252: a realm's keys share its total of reads and writes, separate from other realms", () =>
  ownService(
    async ({ given, advance }) => {
      const [realm, another] = [await given.realm(), await given.realm()]
      const limits = { reads: 40, reads_total: 60, writes: 40, writes_total: 60 }
      expect((await realm.put(`/v2/realms/${realm.id}`, { realm: { limits } })).member("limits")).toEqual(limits)
      const [one, two, third, elsewhere] = [
        await keyOf(realm),
        await keyOf(realm),
        await keyOf(realm),
        await keyOf(another)
      ]
      const calls = {
        reads: (api: Api) => api.get("/v2/users?max_results=1"),
        writes: (api: Api) => api.delete("/v2/sessions/kss_nobody")
      }
      for (const [limit, call] of Object.entries(calls)) {
        const spent = await inBatches(45, () => call(one))
        expect(statusesOf(spent).filter((status) => status === 429)).toHaveLength(5)
        expect(rateLimitOf(spent.find(({ status }) => status === 429) ?? (await call(one)))).toMatchObject({
          status: 429,
          policy: `"${limit}";q=40;w=10`
        })
        const shared = await inBatches(30, () => call(two))
        expect(statusesOf(shared).filter((status) => status === 429)).toHaveLength(10)
        const events = await realm.seen.caused(async () => {
          expect(rateLimitOf(await call(third))).toEqual({
            status: 429,
            code: "too_often",
            retryAfter: "10",
            limit: `"${limit}_total";r=0;t=10`,
            policy: `"${limit}_total";q=60;w=10`
          })
        })
        expect(events).toEqual([])
        expect((await call(elsewhere)).status).toBeLessThan(300)
        expect((await call(realm)).status).toBeLessThan(300)
      }
      await advance("10 seconds")
      for (const call of Object.values(calls)) expect((await call(third)).status).toBeLessThan(300)
    },
    { limits: "all" }
  ))

test("SEC-252: the default total of a realm is never below the limit of a single key", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm()
      await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { writes: 2_100 } } })
      const caller = await keyOf(realm)
      const replies = await inBatches(2_105, () => caller.delete("/v2/sessions/kss_nobody"))
      expect(replies.filter(({ status }) => status === 204)).toHaveLength(2_100)
      expect(rateLimitOf(await caller.delete("/v2/sessions/kss_nobody"))).toMatchObject({
        status: 429,
        policy: '"writes";q=2100;w=10'
      })
    },
    { limits: "all" }
  ))
