import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import {
  emailHook,
  latest,
  notificationFor,
  notificationsOf,
  receiverResponse,
  turnedRealm,
  webhook,
  withAccountHook
} from "../support/hooks.ts"
import { rejectionOf, unknownId } from "../support/invitations.ts"
import { query } from "../support/query.ts"

const notThere = { status: 404, errors: ["Notification could not be found."] }

/** A webhook on `org.created`, an event for it and its notification. */
const givenNotification = async () => {
  const own = await turnedRealm()
  const hook = await webhook(own.realm, { event_type: ["org.created"] })
  await own.realm.org()
  const { eventId } = await latest(own.realm, "org.created")
  const notification = () => notificationFor(own.realm, eventId, hook.id)
  const path = `/v2/events/${eventId}/notifications/${String((await notification())["id"])}`
  return { ...own, hook, destination: hook.string("destination"), eventId, notification, path }
}

const idInPath = (path: string) => path.split("/").at(-1) ?? ""

describe("the notifications of GET /v2/events/{id}", () => {
  test("show each subscribed hook at each stage", async () => {
    const { realm, hook, destination, notification, receiver, advance, now } = await givenNotification()
    const fresh = {
      id: expect.stringMatching(/^ent_\w{26}$/),
      object: "notification",
      state: "in_progress",
      attempts: 0,
      next_attempt_at: now(),
      hook_id: hook.id,
      hook_type: "webhook",
      last_attempt_at: null,
      last_destination: null,
      last_result: null
    }
    expect(await notification()).toEqual(fresh)
    receiver.answer(destination, () => receiverResponse(500, "Oops"))
    await advance("1 second")
    const tried = { ...fresh, attempts: 1, last_attempt_at: now() - 1, last_destination: destination }
    const waiting = await notification()
    expect(waiting).toEqual({ ...tried, next_attempt_at: expect.any(Number), last_result: "HTTP 500\nOops" })
    // The first wait is five seconds plus at most half a second.
    const wait = Number(waiting["next_attempt_at"]) - tried.last_attempt_at
    expect(wait >= 5 && wait <= 5.5).toBe(true)
    receiver.answer(destination, () => receiverResponse(201))
    await advance("1 minute")
    const [, post] = receiver.to(destination)
    const last_attempt_at = Number(post?.at.epochMilliseconds) / 1000
    const delivered = { state: "completed", attempts: 2, next_attempt_at: null, last_attempt_at }
    expect(last_attempt_at).toBe(waiting["next_attempt_at"])
    expect(await notification()).toEqual({ ...tried, ...delivered, last_result: "HTTP 201" })
    await realm.delete(`/v2/hooks/${hook.id}`)
    expect(await notification()).toMatchObject(delivered)
  })

  test("are absent from lists, v1 and webhooks", async () => {
    const { realm, eventId, destination, receiver, advance } = await givenNotification()
    await advance(0)
    for (const path of ["/v2/events", "/v1/events", `/v1/events/${eventId}`]) {
      expect((await realm.get(path)).text).not.toContain("notifications")
    }
    expect(receiver.to(destination)[0]?.body).not.toContain("notifications")
    expect((await realm.get(`/v2/events/${eventId}`)).text).toContain("notifications")
  })

  test("SEC-69: contain at most 1 KB of a response, without splitting characters", async () => {
    const { destination, notification, receiver, advance } = await givenNotification()
    receiver.answer(destination, () => receiverResponse(500, `${"x".repeat(1_000)}${"é😀".repeat(1_000)}`))
    await advance(0)
    const result = String((await notification())["last_result"])
    expect(result.startsWith(`HTTP 500\n${"x".repeat(1_000)}`)).toBe(true)
    expect([result.length <= 1_100, result.isWellFormed()]).toEqual([true, true])
  })

  test("SEC-69: are visible only to admin_all_realms if the hook is for all realms", async () => {
    const { realm, given, advance } = await turnedRealm()
    await withAccountHook(given.root, { event_type: ["org.created"] }, async (everywhere) => {
      const own = await webhook(realm, { event_type: ["org.created"] })
      await realm.org()
      const { eventId, notifications } = await latest(realm, "org.created")
      expect(notifications.map(({ hook_id }) => hook_id).sort()).toEqual([own.id, everywhere.id].sort())
      const hidden = await notificationFor(realm, eventId, everywhere.id)
      for (const level of ["read", "write", "admin_realm"] as const) {
        const event = await (await realm.as(level)).get(`/v2/events/${eventId}`)
        expect(Object(event.body).notifications.map(({ hook_id }: { hook_id: unknown }) => hook_id)).toEqual([own.id])
      }
      const path = `/v2/events/${eventId}/notifications/${String(hidden["id"])}`
      const admin = await realm.as("admin_realm")
      for (const operation of ["retry", "cancel"]) {
        expect(rejectionOf(await admin.post(`${path}/${operation}`, {}))).toEqual(notThere)
      }
      expect((await realm.post(`${path}/cancel`, {})).status).toBe(200)
      await advance(0)
    })
  })
})

