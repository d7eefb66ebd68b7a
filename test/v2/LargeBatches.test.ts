import { expect, test } from "vitest"
import { query } from "../support/query.ts"
import { isolatedService, ownService } from "../support/sallyport.ts"

const MANY = 3_000

test("deactivating a user with thousands of sessions ends every session and records an event for each", () =>
  isolatedService(async ({ given, sql }) => {
    const realm = await given.realm()
    const user = await realm.user()
    await query(
      sql`insert into sessions (realm_id, id, user_id, created_at, expires_at)
        select ${realm.id}, 'kss_' || lpad(n::text, 26, '0'), ${user.id}, '2026-01-01Z', '2027-01-01Z'
        from generate_series(1, ${MANY}) n`
    )
    const reply = await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect(reply.status).toBe(200)
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    const [{ n } = { n: 0 }] = await query(
      sql<{ n: number }>`select count(*)::int as n from events where event_type = 'session.deleted'`
    )
    expect(n).toBe(MANY)
  }))

test("deleting an org by force records an event for each of its thousands of memberships", () =>
  isolatedService(async ({ given, sql, advance }) => {
    const realm = await given.realm()
    const org = await realm.org()
    await query(
      sql`insert into users (realm_id, id, user_type, state, email_unique, email_verification, name, sort_name,
          sort_name_alt, custom, created_at)
        select ${realm.id}, 'usr_' || lpad(n::text, 26, '0'), 'human', 'active', false, 'none', 'n', 'n', 'n', '{}',
          '2026-01-01Z' from generate_series(1, ${MANY}) n`
    )
    const user_ids = Array.from({ length: MANY }, (_, n) => `usr_${String(n + 1).padStart(26, "0")}`)
    const created = await realm.post("/v2/orgs", { org: { name: "Large" }, user_ids })
    expect([created.status, created.member("memberships", MANY - 1, "object")]).toEqual([201, "membership"])
    expect((await realm.delete(`/v2/orgs/${created.id}?force=true`)).status).toBe(202)
    await advance(0)
    const counts = await query(
      sql<{ event_type: string; n: number }>`select event_type, count(*)::int as n from events
        where org_id = ${created.id} group by event_type order by event_type`
    )
    expect(counts).toEqual([
      { event_type: "membership.created", n: MANY },
      { event_type: "membership.deleted", n: MANY },
      { event_type: "org.created", n: 1 },
      { event_type: "org.deleted", n: 1 }
    ])
    expect((await realm.get(`/v2/orgs/${org.id}`)).status).toBe(200)
  }))

test("concurrent idempotent logins and JWKS requests don't block each other", () =>
  ownService(async ({ given, url }) => {
    const realm = await given.realm()
    const user = await realm.user()
    for (let round = 0; round < 5; round++) {
      const replies = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          n % 2 === 0
            ? realm.post("/v2/sessions", { session: { user_id: user.id } }, { "idempotency-key": `k-${round}-${n}` })
            : fetch(`${url}/realms/${realm.id}/jwks`)
        )
      )
      expect(replies.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    }
  }))
