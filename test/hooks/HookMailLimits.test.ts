import { describe, expect, test } from "vitest"
import { emailHook, latest, notificationFor, turnedRealm, webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"

const serverDown = { message: "connect ECONNREFUSED", isFinal: false }

/** A user who gets an email for each update, with a function to cause updates. */
const givenMailedUser = async (attributes = {}) => {
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
  /** The time of each email in seconds after the start. */
  const times = () => postbox.to(email).map(({ at }) => (at.epochMilliseconds - started) / 1000)
  return { ...own, hook, user, email, cause, times, started }
}

describe("an email that the server doesn't accept", () => {
  test("RG-16: is retried on schedule with the same Message-ID while the mail server is down", async () => {
    const { realm, hook, email, cause, postbox, advance, times } = await givenMailedUser()
    const [eventId = ""] = await cause(1)
    postbox.refuse(email, serverDown)
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

  test("fails immediately after a permanent rejection", async () => {
    const { realm, hook, email, cause, postbox, advance } = await givenMailedUser()
    const [eventId = ""] = await cause(1)
    postbox.refuse(email, { message: "550 No such mailbox.", isFinal: true })
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

  test("fails after nine attempts and can then be resent", async () => {
    const { realm, hook, email, cause, postbox, advance } = await givenMailedUser()
    const [eventId = ""] = await cause(1)
    postbox.refuse(email, serverDown)
    await advance("4 days")
    const failed = await notificationFor(realm, eventId, hook.id)
    expect(failed).toMatchObject({ state: "failed", attempts: 9 })
    postbox.refuse(email, undefined)
    await realm.post(`/v2/events/${eventId}/notifications/${String(failed["id"])}/retry`, {})
    await advance(0)
    expect(postbox.to(email)).toHaveLength(1)
  })

  test("fails immediately if its template is nested too deeply", async () => {
    const { realm, hook, email, cause, postbox, advance, sql } = await givenMailedUser({ email_renderer: "html+text" })
    // Stored directly, as before templates were checked.
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

describe("SEC-73: the emails for one recipient", () => {
  test("are limited to 3 a minute and 10 an hour, and the rest is sent later", async () => {
    const { realm, hook, email, cause, postbox, advance, times, started } = await givenMailedUser()
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

  test("are counted across hooks, but not across recipients or realms", async () => {
    const { realm, given, hook, email, cause, postbox, advance, times } = await givenMailedUser()
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

  test("are counted for the address in email_to", async () => {
    const { email, cause, postbox, advance, realm } = await givenMailedUser({ email_to: "qa@example.test" })
    await cause(5)
    await advance(0)
    const qa = () => postbox.to("qa@example.test").filter(({ realmId }) => realmId === realm.id)
    expect([qa().length, postbox.to(email)]).toEqual([3, []])
    await advance("1 minute")
    expect(qa()).toHaveLength(5)
  })

  test("stay within the limits without loss when all emails are due at once after an outage", async () => {
    const { realm, hook, email, cause, postbox, advance, times, sql, clock } = await givenMailedUser()
    postbox.refuse(email, serverDown)
    const eventIds = await cause(3)
    await advance(0)
    await advance("2 minutes")
    eventIds.push(...(await cause(3)))
    await advance("1 minute")
    // After some time without a running node, all emails have failed before and are due.
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

  test("stay within the limits without loss when replayed", async () => {
    const { email, hook, realm, cause, postbox, advance, times, now } = await givenMailedUser()
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

test("an email and a webhook for the same event are delivered independently", async () => {
  const own = await turnedRealm()
  const { realm, receiver, postbox, advance } = own
  const [posting, mailing] = [await webhook(realm, { event_type: ["user.updated"] }), await emailHook(realm)]
  const user = await realm.user()
  postbox.refuse(user.string("email"), { message: "550 No such mailbox.", isFinal: true })
  await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Ada" } })
  const { eventId } = await latest(realm, "user.updated")
  await advance(0)
  expect(receiver.to(posting.string("destination"))).toHaveLength(1)
  expect(await notificationFor(realm, eventId, mailing.id)).toMatchObject({ hook_type: "email", state: "failed" })
})
