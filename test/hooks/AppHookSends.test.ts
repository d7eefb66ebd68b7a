import { describe, expect, test } from "vitest"
import { OutboundFailed } from "#platform/Outbound"
import {
  emailHook,
  hookVersions,
  latest,
  notificationFor,
  receiverResponse,
  turnedRealm,
  webhook
} from "../support/hooks.ts"
import { rejectionOf } from "../support/invitations.ts"

const inactive = { status: 422, errors: ["The hook is inactive, so it sends nothing."] }

describe.each(hookVersions)("POST $path/{hook_id}/ping", ({ version, path, named }) => {
  test("posts a signed hook.ping immediately and returns its result without recording an event", async () => {
    const { realm, receiver, now } = await turnedRealm()
    const made = await realm.post(path, {
      [version === "v1" ? "app_hook" : "hook"]: {
        event_type: ["org.created"],
        destination: `https://ping-${version}.test/`
      }
    })
    const destination = made.string("destination")
    const { result, events } = await realm.seen.during(() => realm.post(`${path}/${made.id}/ping`, {}))
    expect([result.status, result.body]).toEqual([
      200,
      { object: "ping", state: "completed", destination, result: "HTTP 200" }
    ])
    expect(events).toEqual([])
    const [post, ...others] = receiver.to(destination)
    expect(others).toEqual([])
    expect(post?.headers).toEqual({
      "content-type": "application/json",
      "user-agent": "Sallyport-Webhooks/1",
      "webhook-id": expect.stringMatching(/^ent_\w{26}$/),
      "webhook-timestamp": String(Math.floor(now())),
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/)
    })
    expect(JSON.parse(post?.body ?? "")).toEqual({
      id: expect.stringMatching(/^ev_\w{26}$/),
      object: "event",
      event_type: "hook.ping",
      event_at: now(),
      realm_id: realm.id,
      [named]: made.id,
      actor: { type: "api_key", id: expect.stringMatching(/^key_\w{26}$/) },
      request: { ip: null, client: null }
    })
  })

  test("reports a failure if the receiver responds with a non-2xx status or not at all", async () => {
    const { realm, receiver } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    const destination = made.string("destination")
    for (const [answered, result] of [
      [receiverResponse(500, "Oops"), "HTTP 500\nOops"],
      [receiverResponse(302), "HTTP 302"],
      [receiverResponse(410), "HTTP 410"],
      [new OutboundFailed({ reason: "timed_out" }), "The destination did not respond in time."],
      [new OutboundFailed({ reason: "forbidden" }), "The destination is not allowed."]
    ] as const) {
      receiver.answer(destination, () => answered)
      const reply = await realm.post(`${path}/${made.id}/ping`, {})
      expect([reply.status, reply.body]).toEqual([200, { object: "ping", state: "failed", destination, result }])
    }
    expect((await realm.get(`${path}/${made.id}`)).member("state")).toBe("active")
  })

  test("returns 422 for an email hook without an address or an inactive hook", async () => {
    const { realm, receiver } = await turnedRealm()
    const mailing = await emailHook(realm)
    const off = await webhook(realm, { state: "inactive" })
    expect(rejectionOf(await realm.post(`${path}/${mailing.id}/ping`, {}))).toEqual({
      status: 422,
      errors: [version === "v1" ? "Only webhooks can be pinged." : "Email to can't be blank."]
    })
    expect(rejectionOf(await realm.post(`${path}/${off.id}/ping`, {}))).toEqual(inactive)
    expect(receiver.to(off.string("destination"))).toEqual([])
  })
})

