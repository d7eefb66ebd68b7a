import { expect, test } from "vitest"
import { query } from "../support/query.ts"
import { isolatedService } from "../support/sallyport.ts"

test("expand=memberships shows the oldest 1,000 memberships of an org or user", () =>
  isolatedService(async ({ given, sql }) => {
    const realm = await given.realm({ jwt_scopes: "ar.orgs" })
    const [org, user] = [await realm.org(), await realm.user()]
    await query(sql`insert into users (realm_id, id, user_type, state, email_unique, email_verification, name, sort_name,
        sort_name_alt, custom, created_at)
      select ${realm.id}, 'usr_' || lpad(n::text, 26, '0'), 'human', 'active', false, 'none', 'n', 'n', 'n', '{}',
        '2026-01-01Z' from generate_series(1, 1001) n`)
    await query(sql`insert into orgs (realm_id, id, state, name, sort_name, custom, created_at)
      select ${realm.id}, 'org_' || lpad(n::text, 26, '0'), 'active', 'n', 'n', '{}', '2026-01-01Z'
      from generate_series(1, 1001) n`)
    await query(sql`insert into memberships (realm_id, id, user_id, org_id, permissions, custom, created_at)
      select ${realm.id}, 'mb_' || lpad(n::text, 26, '0'), 'usr_' || lpad(n::text, 26, '0'), ${org.id}, '{}'::text[], '{}'::json,
        '2026-01-01Z'::timestamptz from generate_series(1, 1001) n
      union all select ${realm.id}, 'mb_' || lpad((n + 5000)::text, 26, '0'), ${user.id},
        'org_' || lpad(n::text, 26, '0'), '{}'::text[], '{}'::json, '2026-01-01Z'::timestamptz from generate_series(1, 1001) n`)
    const idAt = (n: number) => `mb_${String(n).padStart(26, "0")}`

    const expandedOrg = await realm.get(`/v2/orgs/${org.id}?expand=memberships`)
    expect([expandedOrg.member("memberships", 999, "id"), expandedOrg.member("memberships", 1000)]).toEqual([
      idAt(1000),
      undefined
    ])
    const expandedUser = await realm.get(`/v2/users/${user.id}?expand=memberships`)
    expect([expandedUser.member("memberships", 999, "id"), expandedUser.member("memberships", 1000)]).toEqual([
      idAt(6000),
      undefined
    ])
    expect(expandedUser.member("membership_count")).toBe(1001)
    const idsAfter = async (path: string) => (await realm.get(`/v2/memberships?${path}`)).items.map(({ id }) => id)
    expect(await idsAfter(`org_id=${org.id}&after=${idAt(1000)}`)).toEqual([idAt(1001)])
    expect(await idsAfter(`user_id=${user.id}&after=${idAt(6000)}`)).toEqual([idAt(6001)])

    const session = await realm.session(user.id)
    const shown = await realm.get(`/v2/sessions/${session.id}?expand=memberships`)
    expect(shown.member("user", "memberships", 1000)).toBeUndefined()
    const lastOrg = `org_${String(1001).padStart(26, "0")}`
    const expandedSession = await realm.get(`/v2/sessions/${session.id}?expand=memberships&org_id=${lastOrg}`)
    expect(expandedSession.member("user", "memberships", 0, "id")).toBe(idAt(6001))
  }))
