import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { MembershipId, OrgId, RealmId, UserId } from "#domain/Ids"
import type { LinkedMembership, Membership } from "#domain/Membership"
import type { PageOf } from "#domain/Page"
import { violates } from "#platform/Transaction"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { type Write, writeAlone } from "../statements/Writes.ts"
import { type JoinedOrg, joinedOrg, orgColumns } from "./OrgsRepo.ts"

/** The filters for lists of memberships. `userId`, `orgId` or both are set. */
export interface MembershipFilter {
  readonly userId: string | undefined
  readonly orgId: string | undefined
  /** Part of the user's name or email, in canonical form. Reads all of the org's memberships, in the order of the page. */
  readonly search?: string | undefined
  /** The first id that a pending reset does not delete. */
  readonly from?: string | undefined
}

interface Row {
  readonly id: MembershipId
  readonly realm_id: RealmId
  readonly user_id: UserId
  readonly org_id: OrgId | null
  readonly permissions: ReadonlyArray<string>
  readonly custom: Membership["custom"]
  readonly created_at: Date
  readonly expires_at: Date | null
}

type RowWithOrg = Row & JoinedOrg

const fromRow = (row: Row): Membership => ({
  id: row.id,
  realmId: row.realm_id,
  userId: row.user_id,
  orgId: row.org_id,
  permissions: row.permissions,
  custom: row.custom,
  createdAt: utc(row.created_at),
  expiresAt: utcOrNull(row.expires_at)
})

const withOrg = (row: RowWithOrg): LinkedMembership => ({ ...fromRow(row), org: joinedOrg(row), user: null })

const toRow = (membership: Membership) => ({
  realm_id: membership.realmId,
  id: membership.id,
  user_id: membership.userId,
  org_id: membership.orgId,
  permissions: membership.permissions,
  custom: JSON.stringify(membership.custom),
  created_at: date(membership.createdAt),
  expires_at: dateOrNull(membership.expiresAt)
})

const isTaken = (error: SqlError): boolean =>
  violates("memberships_pair")(error) || violates("memberships_without_org")(error)

/**
 * Stores memberships. Unless stated otherwise, queries do not return expired ones (C33) or those in orgs that are being
 * deleted.
 */
