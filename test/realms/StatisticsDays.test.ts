import { expect, test } from "vitest"
import { turnedRealm } from "../support/hooks.ts"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { query } from "../support/query.ts"

const DAY = 86_400

test("C221: stores the counts of a busy day after its end, until the realm is reset", async () => {
  const { realm, advance, now, sql } = await turnedRealm()
  const copies = (from: number, to: number) =>
    query(sql`insert into events (realm_id, id, event_type, event_at, org_id, actor_type, changed)
      select realm_id, left(id, 13) || 'z' || lpad(n::text, 15, '0'), event_type, event_at, org_id, actor_type, changed
      from events cross join generate_series(${from}::int, ${to}::int) n
      where realm_id = ${realm.id} and event_type = 'org.created' and id not like '%z0000%'`)
  const day = Math.floor(now() / DAY) * DAY
  const created = async (parameters: string) => {
    const reply = await realm.get(`/v2/realms/${realm.id}/statistics?${parameters}`)
    const intervals: ReadonlyArray<{ readonly orgs_created: number }> = JSON.parse(reply.text).intervals
    return intervals.reduce((sum, { orgs_created }) => sum + orgs_created, 0)
  }
  const [byDay, byHour] = [`from=${day}&to=${day + 2 * DAY}`, `from=${day}&to=${day + 2 * DAY}&interval=hour`]
  await realm.org()
  await copies(1, 998)
  await advance("2 days")
  expect(await created(byDay)).toBe(999)
  await copies(999, 999)
  expect([await created(byDay), await created(byHour)]).toEqual([1_000, 1_000])
  // No event is ever recorded for a past day. These events show that the day isn't counted again.
  await copies(1_000, 1_000)
  expect([await created(byDay), await created(byHour)]).toEqual([1_000, 1_001])
  const kept = await query(sql`select event_type, count from event_counts where realm_id = ${realm.id} and count > 0`)
  expect(kept).toEqual([{ event_type: "org.created", count: 1_000 }])
  await realm.post(`/v2/realms/${realm.id}/reset`, {})
  expect(await created(byDay)).toBe(1_001)
  await advance("1 second")
  expect(await created(byDay)).toBe(0)
})

test("C206: counts current and active users and orgs, and users and orgs from imports", async () => {
  const { realm, advance, given } = await turnedRealm()
  const statistics = async () => JSON.parse((await realm.get(`/v2/realms/${realm.id}/statistics`)).text)
  const totals = async () => (await statistics()).totals
  const nobody = { users: 0, orgs: 0, active_users_day: 0, active_users_month: 0 }
  expect(await totals()).toEqual(nobody)
  const user = await realm.user({ password: PASSWORD })
  await authenticate(realm, user.id)
  await (await given.realm()).user()
  const rows = ["ada", "grace"].map((name) =>
    JSON.stringify({
      reference: name,
      email: `${name}@example.test`,
      memberships: [{ org: { reference: "o", name: "O" } }]
    })
  )
  const imported = await realm.post("/v2/imports", rows.join("\n"), { "content-type": "application/x-ndjson" })
  expect(imported.status).toBe(200)
  await advance("1 second")
  const { intervals } = await statistics()
  const today = { users_created: 1, users_imported: 2, orgs_created: 0, orgs_imported: 1 }
  expect(intervals.at(-1)).toMatchObject(today)
  expect(intervals.at(-2)).toMatchObject({ users_imported: 0, orgs_imported: 0 })
  expect(await totals()).toEqual({ users: 3, orgs: 1, active_users_day: 1, active_users_month: 1 })
  await advance("2 days")
  expect(await totals()).toEqual({ users: 3, orgs: 1, active_users_day: 0, active_users_month: 1 })
  await advance("29 days")
  expect(await totals()).toEqual({ users: 3, orgs: 1, active_users_day: 0, active_users_month: 0 })
  // The reset's job has not run yet.
  await realm.post(`/v2/realms/${realm.id}/reset`, { orgs: true, users: true })
  expect(await totals()).toEqual(nobody)
})

test("C221: stores the active users and login methods of a busy day, and counts days again that lack them", async () => {
  const { realm, advance, now, sql } = await turnedRealm()
  const user = await realm.user({ password: PASSWORD })
  await authenticate(realm, user.id)
  const copies = (from: number, to: number) =>
    query(sql`insert into events (realm_id, id, event_type, event_at, user_id, actor_type, changed, details)
      select realm_id, left(id, 13) || 'z' || lpad(n::text, 15, '0'), event_type, event_at, 'usr_' || n, actor_type, changed,
        case when n > 10 then '{"methods": ["google", "totp"]}'::jsonb end
      from events cross join generate_series(${from}::int, ${to}::int) n
      where realm_id = ${realm.id} and event_type = 'user.login.succeeded' and id not like '%z0000%'`)
  await copies(1, 1_000)
  const day = Math.floor(now() / DAY) * DAY
  await advance("2 days")
  const shown = async () => {
    const reply = await realm.get(`/v2/realms/${realm.id}/statistics?from=${day}&to=${day + DAY}`)
    return JSON.parse(reply.text).intervals[0]
  }
  const counted = {
    logins: 1_001,
    active_users: 1_001,
    logins_by_method: [
      { methods: ["google", "totp"], logins: 990 },
      { methods: [], logins: 10 },
      { methods: ["password"], logins: 1 }
    ]
  }
  expect(await shown()).toMatchObject(counted)
  // The day isn't counted again.
  await copies(1_001, 1_001)
  expect(await shown()).toMatchObject(counted)
  await query(sql`update event_counts set users = null, methods = null where realm_id = ${realm.id}`)
  expect(await shown()).toMatchObject({ logins: 1_002, active_users: 1_002 })
})
