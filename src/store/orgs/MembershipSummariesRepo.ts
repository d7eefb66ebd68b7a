import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { OrgId, RealmId, UserId } from "#domain/Ids"
import type { MembershipSummary } from "#domain/Membership"
import { date } from "../statements/Rows.ts"
import { type JoinedOrg, joinedOrg, orgColumns } from "./OrgsRepo.ts"

/** The number of orgs in a user's summary. */
const MAX_ORGS = 3

/** The number of an org's memberships up to which they are counted. */
export const MAX_MEMBERS_COUNTED = 10_000

/** Reads summaries of the memberships of listed users and orgs, each in one statement. */
export class MembershipSummariesRepo extends Context.Service<
  MembershipSummariesRepo,
  {
    /** Returns each user's number of memberships and the orgs of the oldest ones. */
    ofUsers(
      realmId: RealmId,
      ids: ReadonlyArray<UserId>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyMap<UserId, MembershipSummary>>
    /** Returns each org's number of memberships, counted up to `MAX_MEMBERS_COUNTED`. */
    ofOrgs(realmId: RealmId, ids: ReadonlyArray<OrgId>, now: DateTime.Utc): Effect.Effect<ReadonlyMap<OrgId, number>>
  }
>()("sallyport/store/MembershipSummariesRepo") {
  static readonly layer = Layer.effect(
    MembershipSummariesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const unexpired = (now: DateTime.Utc) => sql`(m.expires_at is null or m.expires_at > ${date(now)})`
      const orgExists = sql.literal(`not exists (
        select from org_deletions d where d.realm_id = m.realm_id and d.org_id = m.org_id)`)
      return MembershipSummariesRepo.of({
        ofUsers: (realmId, ids, now) =>
          sql<JoinedOrg & { readonly user_id: UserId; readonly count: number }>`
            select u.id as user_id, c.count, o.*
            from unnest(${ids}::text[]) as u (id)
            cross join lateral (select count(*)::int as count from memberships m where m.realm_id = ${realmId}
              and m.user_id = u.id and ${unexpired(now)} and ${orgExists}) c
            left join lateral (select o.realm_id, o.id as org_id, ${sql.literal(orgColumns)} from memberships m
              join orgs o on o.realm_id = m.realm_id and o.id = m.org_id and o.deleted_at is null
              where m.realm_id = ${realmId} and m.user_id = u.id and ${unexpired(now)}
              order by m.id limit ${MAX_ORGS}) o on true`.pipe(
            Effect.map((rows) => {
              const found = new Map<UserId, MembershipSummary>()
              for (const row of rows) {
                const { count, orgs } = found.get(row.user_id) ?? { count: row.count, orgs: [] }
                const org = joinedOrg(row)
                found.set(row.user_id, { count, orgs: org === null ? orgs : [...orgs, org] })
              }
              return found
            }),
            Effect.orDie
          ),
        ofOrgs: (realmId, ids, now) =>
          sql<{ readonly id: OrgId; readonly count: number }>`
            select o.id, c.count from unnest(${ids}::text[]) as o (id)
            cross join lateral (select count(*)::int as count from (select 1 from memberships m
              where m.realm_id = ${realmId} and m.org_id = o.id and ${unexpired(now)}
              limit ${MAX_MEMBERS_COUNTED}) m) c`.pipe(
            Effect.map((rows) => new Map(rows.map(({ id, count }) => [id, count]))),
            Effect.orDie
          )
      })
    })
  )
}
