import { expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { oldestRetainedEvent, retentionEnd } from "#domain/EventRetention"
import { encodeId } from "#domain/Ids"
import { expiringTables } from "#store/operations/ExpiredRowsRepo"
import type { GivenRealm } from "#testing/Given"
import { integer } from "../support/arbitraries.ts"
import { latest, notificationFor, webhook } from "../support/hooks.ts"
import { query, tablesWith } from "../support/query.ts"
import { isolatedService, type OwnService } from "../support/sallyport.ts"

/** The numbers of events of a realm and of their deliveries. */
const rowsOf = async ({ sql }: OwnService, { id }: GivenRealm) => {
  const [row] = await query(
    sql<{ readonly events: number; readonly deliveries: number }>`select
      (select count(*)::int from events where realm_id = ${id}) as events,
      (select count(*)::int from deliveries where realm_id = ${id}) as deliveries`
  )
  return [row?.events, row?.deliveries]
}

it(
  "SEC-101: the sweep deletes events and their deliveries after the retention time, except during delivery",
  () =>
    isolatedService(
      async (own) => {
        const realm = await own.given.realm()
        const hook = await webhook(realm, { event_type: ["org.created"] })
        await realm.org()
        const first = await latest(realm, "org.created")
        await own.advance("1 minute")
        await realm.org()
        const second = await latest(realm, "org.created")
        await own.advance("1 minute")
        expect(await notificationFor(realm, second.eventId, hook.id)).toMatchObject({ state: "completed" })
        // A receiver that asks for a much later retry.
        await query(
          own.sql`update deliveries set state = 'in_progress', due_at = due_at + interval '400 days'
          where event_id = ${second.eventId}`
        )
        const before = await rowsOf(own, realm)
        await own.advance("39 days")
        expect(await rowsOf(own, realm)).toEqual(before)
        await realm.org()
        const third = await latest(realm, "org.created")
        const { events } = await realm.seen.during(() => own.advance("2 days"))
        expect(events).toEqual([])
        expect((await realm.seen.all()).map(({ event_type }) => event_type)).toEqual(["org.created", "org.created"])
        expect((await realm.get(`/v2/events/${first.eventId}`)).status).toBe(404)
        const rest = await realm.get(`/v2/events?after=${first.eventId}`)
        expect([rest.status, rest.items.length]).toEqual([200, 2])
        expect((await realm.get(`/v2/events/${second.eventId}`)).status).toBe(200)
        expect(await rowsOf(own, realm)).toEqual([2, 2])

        const [{ id = "" } = {}] = second.notifications
        const canceled = await realm.post(`/v2/events/${second.eventId}/notifications/${String(id)}/cancel`, {})
        expect(canceled.status).toBe(200)
        await own.advance(0)
        expect((await realm.get(`/v2/events/${second.eventId}`)).status).toBe(404)
        expect((await realm.get("/v2/events")).items.map((event) => event["id"])).toEqual([third.eventId])
        expect(await rowsOf(own, realm)).toEqual([1, 1])
      },
      { eventRetentionDays: 40 }
    ),
  60_000
)

it(
  "SEC-101: a realm can shorten but not extend the retention time",
  () =>
    isolatedService(
      async (own) => {
        const [realm, other] = [await own.given.realm(), await own.given.realm()]
        const caller = await realm.as("admin_realm")
        const setTo = (event_retention_days: unknown) =>
          caller.put(`/v2/realms/${realm.id}`, { realm: { event_retention_days } })
        for (const wrong of [34, 61, 0, -1]) {
          const { result, events } = await realm.seen.during(() => setTo(wrong))
          expect([result.status, result.errors, events]).toEqual([
            422,
            ["Event retention days must be between 35 and 60."],
            []
          ])
        }
        for (const wrong of ["soon", 35.5, 1e300, [], {}]) expect((await setTo(wrong)).status).toBe(422)
        const made = await own.given.root.post("/v2/realms", { realm: { name: "Realm", event_retention_days: 61 } })
        expect([made.status, made.errors]).toEqual([422, ["Event retention days must be between 35 and 60."]])
        const write = await realm.as("write")
        expect((await write.put(`/v2/realms/${realm.id}`, { realm: { event_retention_days: 35 } })).status).toBe(403)
        const { result, events } = await realm.seen.during(() => setTo(35))
        expect([result.status, result.member("event_retention_days"), events]).toEqual([
          200,
          35,
          [{ event_type: "realm.updated" }]
        ])
        const [mine, theirs] = [await rowsOf(own, realm), await rowsOf(own, other)]
        await own.advance("35 days")
        expect([await rowsOf(own, realm), await rowsOf(own, other)]).toEqual([mine, theirs])
        await own.advance("1 day")
        expect([await rowsOf(own, realm), await rowsOf(own, other)]).toEqual([[0, 0], theirs])
        expect((await setTo(null)).member("event_retention_days")).toBeNull()
        await own.advance("40 days")
        expect([await rowsOf(own, realm), await rowsOf(own, other)]).toEqual([
          [1, 0],
          [0, 0]
        ])
      },
      { eventRetentionDays: 60 }
    ),
  60_000
)

it.prop(
  "SEC-101: the next sweep is scheduled for the exact time when an event may be deleted",
  {
    millis: integer(0, 4_102_444_800_000),
    days: integer(35, 3_650),
    off: Schema.Literals([-1, 0, 1, 86_400_000])
  },
  ({ millis, days, off }) => {
    const id = encodeId("event", { millis, random: [0, 7] })
    const end = retentionEnd(id, days)
    const now = DateTime.makeUnsafe(end.epochMilliseconds + off)
    expect(id < oldestRetainedEvent(days, now)).toBe(off >= 0)
    const kept = (end.epochMilliseconds - millis) / 86_400_000
    expect(kept > days && kept <= days + 1).toBe(true)
  }
)

it("SEC-101: every table with an expiry is swept by an actor", () =>
  isolatedService(async ({ sql }) => {
    // Invitations and memberships expire in actors that record events. An expired API key is listed until it is
    // deleted.
    const otherwise = ["api_keys", "invitations", "memberships"]
    expect(await tablesWith(sql, "expires_at")).toEqual([...expiringTables, ...otherwise].toSorted())
  }))