export class MembershipsRepo extends Context.Service<
  MembershipsRepo,
  {
    /** A write that inserts memberships. It conflicts if a user is already a member of an org. */
    insertion(memberships: ReadonlyArray<Membership>): Write<"already_member">
    /** Inserts memberships in one realm. Returns false if a user is already a member of an org. */
    insert(realmId: RealmId, memberships: ReadonlyArray<Membership>): Effect.Effect<boolean>
    update(membership: Membership): Effect.Effect<void>
    find(realmId: RealmId, id: MembershipId, now: DateTime.Utc): Effect.Effect<LinkedMembership | undefined>
    findForUpdate(realmId: RealmId, id: MembershipId, now: DateTime.Utc): Effect.Effect<Membership | undefined>
    /** Finds the user's membership in an org. */
    findPairForUpdate(
      realmId: RealmId,
      userId: UserId,
      orgId: OrgId,
      now: DateTime.Utc
    ): Effect.Effect<Membership | undefined>
    /** Returns whether an org has another owner than this member. Only active users whose membership does not expire count. */
    hasOtherOwner(realmId: RealmId, orgId: OrgId, id: MembershipId): Effect.Effect<boolean>
    delete(realmId: RealmId, id: MembershipId): Effect.Effect<void>
    /** Deletes all of a user's memberships, including expired ones and those in orgs that are being deleted. */
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<Membership>>
    /** Deletes the oldest memberships of an org that is being deleted, including expired ones. */
    deleteSomeOfOrg(realmId: RealmId, orgId: OrgId, limit: number): Effect.Effect<ReadonlyArray<Membership>>
    /** Deletes the expired memberships of these users in these orgs or, if `orgIds` is empty, those without an org. */
    deleteExpired(
      realmId: RealmId,
      userIds: ReadonlyArray<UserId>,
      orgIds: ReadonlyArray<OrgId>,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<Membership>>
    /** Deletes the oldest expired memberships, in all realms that are not deleted. Skips rows locked by another node. */
    claimExpired(now: DateTime.Utc, limit: number): Effect.Effect<ReadonlyArray<Membership>>
    /** The earliest expiry of any stored membership. It may be in the past. */
    readonly nextExpiry: Effect.Effect<DateTime.Utc | undefined>
    /**
     * Returns a user's memberships in active orgs, and the one without an org (C19), oldest first. `only` restricts the
     * result to one org or to a maximum number.
     */
    ofUser(
      realmId: RealmId,
      userId: UserId,
      now: DateTime.Utc,
      only?: { readonly orgId?: string | undefined; readonly atMost?: number }
    ): Effect.Effect<ReadonlyArray<LinkedMembership>>
    /** Returns one more row than fits on the page. If filtered by user, includes the orgs. */
    list(
      realmId: RealmId,
      filter: MembershipFilter,
      now: DateTime.Utc,
      page: PageOf<"id">
    ): Effect.Effect<ReadonlyArray<LinkedMembership>>
  }
>()("sallyport/store/MembershipsRepo") {
  static readonly layer = Layer.effect(
    MembershipsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(`select m.*, ${orgColumns}`)
      const withTheirOrg = sql.literal("left join orgs o on o.realm_id = m.realm_id and o.id = m.org_id")
      const select = sql`${columns} from memberships m ${withTheirOrg}`
      const hasOrg = sql.literal("o.deleted_at is null")
      const orgExists = sql.literal(`not exists (
        select from org_deletions d where d.realm_id = m.realm_id and d.org_id = m.org_id)`)
      const unexpired = (now: DateTime.Utc) => sql`(m.expires_at is null or m.expires_at > ${date(now)})`
      const many = Effect.map((rows: ReadonlyArray<RowWithOrg>) => rows.map(withOrg))
      const bare = Effect.map((rows: ReadonlyArray<Row>) => rows.map(fromRow))

      const list = (realmId: RealmId, filter: MembershipFilter, now: DateTime.Utc, page: PageOf<"id">) => {
        const conditions = [sql`m.realm_id = ${realmId}`, unexpired(now), hasOrg]
        if (filter.userId !== undefined) conditions.push(sql`m.user_id = ${filter.userId}`)
        if (filter.orgId !== undefined) {
          // Evaluated only once. If the org is being deleted, no memberships are read.
          conditions.push(sql`m.org_id = ${filter.orgId} and exists (
            select from orgs where realm_id = ${realmId} and id = ${filter.orgId} and deleted_at is null)`)
        }
        if (filter.search !== undefined) {
          conditions.push(sql`exists (select from users u where u.realm_id = m.realm_id and u.id = m.user_id
            and (strpos(u.sort_name, ${filter.search}) > 0 or strpos(coalesce(u.email, ''), ${filter.search}) > 0
              or strpos(coalesce(u.email_shown, ''), ${filter.search}) > 0))`)
        }
        if (filter.from !== undefined) conditions.push(sql`m.id >= ${filter.from}`)
        // A user has at most one membership in an org. It is looked up by both ids, which avoids reading all memberships of
        // either.
        const isPair = filter.userId !== undefined && filter.orgId !== undefined
        const pair = sql`(select * from memberships
          where realm_id = ${realmId} and user_id = ${filter.userId ?? null} and org_id = ${filter.orgId ?? null} offset 0)`
        return sql<RowWithOrg>`${columns} from ${isPair ? pair : sql`memberships`} m ${withTheirOrg}
          ${keysetPage(sql, conditions, page, { id: "m.id" })}`.pipe(many, Effect.orDie)
      }

      const insertion = (memberships: ReadonlyArray<Membership>): Write<"already_member"> => ({
        realmLock: "key share",
        statement: (before) => sql`insert into memberships
            (realm_id, id, user_id, org_id, permissions, custom, created_at, expires_at)
          select before.realm_id, m.id, m.user_id, m.org_id, m.permissions, m.custom::json, m.created_at, m.expires_at
          from ${before}, json_to_recordset(${JSON.stringify(memberships.map(toRow))}::json) as m (id text, user_id text,
            org_id text, permissions text[], custom text, created_at timestamptz, expires_at timestamptz)`,
        conflictIn: (error) => (isTaken(error) ? "already_member" : undefined)
      })

      return MembershipsRepo.of({
        insertion,
        insert: (realmId, memberships) =>
          Effect.map(writeAlone(sql, realmId, insertion(memberships)), (conflict) => conflict === undefined),
        update: (membership) =>
          sql`update memberships set ${sql.update(toRow(membership), ["realm_id", "id", "user_id", "org_id", "created_at"])}
            where realm_id = ${membership.realmId} and id = ${membership.id}`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id, now) =>
          sql<RowWithOrg>`${select} where m.realm_id = ${realmId} and m.id = ${id} and ${unexpired(now)}
            and ${hasOrg}`.pipe(
            many,
            Effect.map((found) => found[0]),
            Effect.orDie
          ),
        findForUpdate: (realmId, id, now) =>
          sql<Row>`select * from memberships m where realm_id = ${realmId} and id = ${id} and ${unexpired(now)}
            and ${orgExists} for update of m`.pipe(
            bare,
            Effect.map((found) => found[0]),
            Effect.orDie
          ),
        findPairForUpdate: (realmId, userId, orgId, now) =>
          sql<Row>`select * from memberships m where realm_id = ${realmId} and user_id = ${userId} and org_id = ${orgId}
            and ${unexpired(now)} and ${orgExists} for update of m`.pipe(
            bare,
            Effect.map((found) => found[0]),
            Effect.orDie
          ),
        hasOtherOwner: (realmId, orgId, id) =>
          sql`select 1 as other from memberships m join users u on u.realm_id = m.realm_id and u.id = m.user_id
            where m.realm_id = ${realmId} and m.org_id = ${orgId} and m.id <> ${id} and m.expires_at is null
            and 'ar:owner' = any(m.permissions) and u.state = 'active' limit 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        delete: (realmId, id) =>
          sql`delete from memberships where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        deleteOfUser: (realmId, userId) =>
          sql<Row>`with gone as (delete from memberships where realm_id = ${realmId} and user_id = ${userId} returning *)
            select * from gone order by id`.pipe(bare, Effect.orDie),
        deleteSomeOfOrg: (realmId, orgId, limit) =>
          sql<Row>`with oldest as (
              select id from memberships where realm_id = ${realmId} and org_id = ${orgId} order by id limit ${limit}
              for update
            ), gone as (
              delete from memberships where realm_id = ${realmId} and id in (select id from oldest) returning *
            ) select * from gone order by id`.pipe(bare, Effect.orDie),
        deleteExpired: (realmId, userIds, orgIds, now) =>
          sql<Row>`delete from memberships where realm_id = ${realmId} and user_id = any(${userIds}::text[])
            and ${orgIds.length === 0 ? sql`org_id is null` : sql`org_id = any(${orgIds}::text[])`} and expires_at <= ${date(now)} returning *`.pipe(
            bare,
            Effect.orDie
          ),
        claimExpired: (now, limit) =>
          sql<Row>`with due as (
              select e.realm_id, e.id from memberships e
                join realms r on r.id = e.realm_id and r.deleted_at is null
                where e.expires_at <= ${date(now)} order by e.expires_at limit ${limit} for update of e skip locked
            ), gone as (
              delete from memberships e using due where e.realm_id = due.realm_id and e.id = due.id returning e.*
            ) select * from gone order by expires_at, id`.pipe(bare, Effect.orDie),
        nextExpiry: sql<{ readonly expires_at: Date }>`select e.expires_at from memberships e
          join realms r on r.id = e.realm_id and r.deleted_at is null
          where e.expires_at is not null order by e.expires_at limit 1`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : utc(row.expires_at))),
          Effect.orDie
        ),
        ofUser: (realmId, userId, now, { orgId, atMost } = {}) =>
          sql<RowWithOrg>`${select} where m.realm_id = ${realmId} and m.user_id = ${userId} and ${unexpired(now)}
            and (m.org_id is null or o.state = 'active') and ${hasOrg}
            ${orgId === undefined ? sql`` : sql`and m.org_id = ${orgId}`}
            order by m.id limit ${atMost ?? null}`.pipe(many, Effect.orDie),
        list
      })
    })
  )
}