describe("POST /v2/events/{id}/notifications/{nid}/retry", () => {
  test("resends a completed, failed or canceled notification immediately, starting with the first attempt", async () => {
    const { realm, path, destination, notification, receiver, advance } = await givenNotification()
    await advance(0)
    for (const attempts of [2, 3]) {
      const { result, events } = await realm.seen.during(() => realm.post(`${path}/retry`, {}))
      const { state: _state, attempts: _attempts, ...before } = await notification()
      expect([result.status, result.body, events]).toEqual([200, { ...before, state: "in_progress", attempts: 0 }, []])
      await advance(0)
      expect(await notification()).toMatchObject({ state: "completed", attempts: 1 })
      expect(receiver.to(destination)).toHaveLength(attempts)
    }
  })

  test("returns 409 for a notification in progress, and never delivers the notification twice", async () => {
    const { realm, path, destination, receiver, advance } = await givenNotification()
    const conflict = { status: 409, errors: ["The notification is already being delivered."] }
    expect(rejectionOf(await realm.post(`${path}/retry`, {}))).toEqual(conflict)
    receiver.answer(destination, () => receiverResponse(500))
    await advance(0)
    expect(rejectionOf(await realm.post(`${path}/retry`, {}))).toEqual(conflict)
    await realm.post(`${path}/cancel`, {})
    receiver.answer(destination, () => receiverResponse(200))
    expect((await realm.post(`${path}/retry`, {})).status).toBe(200)
    await advance("1 hour")
    expect(receiver.to(destination)).toHaveLength(2)
  })

  test("returns 422 if the hook is inactive and 404 if it is deleted", async () => {
    const { realm, path, hook, advance } = await givenNotification()
    await advance(0)
    await realm.put(`/v2/hooks/${hook.id}`, { hook: { state: "inactive" } })
    expect(rejectionOf(await realm.post(`${path}/retry`, {}))).toEqual({
      status: 422,
      errors: ["The hook is inactive, so it sends nothing."]
    })
    await realm.delete(`/v2/hooks/${hook.id}`)
    expect(rejectionOf(await realm.post(`${path}/retry`, {}))).toEqual({
      status: 404,
      errors: ["Hook could not be found."]
    })
  })
})

describe("POST /v2/events/{id}/notifications/{nid}/cancel", () => {
  test("stops a notification in progress without recording an event", async () => {
    const { realm, path, destination, notification, receiver, advance } = await givenNotification()
    receiver.answer(destination, () => receiverResponse(500))
    await advance(0)
    const before = await notification()
    const { result, events } = await realm.seen.during(() => realm.post(`${path}/cancel`, {}))
    expect([result.status, result.body, events]).toEqual([
      200,
      { ...before, state: "canceled", next_attempt_at: null },
      []
    ])
    await advance("1 hour")
    expect(await notification()).toEqual({ ...before, state: "canceled", next_attempt_at: null })
    expect(receiver.to(destination)).toHaveLength(1)
    expect(rejectionOf(await realm.post(`${path}/cancel`, {}))).toEqual({
      status: 422,
      errors: ["The notification is no longer being delivered."]
    })
  })
})

