import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { emailHook, receiverResponse, turnedRealm, webhook, withAccountHook } from "../support/hooks.ts"
import { query, tablesWith } from "../support/query.ts"

type Turned = Awaited<ReturnType<typeof turnedRealm>>

/** The number of rows of a realm per table. Excludes the announcement of the change to other processes. */
const rowsOf = async ({ sql }: Turned, { id }: GivenRealm): Promise<Readonly<Record<string, number>>> => {
  const tables = await tablesWith(sql, "realm_id")
  const own = tables.filter((name) => name !== "realm_changes")
  const counts = own.map(
    (name) => sql`select ${name}::text as name, count(*)::int as count from ${sql(name)} where realm_id = ${id}`
  )
  const rows = await query(
    sql<{ readonly name: string; readonly count: number }>`${sql.join(" union all ", false)(counts)}`
  )
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
}

/** The event types of this realm that a hook for all realms received. Other realms' events are ignored. */
const typesOf = ({ receiver }: Turned, hook: Awaited<ReturnType<typeof webhook>>, { id }: GivenRealm) =>
  receiver
    .to(hook.string("destination"))
    .map(({ body }) => JSON.parse(body))
    .filter(({ realm_id }) => realm_id === id)
    .map(({ event_type }) => event_type)

const typesAt = ({ receiver }: Turned, hook: Awaited<ReturnType<typeof webhook>>) =>
  receiver.to(hook.string("destination")).map(({ body }) => JSON.parse(body).event_type)

describe("the deletion of a realm", () => {
  test("sends only realm.deleted to the realm's own hooks and to all-realms hooks, even after the purge", async () => {
    const own = await turnedRealm()
    const { realm, given, receiver, postbox, advance } = own
    await withAccountHook(given.root, { event_type: [], delay: 3_600 }, async (everywhere) => {
      const prompt = await webhook(realm)
      const late = await webhook(realm, { delay: 7_200 })
      const off = await webhook(realm, { state: "inactive" })
      const deaf = await webhook(realm, { event_type: ["org.created"] })
      const mailing = await emailHook(realm, { event_type: ["user.created"] })
      await realm.org()
      const user = await realm.user({ email_verification: "requested" })
      const before = await given.root.get(`/v2/realms/${realm.id}`)
      expect((await given.root.delete(`/v2/realms/${realm.id}`)).status).toBe(202)
      expect((await given.root.get(`/v2/hooks/${late.id}`)).status).toBe(404)
      expect((await given.root.get("/v2/hooks?direction=desc")).text).not.toContain(realm.id)

      await advance(0)
      // Everything is purged except realm.deleted, its deliveries and the hook that hasn't received it yet.
      expect(await rowsOf(own, realm)).toEqual({ app_hooks: 1, deliveries: 3, events: 1 })
      expect(typesAt(own, prompt)).toEqual(["realm.deleted"])
      expect(typesAt(own, late)).toEqual([])
      await advance("4 hours")
      expect(typesAt(own, prompt)).toEqual(["realm.deleted"])
      expect(typesAt(own, late)).toEqual(["realm.deleted"])
      expect(typesOf(own, everywhere, realm)).toEqual(["realm.deleted"])
      for (const hook of [off, deaf]) expect(typesAt(own, hook)).toEqual([])
      expect(postbox.to(user.string("email"))).toEqual([])
      const [post] = receiver.to(late.string("destination"))
      expect(JSON.parse(post?.body ?? "")).toMatchObject({ event_type: "realm.deleted", realm_id: realm.id })
      expect(post?.body).not.toContain(before.string("name"))
      expect(await rowsOf(own, realm)).toEqual({ deliveries: 3, events: 1 })
      expect(mailing.status).toBe(201)
    })
  })

  test("makes the usual nine attempts at a receiver that is down, and then purges the hook", async () => {
    const own = await turnedRealm()
    const { realm, given, receiver, advance } = own
    const [patient, dead] = [await webhook(realm), await webhook(realm)]
    const downUntil = own.clock.currentTimeMillisUnsafe() + 40 * 3_600_000
    receiver.answer(patient.string("destination"), ({ at }) =>
      receiverResponse(at.epochMilliseconds < downUntil ? 503 : 200)
    )
    receiver.answer(dead.string("destination"), () => receiverResponse(500))
    await given.root.delete(`/v2/realms/${realm.id}`)
    await advance(0)
    expect(await rowsOf(own, realm)).toEqual({ app_hooks: 2, deliveries: 2, events: 1 })
    await advance("4 days")
    expect(typesAt(own, patient)).toEqual(Array.from({ length: 9 }, () => "realm.deleted"))
    expect(typesAt(own, dead)).toEqual(Array.from({ length: 9 }, () => "realm.deleted"))
    const states = await query(
      own.sql`select state, attempts from deliveries where realm_id = ${realm.id} order by state`
    )
    expect(states).toEqual([
      { state: "completed", attempts: 9 },
      { state: "failed", attempts: 9 }
    ])
    expect(await rowsOf(own, realm)).toEqual({ deliveries: 2, events: 1 })
  })

  test("purges the hook of a receiver that responds with 410", async () => {
    const own = await turnedRealm()
    const { realm, given, receiver, advance } = own
    const gone = await webhook(realm)
    receiver.answer(gone.string("destination"), () => receiverResponse(410))
    await given.root.delete(`/v2/realms/${realm.id}`)
    await advance("1 day")
    expect(typesAt(own, gone)).toEqual(["realm.deleted"])
    expect(await rowsOf(own, realm)).toEqual({ deliveries: 1, events: 1 })
  })

  test("still delivers other realms' pending events to an all-realms hook", async () => {
    const own = await turnedRealm()
    const { realm, given, receiver, advance } = own
    const other = await given.realm()
    await withAccountHook(given.root, { event_type: ["org.created"], delay: 60 }, async (everywhere) => {
      await realm.org()
      const org = await other.org()
      await given.root.delete(`/v2/realms/${realm.id}`)
      await advance("2 minutes")
      const posts = receiver.to(everywhere.string("destination")).map(({ body }) => JSON.parse(body))
      expect(posts.map(({ org_id }) => org_id)).toEqual([org.id])
    })
  })
})