describe.each(hookVersions)("POST $path/{hook_id}/rotate_secret", ({ version, path, named }) => {
  test("returns the new secret and records app_hook.updated", async () => {
    const { realm } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    const before = await realm.get(`${path}/${made.id}`)
    const seen = version === "v1" ? realm.seenV1 : realm.seen
    const { result, events } = await seen.during(() => realm.post(`${path}/${made.id}/rotate_secret`, {}))
    const secret = result.string("secret")
    expect([result.status, result.body]).toEqual([200, { ...Object(before.body), secret }])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(secret).not.toBe(made.string("secret"))
    expect(events).toEqual([{ event_type: "app_hook.updated", [named]: made.id }])
    expect((await realm.get(`${path}/${made.id}`)).body).toEqual(result.body)
  })

  test("returns 422 for an email hook", async () => {
    const { realm } = await turnedRealm()
    const made = await emailHook(realm)
    expect(rejectionOf(await realm.post(`${path}/${made.id}/rotate_secret`, {}))).toEqual({
      status: 422,
      errors: ["Only webhooks have a secret."]
    })
  })
})

describe.each(hookVersions)("POST $path/{hook_id}/replay", ({ path }) => {
  test("resends failed deliveries since a time, or all deliveries, with the same webhook-id", async () => {
    const { realm, receiver, advance, now } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    const destination = made.string("destination")
    await realm.org()
    const delivered = await latest(realm, "org.created")
    await advance("1 second")
    receiver.answer(destination, () => receiverResponse(500))
    const since = now()
    await realm.org()
    const failed = await latest(realm, "org.created")
    await advance("3 days")
    expect(failed.notifications).toHaveLength(1)
    expect(receiver.to(destination)).toHaveLength(10)
    receiver.answer(destination, () => receiverResponse(204))
    const replay = (body: object) => realm.post(`${path}/${made.id}/replay`, body)

    for (const [body, notifications] of [
      [{ since: since + 1 }, 0],
      [{ since, until: since }, 0],
      [{ since: 0, until: since }, 0],
      [{ since: 0 }, 1]
    ] as const) {
      const { result, events } = await realm.seen.during(() => replay(body))
      expect([result.status, result.body, events]).toEqual([202, { object: "replay", notifications }, []])
    }
    expect(await notificationFor(realm, failed.eventId, made.id)).toMatchObject({ state: "in_progress", attempts: 0 })
    await advance(0)
    expect(await notificationFor(realm, failed.eventId, made.id)).toMatchObject({ state: "completed", attempts: 1 })
    const posts = receiver.to(destination)
    expect(posts).toHaveLength(11)
    expect(posts.at(-1)?.headers["webhook-id"]).toBe(posts.at(-2)?.headers["webhook-id"])
    expect(posts.at(-1)?.body).toBe(posts.at(-2)?.body)

    expect((await replay({ since: 0, state: "all" })).member("notifications")).toBe(2)
    expect((await replay({ since: 0, state: "all" })).member("notifications")).toBe(0)
    await advance(0)
    const again = receiver.to(destination).slice(11)
    const sent = [delivered, failed].map(({ notifications }) => notifications[0]?.["id"])
    expect(again.map(({ headers }) => headers["webhook-id"]).sort()).toEqual(sent.sort())
  })

  test("C121: resends only one event type, or counts the deliveries in advance", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created", "user.created", "user.updated"] })
    const user = await realm.user()
    await realm.org()
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
    await advance("1 second")
    const before = receiver.to(made.string("destination")).length
    const replay = async (body: object) => {
      const { result, events } = await realm.seen.during(() =>
        realm.post(`${path}/${made.id}/replay`, { since: 0, state: "all", ...body })
      )
      return [result.status, result.member("notifications"), events]
    }

    for (const [event_type, count] of [
      ["user.created", 1],
      [["org.created", "user.updated"], 2],
      ["user.", 2],
      ["org.updated", 0],
      [null, 3],
      ["", 3]
    ] as const) {
      expect([event_type, await replay({ event_type, dry_run: true })]).toEqual([event_type, [202, count, []]])
    }
    await advance(0)
    expect(receiver.to(made.string("destination"))).toHaveLength(before)

    expect(await replay({ event_type: "user.", dry_run: false })).toEqual([202, 2, []])
    await advance(0)
    const types = receiver
      .to(made.string("destination"))
      .slice(before)
      .map(({ body }) => JSON.parse(body).event_type)
    expect(types.sort()).toEqual(["user.created", "user.updated"])

    const unknown = await realm.post(`${path}/${made.id}/replay`, { since: 0, event_type: ["user.crated"] })
    expect([unknown.status, unknown.errors]).toEqual([
      422,
      [expect.stringMatching(/user\.crated.*Did you mean `?user\.created/)]
    ])
  })

  test("C121: resends deliveries awaiting a retry immediately with state undelivered or all", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    const delayed = await webhook(realm, { event_type: ["org.created"], delay: 3_600 })
    const destination = made.string("destination")
    const replay = async (id: string, body: object) =>
      (await realm.post(`${path}/${id}/replay`, { since: 0, ...body })).member("notifications")
    receiver.answer(destination, () => receiverResponse(500))
    await realm.org()
    const { eventId } = await latest(realm, "org.created")
    await advance("1 second")
    // The next attempt is due in five seconds.
    expect(await replay(made.id, { state: "all" })).toBe(0)
    await advance("10 minutes")
    expect(await notificationFor(realm, eventId, made.id)).toMatchObject({ state: "in_progress", attempts: 3 })
    const tried = receiver.to(destination).length

    receiver.answer(destination, () => receiverResponse(204))
    expect(await replay(made.id, {})).toBe(0)
    for (const state of ["undelivered", "all"]) expect(await replay(made.id, { state, dry_run: true })).toBe(1)
    expect(await replay(made.id, { state: "undelivered" })).toBe(1)
    expect(await notificationFor(realm, eventId, made.id)).toMatchObject({ state: "in_progress", attempts: 0 })
    await advance(0)
    expect(await notificationFor(realm, eventId, made.id)).toMatchObject({ state: "completed", attempts: 1 })
    expect(receiver.to(destination)).toHaveLength(tried + 1)
    expect(await replay(made.id, { state: "undelivered" })).toBe(0)
    expect(await replay(delayed.id, { state: "all" })).toBe(0)
  })

  test("returns 422 for an inactive hook or without a time", async () => {
    const { realm } = await turnedRealm()
    const off = await webhook(realm, { state: "inactive" })
    for (const dry_run of [false, true]) {
      expect(rejectionOf(await realm.post(`${path}/${off.id}/replay`, { since: 0, dry_run }))).toEqual(inactive)
    }
    for (const body of [{}, { since: "yesterday" }, { since: null }, { since: 0, state: "canceled" }]) {
      expect((await realm.post(`${path}/${off.id}/replay`, body)).status).toBe(422)
    }
  })
})

describe("the state of a hook", () => {
  test("stops all deliveries while inactive, and allows only new ones when active again", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"], delay: 30 })
    await realm.org()
    const waiting = await latest(realm, "org.created")
    await realm.put(`/v2/hooks/${made.id}`, { hook: { state: "inactive" } })
    expect(await notificationFor(realm, waiting.eventId, made.id)).toMatchObject({ state: "canceled", attempts: 0 })
    await realm.org()
    expect((await latest(realm, "org.created")).notifications).toEqual([])
    await realm.put(`/v1/app_hooks/${made.id}`, { app_hook: { state: "active" } })
    await realm.org()
    const { eventId } = await latest(realm, "org.created")
    await advance("1 minute")
    const bodies = receiver.to(made.string("destination")).map(({ body }) => JSON.parse(body).id)
    expect(bodies).toEqual([eventId])
    expect(await notificationFor(realm, waiting.eventId, made.id)).toMatchObject({ state: "canceled" })
  })

  test("cancels the pending deliveries of a deleted hook", async () => {
    const { realm, receiver, advance } = await turnedRealm()
    const made = await webhook(realm, { event_type: ["org.created"] })
    await realm.org()
    const { eventId } = await latest(realm, "org.created")
    await realm.delete(`/v2/hooks/${made.id}`)
    expect(await notificationFor(realm, eventId, made.id)).toMatchObject({ state: "canceled", attempts: 0 })
    await advance("1 minute")
    expect(receiver.to(made.string("destination"))).toEqual([])
  })
})