describe("retry and cancel", () => {
  test("find a notification only under its own event and realm", async () => {
    const { realm, path, given, eventId } = await givenNotification()
    const { eventId: otherEvent } = await latest(realm, "app_hook.created")
    const id = idInPath(path)
    const other: GivenRealm = await given.realm()
    for (const operation of ["retry", "cancel"]) {
      for (const wrong of [
        `/v2/events/${otherEvent}/notifications/${id}/${operation}`,
        `/v2/events/${unknownId(eventId)}/notifications/${id}/${operation}`,
        `/v2/events/${eventId}/notifications/${unknownId(id)}/${operation}`,
        `/v2/events/${eventId}/notifications/nonsense/${operation}`
      ]) {
        const reply = await realm.post(wrong, {})
        expect([wrong, reply.status]).toEqual([wrong, 404])
      }
      const admin = await other.as("admin_realm")
      expect((await admin.post(`${path}/${operation}`, {})).status).toBe(404)
    }
    expect(await notificationsOf(realm, eventId)).toMatchObject([{ state: "in_progress" }])
  })

  test("require admin_realm", async () => {
    const { realm, path } = await givenNotification()
    for (const level of ["read", "write"] as const) {
      const api = await realm.as(level)
      for (const operation of ["retry", "cancel"]) {
        expect((await api.post(`${path}/${operation}`, {})).status).toBe(403)
      }
    }
    expect((await (await realm.as("admin_realm")).post(`${path}/cancel`, {})).status).toBe(200)
  })
})

describe("the outbox", () => {
  test("has a row for each event and subscribed hook, and no rows for rejected requests", async () => {
    const { realm, sql, advance } = await turnedRealm()
    const hooks = [
      await webhook(realm),
      await webhook(realm, { event_type: ["org.created", "user.created"] }),
      await emailHook(realm, { event_type: ["user.created"] })
    ]
    const org = await realm.org()
    const user = await realm.user()
    await realm.membership(user.id, org.id)
    const counts = () =>
      query(sql`select (select count(*) from events where realm_id = ${realm.id})::int as events,
        (select count(*) from deliveries where realm_id = ${realm.id})::int as rows`)
    const before = await counts()
    expect((await realm.post("/v2/users", { user: { email: user.string("email"), credentials: [] } })).status).toBe(422)
    expect((await realm.post("/v2/orgs", { org: { name: "" } })).status).toBe(422)
    expect(await counts()).toEqual(before)
    await realm.delete(`/v2/users/${user.id}`)
    await advance(0)
    const wrong = await query(sql`
      with heard as (
        select e.id as event_id, h.id as hook_id from events e join app_hooks h on h.realm_id = e.realm_id
          and (h.event_types = '{}' or e.event_type = any(h.event_types))
          and not exists (select from events c where c.event_type = 'app_hook.created' and c.hook_id = h.id and c.id > e.id)
          and e.id > ${String(hooks[0]?.id).replace("hk_", "ev_")}
        where e.realm_id = ${realm.id} and h.id in ${sql.in(hooks.map(({ id }) => id))}
      ), rows as (
        select event_id, hook_id from deliveries where realm_id = ${realm.id}
      ) select event_id, hook_id from (
        (select * from heard except select * from rows) union all (select * from rows except select * from heard)
      ) as differing`)
    expect(wrong).toEqual([])
    const states = await query(
      sql`select state, count(*)::int as count from deliveries where realm_id = ${realm.id} group by 1 order by 1`
    )
    expect(states).toEqual([
      { state: "canceled", count: 1 },
      { state: "completed", count: 10 }
    ])
  })
})
