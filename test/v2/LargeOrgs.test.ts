import { expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { webhook } from "../support/hooks.ts"
import { query } from "../support/query.ts"
import { isolatedService, type OwnService } from "../support/sallyport.ts"

/** More members than the deletion of an org removes within the request. */
const MANY = 1_100

/** The request attributes sent with the deletion. */
const request = { ip: "203.0.113.9", client: "desk" }

/** Creates an org with `MANY` members. Returns the org and the last member. */
const largeOrg = async ({ sql }: OwnService, realm: GivenRealm) => {
  const [org, last] = [await realm.org({ name: "Large" }), await realm.user()]
  await query(
    sql`insert into users (realm_id, id, user_type, state, email_unique, email_verification, name, sort_name,
        sort_name_alt, custom, created_at)
      select ${realm.id}, 'usr_' || lpad(n::text, 26, '0'), 'human', 'active', false, 'none', 'n', 'n', 'n', '{}',
        '2026-01-01Z' from generate_series(1, ${MANY - 1}::int) n`
  )
  await query(
    sql`insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
      select ${realm.id}, 'mb_' || lpad(n::text, 26, '0'), 'usr_' || lpad(n::text, 26, '0'), ${org.id}, '{}', '{}',
        '2026-01-01Z' from generate_series(1, ${MANY - 1}::int) n`
  )
  return { org, last, membership: await realm.membership(last.id, org.id) }
}

const deleteOrg = (realm: GivenRealm, orgId: string) =>
  realm.call("DELETE", `/v2/orgs/${orgId}?force=true`, { body: { request } })

/** Counts an org's events by type, along with their memberships, deliveries, origins and actors. */
const eventCounts = ({ sql }: OwnService, orgId: string) =>
  query(
    sql<{ readonly type: string }>`select event_type as type, count(*)::int as events,
        count(distinct membership_id)::int as memberships, count(d.id)::int as deliveries,
        array_agg(distinct request_ip || ' ' || request_client) as origins,
        array_agg(distinct actor_type || case when actor_id like 'key@_%' escape '@' then ' with id' else '' end) as actors
      from events e left join deliveries d on d.realm_id = e.realm_id and d.event_id = e.id
      where e.org_id = ${orgId} and e.event_type in ('org.deleted', 'membership.deleted')
      group by event_type order by event_type desc`
  )

const rowsOf = ({ sql }: OwnService, orgId: string) =>
  query(sql`select id from orgs where id = ${orgId} union all select id from memberships where org_id = ${orgId}
    union all select org_id from org_deletions`)

const expectedCounts = (memberships: number) => [
  {
    type: "org.deleted",
    events: 1,
    memberships: 0,
    deliveries: 1,
    origins: ["203.0.113.9 desk"],
    actors: ["api_key with id"]
  },
  {
    type: "membership.deleted",
    events: memberships,
    memberships,
    deliveries: memberships,
    origins: ["203.0.113.9 desk"],
    actors: ["api_key with id"]
  }
]

test("a deleted org of any size disappears immediately from every list, lookup, count and check", () =>
  isolatedService(async (own) => {
    const { given } = own
    const realm = await given.realm({ jwt_scopes: "ar.orgs" })
    const { org, last, membership } = await largeOrg(own, realm)
    const invitation = await realm.invitation({ org_id: org.id, email: "al@example.test" })
    const session = await realm.session(last.id)
    const other = await realm.org({ name: "Other" })
    const kept = await realm.membership(last.id, other.id)
    expect((await deleteOrg(realm, org.id)).status).toBe(202)
    // Most memberships are still stored.
    expect((await rowsOf(own, org.id)).length).toBeGreaterThan(500)

    for (const path of [`orgs/${org.id}`, `memberships/${membership.id}`, `invitations/${invitation.id}`]) {
      expect((await realm.get(`/v2/${path}`)).status, path).toBe(404)
      expect((await given.root.get(`/v2/${path}`)).status, path).toBe(404)
    }
    const ids = async (path: string) => (await realm.get(path)).items.map(({ id }) => id)
    expect(await ids("/v2/orgs")).toEqual([other.id])
    expect(await ids("/v2/orgs?state=active&sort=id")).toEqual([other.id])
    expect(await ids(`/v2/memberships?org_id=${org.id}`)).toEqual([])
    expect(await ids(`/v2/memberships?user_id=${last.id}`)).toEqual([kept.id])
    expect(await ids(`/v2/memberships?user_id=${last.id}&org_id=${org.id}`)).toEqual([])
    expect(await ids(`/v1/memberships?user_id=${last.id}`)).toEqual([kept.id])
    expect(await ids(`/v2/invitations`)).toEqual([])
    expect((await realm.get(`/v2/orgs?after=${org.id}`)).status).toBe(404)
    const user = await realm.get(`/v2/users/${last.id}?expand=memberships`)
    expect([
      user.member("membership_count"),
      user.member("memberships", 1),
      user.member("memberships", 0, "id")
    ]).toEqual([1, undefined, kept.id])
    const expanded = await realm.get(`/v2/sessions/${session.id}?expand=memberships`)
    expect(expanded.text).not.toContain(org.id)
    const [, claims = ""] = expanded.string("token").split(".")
    expect(Buffer.from(claims, "base64url").toString()).not.toContain(org.id)
    expect(Buffer.from(claims, "base64url").toString()).toContain(other.id)

    const stranger = await realm.user()
    const { events } = await realm.seen.during(async () => {
      const errors = [
        await realm.post("/v2/users", { user: { email: "b@example.test", credentials: [], org_ids: [org.id] } }),
        await realm.post("/v2/memberships", { membership: { user_id: stranger.id, org_id: org.id } }),
        await realm.post("/v2/memberships", { membership: { user_id: last.id, org_id: org.id } }),
        await realm.post("/v2/invitations", {
          invitation: { email: "c@example.test", invitation_type: "org", org_id: org.id }
        }),
        await realm.post(`/v2/users/${stranger.id}/accept_invitation`, { user: { token: invitation.string("token") } })
      ]
      expect(errors.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
      const gone = [
        await realm.put(`/v2/memberships/${membership.id}`, { membership: { permissions: ["x"] } }),
        await realm.delete(`/v2/memberships/${membership.id}`),
        await realm.put(`/v2/orgs/${org.id}`, { org: { name: "Back" } }),
        await realm.delete(`/v2/orgs/${org.id}`),
        await realm.delete(`/v2/orgs/${org.id}?force=true`),
        await realm.delete(`/v1/orgs/${org.id}`)
      ]
      expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    })
    expect(events).toEqual([])
  }))

test("a deleted org records one membership.deleted, with its deliveries, for every membership", () =>
  isolatedService(async (own) => {
    const { given, advance } = own
    const realm = await given.realm()
    await webhook(realm, { event_type: ["org.deleted", "membership.deleted"] })
    const { org, last } = await largeOrg(own, realm)
    expect((await deleteOrg(realm, org.id)).status).toBe(202)
    // One membership is deleted earlier, together with its user.
    expect((await realm.call("DELETE", `/v2/users/${last.id}`, { body: { request } })).status).toBe(204)
    await advance(0)
    expect(await eventCounts(own, org.id)).toEqual(expectedCounts(MANY))
    expect(await rowsOf(own, org.id)).toEqual([])
  }))

test("the deletion of an org resumes after a failure without deleting anything twice", () =>
  isolatedService(async (own) => {
    const { given, advance, sql } = own
    const realm = await given.realm()
    await webhook(realm, { event_type: ["org.deleted", "membership.deleted"] })
    const { org } = await largeOrg(own, realm)
    expect((await deleteOrg(realm, org.id)).status).toBe(202)
    const atFirst = await eventCounts(own, org.id)
    const rows = await rowsOf(own, org.id)
    await query(sql`alter table events add constraint full_up check (false) not valid`)
    await expect(advance(0)).rejects.toThrow()
    expect([await eventCounts(own, org.id), await rowsOf(own, org.id)]).toEqual([atFirst, rows])
    await query(sql`alter table events drop constraint full_up`)
    await advance(0)
    expect(await eventCounts(own, org.id)).toEqual(expectedCounts(MANY))
    expect(await rowsOf(own, org.id)).toEqual([])
  }))

test("deleting or resetting the realm removes the remaining memberships of a deleted org without events", () =>
  isolatedService(async (own) => {
    const { given, advance } = own
    for (const operation of ["delete", "reset"]) {
      const realm = await given.realm()
      const { org } = await largeOrg(own, realm)
      expect((await deleteOrg(realm, org.id)).status).toBe(202)
      const path = `/v2/realms/${realm.id}`
      const reply = operation === "delete" ? await given.root.delete(path) : await given.root.post(`${path}/reset`, {})
      expect(reply.status).toBe(202)
      await advance(0)
      expect(await rowsOf(own, org.id)).toEqual([])
    }
  }))
