import { describe, expect, test } from "vitest"
import { emailHook, latest, notificationFor, turnedRealm, webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"

const down = { message: "connect ECONNREFUSED", final: false }

/** A user who is mailed of each update, and how to cause some. */
const mailed = async (attributes = {}) => {
  const own = await turnedRealm()
  const { realm, postbox, clock } = own
  const hook = await emailHook(realm, { email_renderer: "text", ...attributes })
  const user = await realm.user()
  const email = user.string("email")
  let count = 0
  const cause = async (mails: number) => {
    const eventIds: Array<string> = []
    for (let n = 0; n < mails; n++) {
      await realm.put(`/v2/users/${user.id}`, { user: { first_name: `Ada ${++count}` } })
      eventIds.push((await latest(realm, "user.updated")).eventId)
    }
    return eventIds
  }
  const started = clock.currentTimeMillisUnsafe()
  /** How many seconds after the beginning each mail went out. */
  const times = () => postbox.to(email).map(({ at }) => (at.epochMilliseconds - started) / 1000)
  return { ...own, hook, user, email, cause, times, started }
}

describe("a mail that is not taken", () => {
  test("RG-16: is tried again on schedule, with the same Message-ID: none is lost while the mail server is down", async () => {
    const { realm, hook, email, cause, postbox, advance, times } = await mailed()
    const [eventId = ""] = await cause(1)
    postbox.refuse(email, down)
    const events = await realm.seen.caused(() => advance("6 hours"))
    expect([events, times()]).toEqual([[], []])
    const waiting = await notificationFor(realm, eventId, hook.id)
    expect(waiting).toMatchObject({
      state: "in_progress",
      attempts: 5,
      hook_type: "email",
      last_destination: email,
      last_result: "connect ECONNREFUSED"
    })
    postbox.refuse(email, undefined)
    await advance("6 hours")
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
      state: "completed",
      attempts: 6,
      last_result: "250 Captured."
    })
    const messageId = `${String(waiting["id"])}@id.example.test`
    expect(postbox.to(email).map((mail) => mail.messageId)).toEqual([messageId])
    await realm.post(`/v2/events/${eventId}/notifications/${String(waiting["id"])}/retry`, {})
    await advance(0)
    expect(postbox.to(email).map((mail) => mail.messageId)).toEqual([messageId, messageId])
  })

  test("for good is failed at once", async () => {
    const { realm, hook, email, cause, postbox, advance } = await mailed()
    const [eventId = ""] = await cause(1)
    postbox.refuse(email, { message: "550 No such mailbox.", final: true })
    const events = await realm.seen.caused(() => advance("4 days"))
    expect(events).toEqual([])
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
      state: "failed",
      attempts: 1,
      last_destination: email,
      last_result: "550 No such mailbox."
    })
    expect((await realm.get(`/v2/hooks/${hook.id}`)).member("state")).toBe("active")
  })

  test("after nine attempts has failed, and can be sent once more", async () => {
    const { realm, hook, email, cause, postbox, advance } = await mailed()
    const [eventId = ""] = await cause(1)
    postbox.refuse(email, down)
    await advance("4 days")
    const failed = await notificationFor(realm, eventId, hook.id)
    expect(failed).toMatchObject({ state: "failed", attempts: 9 })
    postbox.refuse(email, undefined)
    await realm.post(`/v2/events/${eventId}/notifications/${String(failed["id"])}/retry`, {})
    await advance(0)
    expect(postbox.to(email)).toHaveLength(1)
  })

  test("whose template is nested too deeply to be read has failed at once", async () => {
    const { realm, hook, email, cause, postbox, advance, sql } = await mailed({ email_renderer: "html+text" })
    // As it was stored before templates were tried out.
    await query(sql`update app_hooks set email_template = ${"<div>".repeat(10_000)} where id = ${String(hook.id)}`)
    const [eventId = ""] = await cause(1)
    await advance(0)
    expect(postbox.to(email)).toEqual([])
    expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({
      state: "failed",
      attempts: 1,
      last_result: "The hook's email_template is nested too deeply."
    })
  })
})

