import { Duration } from "effect"
import { describe, expect, test } from "vitest"
import { retryDelays } from "#domain/Delivery"
import { OutboundFailed, type PostResponse } from "#platform/Outbound"
import type { Reply } from "#testing/Api"
import { latest, notificationFor, receiverResponse, turnedRealm, webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"

const HOUR = 3_600_000

/** A webhook on `org.created` and an event for it, with functions to inspect both. */
const givenPendingDelivery = async (attributes = {}) => {
  const own = await turnedRealm()
  const { realm, receiver } = own
  const hook = await webhook(realm, { event_type: ["org.created"], ...attributes })
  const destination = hook.string("destination")
  await realm.org()
  const { eventId } = await latest(realm, "org.created")
  return {
    ...own,
    hook,
    destination,
    eventId,
    posts: () => receiver.to(destination),
    /** The time of each attempt after the event, in milliseconds. */
    times: () => {
      const started = JSON.parse(receiver.to(destination)[0]?.body ?? "{}").event_at * 1000
      return receiver.to(destination).map(({ at }) => Math.round(at.epochMilliseconds - started))
    },
    notification: () => notificationFor(realm, eventId, hook.id)
  }
}

const gaps = (times: ReadonlyArray<number>) => times.slice(1).map((at, index) => at - (times[index] ?? 0))

const unreachable = new OutboundFailed({ reason: "unreachable" })

describe("the nine attempts of a delivery", () => {
  test("RG-05: follow the schedule with up to 10 % jitter if the receiver never responds", async () => {
    const { realm, receiver, destination, eventId, posts, times, notification, advance } = await givenPendingDelivery()
    receiver.answer(destination, () => new OutboundFailed({ reason: "timed_out" }))
    const events = await realm.seen.caused(() => advance("4 days"))
    expect([events, posts().length]).toEqual([[], 9])
    expect(times()[0]).toBe(0)
    for (const [index, gap] of gaps(times()).entries()) {
      const wait = Duration.toMillis(retryDelays[index] ?? 0)
      expect(gap).toBeGreaterThanOrEqual(wait)
      expect(gap).toBeLessThanOrEqual(wait * 1.1 + 1)
    }
    expect(Number(times().at(-1))).toBeGreaterThan(47 * HOUR)
    expect(await notification()).toMatchObject({
      state: "failed",
      attempts: 9,
      last_destination: destination,
      last_result: "The destination did not respond in time."
    })
    receiver.answer(destination, () => receiverResponse(200))
    const { id } = await notification()
    const retried = await realm.post(`/v2/events/${eventId}/notifications/${String(id)}/retry`, {})
    expect([retried.status, retried.body]).toMatchObject([200, { id, state: "in_progress", attempts: 0 }])
    await advance(0)
    expect(await notification()).toMatchObject({ state: "completed", attempts: 1, last_result: "HTTP 200" })
    expect(posts()).toHaveLength(10)
    expect(new Set(posts().map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]))
  })

  test("have different jitter", async () => {
    const { receiver, destination, times, advance } = await givenPendingDelivery()
    receiver.answer(destination, () => unreachable)
    await advance("4 days")
    const shares = gaps(times()).map((gap, index) => gap / Duration.toMillis(retryDelays[index] ?? 1))
    expect(new Set(shares.map((share) => share.toFixed(3))).size).toBeGreaterThan(1)
  })

  test("RG-05: reach a receiver that was down for 47 hours, with the same webhook-id and a fresh timestamp", async () => {
    const { receiver, destination, posts, notification, advance, now } = await givenPendingDelivery()
    const upAt = now() * 1000 + 47 * HOUR
    receiver.answer(destination, ({ at }) => (at.epochMilliseconds < upAt ? unreachable : receiverResponse(204)))
    await advance("4 days")
    expect(posts()).toHaveLength(9)
    expect(await notification()).toMatchObject({ state: "completed", attempts: 9, last_result: "HTTP 204" })
    expect(new Set(posts().map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect(new Set(posts().map(({ body }) => body)).size).toBe(1)
    expect(posts().map(({ headers }) => headers["webhook-timestamp"])).toEqual(
      posts().map(({ at }) => String(Math.floor(at.epochMilliseconds / 1000)))
    )
    expect(new Set(posts().map(({ headers }) => headers["webhook-signature"])).size).toBe(9)
  })
})

describe("the response of a receiver", () => {
  /** Delivers an event to hooks whose receivers return the given responses, and makes the first attempts. */
  const deliverWithResponses = async (answers: ReadonlyArray<PostResponse>) => {
    const own = await turnedRealm()
    const hooks: Array<Reply> = []
    for (const given of answers) {
      const hook = await webhook(own.realm, { event_type: ["org.created"] })
      own.receiver.answer(hook.string("destination"), () => given)
      hooks.push(hook)
    }
    await own.realm.org()
    const { eventId } = await latest(own.realm, "org.created")
    await own.advance(0)
    const notifications = async () => Promise.all(hooks.map(({ id }) => notificationFor(own.realm, eventId, id)))
    /** Stops further attempts, so that later tests can advance the clock. */
    const end = () => own.realm.post(`/v2/realms/${own.realm.id}/reset`, { app_hooks: true })
    return { ...own, notifications, end, ids: hooks.map(({ id }) => id) }
  }

  test("completes the delivery if the status is 2xx, and otherwise causes a retry", async () => {
    const done = [200, 201, 204, 299]
    const again = [199, 301, 302, 307, 308, 400, 404, 409, 429, 500, 503]
    const { notifications, advance, receiver, end } = await deliverWithResponses(
      [...done, ...again].map((status) => receiverResponse(status))
    )
    const before = receiver.posts.length
    for (const attempts of [1, 2]) {
      expect((await notifications()).map(({ state, attempts, last_result }) => [state, attempts, last_result])).toEqual(
        [
          ...done.map((status) => ["completed", 1, `HTTP ${status}`]),
          ...again.map((status) => ["in_progress", attempts, `HTTP ${status}`])
        ]
      )
      if (attempts === 1) await advance("6 seconds")
    }
    expect(receiver.posts.length).toBe(before + again.length)
    await end()
  })

  test("with Retry-After and status 429 or 503 postpones the retry by at most a day", async () => {
    const day = 24 * HOUR
    const { clock, sql } = await turnedRealm()
    const started = Math.ceil(clock.currentTimeMillisUnsafe() / 1000) * 1000
    const inTenMinutes = new Date(started + 600_000).toUTCString()
    const rows = [
      [receiverResponse(429, "", "120"), 120_000, 120_000],
      [receiverResponse(503, "", "120"), 120_000, 120_000],
      [receiverResponse(429, "", inTenMinutes), 600_000, 601_000],
      [receiverResponse(503, "", new Date(started - 600_000).toUTCString()), 5_000, 5_501],
      [receiverResponse(429, "", "1"), 5_000, 5_501],
      [receiverResponse(503, "", "99999999"), day, day],
      [receiverResponse(429, "", "soon"), 5_000, 5_501],
      [receiverResponse(429, "", "-5"), 5_000, 5_501],
      [receiverResponse(500, "", "120"), 5_000, 5_501],
      [receiverResponse(301, "", "120"), 5_000, 5_501]
    ] as const
    const { ids, end } = await deliverWithResponses(rows.map(([given]) => given))
    const now = clock.currentTimeMillisUnsafe()
    const due = await query(
      sql<{ readonly due_at: Date }>`select due_at from deliveries where hook_id in ${sql.in(ids)} order by hook_id`
    )
    for (const [index, [given, least, most]] of rows.entries()) {
      const wait = Number(due[index]?.due_at) - now
      expect([given, wait >= least && wait <= most, wait]).toEqual([given, true, wait])
    }
    await end()
  })

  test("disables the hook and cancels the pending deliveries if the status is 410", async () => {
    const { realm, receiver, destination, hook, eventId, posts, notification, advance } = await givenPendingDelivery()
    const watching = await webhook(realm, { event_type: ["hook.disabled"] })
    await realm.put(`/v2/hooks/${hook.id}`, { hook: { delay: 60 } })
    await realm.org()
    const later = await latest(realm, "org.created")
    receiver.answer(destination, () => receiverResponse(410, "Gone"))
    const events = await realm.seen.caused(() => advance("1 hour"))
    expect(events).toEqual([{ event_type: "hook.disabled", hook_id: hook.id }])
    expect(posts()).toHaveLength(1)
    expect(await notification()).toMatchObject({ state: "failed", attempts: 1, last_result: "HTTP 410\nGone" })
    expect(await notificationFor(realm, later.eventId, hook.id)).toMatchObject({ state: "canceled", attempts: 0 })
    expect((await realm.get(`/v2/hooks/${hook.id}`)).member("state")).toBe("inactive")
    expect((await realm.get(`/v1/events?event_type=hook.disabled`)).items).toMatchObject([{ app_hook_id: hook.id }])
    expect(receiver.to(watching.string("destination")).map(({ body }) => JSON.parse(body))).toMatchObject([
      { event_type: "hook.disabled", hook_id: hook.id }
    ])
    const { id } = await notification()
    const retried = await realm.post(`/v2/events/${eventId}/notifications/${String(id)}/retry`, {})
    expect([retried.status, retried.errors]).toEqual([422, ["The hook is inactive, so it sends nothing."]])
  })
})

describe("a hook whose attempts all fail", () => {
  /** Records an event after the given wait, and runs all its attempts of the next hour. Returns the event types. */
  const eventAfter = async ({ realm, advance }: Awaited<ReturnType<typeof givenPendingDelivery>>, by: number) => {
    await advance(by)
    const events = await realm.seen.caused(async () => {
      await realm.org()
      await advance(HOUR)
    })
    return events.map(({ event_type }) => event_type)
  }

  test("is disabled after five days, with a hook.disabled event", async () => {
    const failing = await givenPendingDelivery()
    const { realm, receiver, destination, hook, advance } = failing
    receiver.answer(destination, () => receiverResponse(500))
    await advance(0)
    expect(await eventAfter(failing, 119 * HOUR - 1)).toEqual(["org.created"])
    expect((await realm.get(`/v2/hooks/${hook.id}`)).member("state")).toBe("active")
    const { eventId } = await latest(realm, "org.created")
    expect(await eventAfter(failing, 1)).toEqual(["org.created", "hook.disabled"])
    expect((await realm.get(`/v2/hooks/${hook.id}`)).member("state")).toBe("inactive")
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "canceled", last_result: "HTTP 500" })
  })

  test("gets another five days after a success or after being reactivated", async () => {
    const failing = await givenPendingDelivery()
    const { realm, receiver, destination, hook, advance } = failing
    receiver.answer(destination, () => receiverResponse(500))
    await advance(0)
    receiver.answer(destination, () => receiverResponse(200))
    await eventAfter(failing, 96 * HOUR)
    receiver.answer(destination, () => receiverResponse(500))
    expect(await eventAfter(failing, 48 * HOUR)).toEqual(["org.created"])
    expect(await eventAfter(failing, 121 * HOUR)).toEqual(["org.created", "hook.disabled"])
    await realm.put(`/v2/hooks/${hook.id}`, { hook: { state: "active" } })
    expect(await eventAfter(failing, HOUR)).toEqual(["org.created"])
    expect((await realm.get(`/v2/hooks/${hook.id}`)).member("state")).toBe("active")
  })
})

describe("RG-06: a delivery lost by a node", () => {
  test("is sent by another node after a minute, with the same webhook-id", async () => {
    const { hook, sql, posts, notification, advance, clock } = await givenPendingDelivery()
    // The row that a node stores before it posts. Then the node is gone.
    const lost = new Date(clock.currentTimeMillisUnsafe())
    const until = new Date(clock.currentTimeMillisUnsafe() + 60_000)
    await query(
      sql`update deliveries set attempts = 1, last_attempt_at = ${lost}, due_at = ${until} where hook_id = ${hook.id}`
    )
    await advance(59_999)
    expect(posts()).toEqual([])
    expect(await notification()).toMatchObject({ state: "in_progress", attempts: 1, last_result: null })
    await advance(1)
    const { id } = await notification()
    expect(posts().map(({ headers }) => headers["webhook-id"])).toEqual([id])
    expect(await notification()).toMatchObject({ state: "completed", attempts: 2 })
  })
})
