import { expect, test } from "vitest"
import { OutboundFailed } from "#platform/Outbound"
import { turnedRealm, webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { service, workerSql } from "../support/sallyport.ts"

const DAY = 86_400

const noEvents = {
  logins: 0,
  active_users: 0,
  logins_by_method: [],
  failed_logins: 0,
  blocked_users: 0,
  users_created: 0,
  orgs_created: 0,
  users_imported: 0,
  orgs_imported: 0,
  sessions_ended: 0,
  webhooks_delivered: 0,
  webhooks_failed: 0,
  mails_sent: 0,
  mails_failed: 0
}

test("C206: counts a realm's events and deliveries by day and hour, and names failing hooks", async () => {
  const { realm, receiver, advance, now, given } = await turnedRealm()
  await webhook(realm, { event_type: ["org.created"] })
  const bad = await webhook(realm, { event_type: ["org.created"] })
  receiver.answer(bad.string("destination"), () => new OutboundFailed({ reason: "unreachable" }))
  const user = await realm.user({ password: "a long enough password" })
  const session = await realm.session(user.id)
  await realm.delete(`/v2/sessions/${session.id}`)
  for (const password of ["a long enough password", "wrong", "wrong too"]) {
    await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password } })
  }
  await realm.org()
  await (await given.realm()).org()
  const begun = now()
  await advance("1 second")
  const path = `/v2/realms/${realm.id}/statistics`
  const { result, events } = await realm.seen.during(() => realm.get(path))
  const happened = {
    ...noEvents,
    logins: 1,
    active_users: 1,
    logins_by_method: [{ methods: ["password"], logins: 1 }],
    failed_logins: 2,
    users_created: 1,
    orgs_created: 1,
    sessions_ended: 1,
    webhooks_delivered: 1
  }
  const today = Math.floor(begun / DAY) * DAY
  const failing = {
    hook_id: bad.id,
    hook_type: "webhook",
    failed: 0,
    retrying: 1,
    last_destination: bad.string("destination"),
    last_result: "The destination could not be reached."
  }
  expect([result.status, events]).toEqual([200, []])
  expect(result.body).toEqual({
    object: "statistics",
    interval: "day",
    from: today - 6 * DAY,
    to: now(),
    truncated: false,
    totals: { users: 1, orgs: 1, active_users_day: 1, active_users_month: 1 },
    intervals: Array.from({ length: 7 }, (_, day) => ({
      from: today - (6 - day) * DAY,
      ...(day === 6 ? happened : noEvents)
    })),
    failing_hooks: [failing]
  })
  await advance("4 days")
  const until = `to=${Math.floor(begun) + 1}`
  const hour = Math.floor(begun / 3600) * 3600
  const hours = await realm.get(`${path}?interval=hour&from=${hour - 3600}&${until}`)
  expect(hours.body).toMatchObject({
    interval: "hour",
    from: hour - 3600,
    to: Math.floor(begun) + 1,
    intervals: [
      { from: hour - 3600, ...noEvents },
      { from: hour, ...happened, webhooks_failed: 1 }
    ],
    failing_hooks: [{ ...failing, failed: 1, retrying: 0 }]
  })
  const later = await realm.get(`${path}?from=${now() - DAY}`)
  expect(later.member("intervals")).toHaveLength(2)
  expect(later.member("failing_hooks")).toEqual([])
  expect((await realm.get(`${path}?interval=hour`)).member("intervals")).toHaveLength(24)
})

test("C206: rejects a period that is reversed, empty or too long, and an unknown interval", async () => {
  const realm = await (await service()).given.realm()
  const problem = async (parameters: string) => {
    const reply = await realm.get(`/v2/realms/${realm.id}/statistics?${parameters}`)
    return [reply.status, reply.member("error_details", 0, "field"), reply.member("error_details", 0, "message")]
  }
  const tooLong =
    "From can be at most 31 days before to, or 48 hours with interval=hour, or 12 months with interval=month."
  for (const [parameters, field, message] of [
    ["from=200&to=100", "from", "From must be earlier than to."],
    ["from=100&to=100", "from", "From must be earlier than to."],
    ["to=0", "from", "From must be earlier than to."],
    ["from=253402300799", "from", "From must be earlier than to."],
    [`from=0&to=${31 * DAY + 1}`, "from", tooLong],
    ["from=0", "from", tooLong],
    ["from=0&to=172801&interval=hour", "from", tooLong],
    [`from=0&to=${366 * DAY + 1}&interval=month`, "from", tooLong],
    ["interval=week", "interval", "Interval must be one of: day, hour, month."],
    ["from=yesterday", "from", "From must be a Unix timestamp in seconds."],
    ["from=-1", "from", "From must be a Unix timestamp in seconds."]
  ] as const) {
    expect([parameters, await problem(parameters)]).toEqual([parameters, [422, field, message]])
  }
  for (const [parameters, length] of [
    [`from=0&to=${31 * DAY}`, 31],
    ["from=0&to=172800&interval=hour", 48],
    ["from=0&to=31536000&interval=month", 12],
    [`from=${15 * DAY}&to=${381 * DAY}&interval=month`, 13],
    ["to=253402300799&interval=month", 12],
    ["to=1&interval=month", 1],
    ["from=0&to=0.001", 1],
    // This period lasts from noon to noon, so it touches 32 days.
    [`from=${DAY / 2}&to=${31 * DAY + DAY / 2}`, 32],
    ["to=253402300799", 7],
    ["to=1", 1]
  ] as const) {
    const reply = await realm.get(`/v2/realms/${realm.id}/statistics?${parameters}`)
    expect([parameters, reply.status, reply.member("intervals", "length")]).toEqual([parameters, 200, length])
  }
})

test("C206: counts up to 50,000, and sets truncated if the count may be higher", async () => {
  const realm = await (await service()).given.realm()
  await realm.org()
  const [event] = (await realm.get("/v2/events?event_type=org.created")).items
  const id = String(event?.["id"])
  const sql = await workerSql()
  const copies = (from: number, to: number) =>
    query(sql`insert into events (realm_id, id, event_type, event_at, actor_type, changed)
      select realm_id, left(id, 13) || 'z' || lpad(n::text, 15, '0'), event_type, event_at, actor_type, changed
      from events cross join generate_series(${from}::int, ${to}::int) n
      where realm_id = ${realm.id} and id = ${id}`)
  const shown = async () => {
    const reply = await realm.get(`/v2/realms/${realm.id}/statistics?to=${1_767_225_600 + DAY}`)
    return [reply.member("intervals", 6, "orgs_created"), reply.member("truncated")]
  }
  await copies(1, 49_998)
  expect(await shown()).toEqual([49_999, false])
  await copies(49_999, 50_000)
  expect(await shown()).toEqual([50_000, true])
})