describe("SEC-73: the mails for one recipient", () => {
  test("are 3 in a minute and 10 in an hour; the rest waits, and arrives", async () => {
    const { realm, hook, email, cause, postbox, advance, times, started } = await mailed()
    const eventIds = await cause(12)
    await advance(0)
    expect(times()).toEqual([0, 0, 0])
    const last = await notificationFor(realm, eventIds.at(-1) ?? "", hook.id)
    expect(last).toMatchObject({ state: "in_progress", attempts: 0, last_attempt_at: null, last_destination: null })
    expect(last["next_attempt_at"]).toBe(started / 1000 + 60)
    await advance("2 hours")
    expect(times()).toEqual([0, 0, 0, 60, 60, 60, 120, 120, 120, 180, 3600, 3600])
    expect(new Set(postbox.to(email).map(({ messageId }) => messageId)).size).toBe(12)
    for (const eventId of eventIds) {
      expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "completed", attempts: 1 })
    }
  })

  test("count whatever hook sends them, and none of other recipients and realms", async () => {
    const { realm, given, hook, email, cause, postbox, advance, times } = await mailed()
    await emailHook(realm, { event_type: ["user.login.failed"] })
    await emailHook(realm)
    const other = await realm.user()
    const elsewhere = await given.realm()
    await emailHook(elsewhere)
    const namesake = await elsewhere.user({ email })
    await cause(2)
    await realm.put(`/v2/users/${other.id}`, { user: { first_name: "Bo" } })
    await elsewhere.put(`/v2/users/${namesake.id}`, { user: { first_name: "Cy" } })
    await advance(0)
    const here = () => postbox.to(email).filter(({ realmId }) => realmId === realm.id)
    expect([here().length, postbox.to(other.string("email")).length]).toEqual([3, 2])
    expect(postbox.to(email).filter(({ realmId }) => realmId === elsewhere.id)).toHaveLength(1)
    await advance("1 minute")
    expect(here()).toHaveLength(4)
    expect([hook.status, times().length]).toEqual([201, 5])
  })

  test("count where email_to sends them", async () => {
    const { email, cause, postbox, advance, realm } = await mailed({ email_to: "qa@example.test" })
    await cause(5)
    await advance(0)
    const qa = () => postbox.to("qa@example.test").filter(({ realmId }) => realmId === realm.id)
    expect([qa().length, postbox.to(email)]).toEqual([3, []])
    await advance("1 minute")
    expect(qa()).toHaveLength(5)
  })

  test("are sent by the limits, and none is lost, when the mail server comes back and all are due at once", async () => {
    const { realm, hook, email, cause, postbox, advance, times, sql, clock } = await mailed()
    postbox.refuse(email, down)
    const eventIds = await cause(3)
    await advance(0)
    await advance("2 minutes")
    eventIds.push(...(await cause(3)))
    await advance("1 minute")
    // No node was there for a while: each has failed before, and all are due.
    const due = new Date(clock.currentTimeMillisUnsafe() + 600_000)
    await query(sql`update deliveries set due_at = ${due} where hook_id = ${hook.id} and state = 'in_progress'`)
    postbox.refuse(email, undefined)
    await advance("3 hours")
    for (const eventId of eventIds) {
      expect(await notificationFor(realm, eventId, hook.id)).toMatchObject({ state: "completed" })
    }
    const [first = 0] = times()
    expect(times().map((at) => at - first)).toEqual([0, 0, 0, 60, 60, 60])
  })

  test("are sent by the limits, and none is lost, when they are replayed", async () => {
    const { email, hook, realm, cause, postbox, advance, times, now } = await mailed()
    await cause(5)
    await advance("2 hours")
    expect(times()).toHaveLength(5)
    await advance(1)
    const replayed = now()
    const reply = await realm.post(`/v2/hooks/${hook.id}/replay`, { since: 0, state: "all" })
    expect(reply.member("notifications")).toBe(5)
    await advance("2 hours")
    const again = postbox.to(email).slice(5)
    expect(again.map(({ at }) => Math.round(at.epochMilliseconds / 1000 - replayed))).toEqual([0, 0, 0, 60, 60])
    expect(new Set(postbox.to(email).map(({ messageId }) => messageId)).size).toBe(5)
  })
})

test("a mail and a webhook of one event know nothing of each other", async () => {
  const own = await turnedRealm()
  const { realm, receiver, postbox, advance } = own
  const [posting, mailing] = [await webhook(realm, { event_type: ["user.updated"] }), await emailHook(realm)]
  const user = await realm.user()
  postbox.refuse(user.string("email"), { message: "550 No such mailbox.", final: true })
  await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
  const { eventId } = await latest(realm, "user.updated")
  await advance(0)
  expect(receiver.to(posting.string("destination"))).toHaveLength(1)
  expect(await notificationFor(realm, eventId, mailing.id)).toMatchObject({ hook_type: "email", state: "failed" })
})
