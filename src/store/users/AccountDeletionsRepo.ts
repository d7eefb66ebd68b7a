import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import { date, dateOrNull, utc } from "../statements/Rows.ts"

/** A user whose account is due for deletion. */
export interface DueDeletion {
  readonly realmId: RealmId
  readonly userId: UserId
}

/** Stores when the accounts of users will be deleted (C307). */
export class AccountDeletionsRepo extends Context.Service<
  AccountDeletionsRepo,
  {
    /** Stores when an account will be deleted, or null if it no longer will be. */
    set(realmId: RealmId, userId: UserId, at: DateTime.Utc | null): Effect.Effect<void>
    /** The names of the active orgs with other active members of which the user is the only owner, at most 10. */
    orgsNeedingOwner(realmId: RealmId, userId: UserId, now: DateTime.Utc): Effect.Effect<ReadonlyArray<string>>
    /** Locks the users whose deletion is due, in all realms that are not deleted. Skips rows locked by another node. */
    claimDue(now: DateTime.Utc, limit: number): Effect.Effect<ReadonlyArray<DueDeletion>>
    /** The earliest scheduled deletion. It may be in the past. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/AccountDeletionsRepo") {
  static readonly layer = Layer.effect(
    AccountDeletionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      return AccountDeletionsRepo.of({
        set: (realmId, userId, at) =>
          sql`update users set deletion_at = ${dateOrNull(at)} where realm_id = ${realmId} and id = ${userId}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        orgsNeedingOwner: (realmId, userId, now) =>
          sql<{ readonly name: string }>`select o.name from memberships m
            join orgs o on o.realm_id = m.realm_id and o.id = m.org_id and o.state = 'active' and o.deleted_at is null
            where m.realm_id = ${realmId} and m.user_id = ${userId} and 'ar:owner' = any(m.permissions)
              and (m.expires_at is null or m.expires_at > ${date(now)})
              and exists (select from memberships other
                join users u on u.realm_id = other.realm_id and u.id = other.user_id and u.state = 'active'
                where other.realm_id = m.realm_id and other.org_id = m.org_id and other.id <> m.id
                  and (other.expires_at is null or other.expires_at > ${date(now)}))
              and not exists (select from memberships other
                join users u on u.realm_id = other.realm_id and u.id = other.user_id and u.state = 'active'
                where other.realm_id = m.realm_id and other.org_id = m.org_id and other.id <> m.id
                  and other.expires_at is null and 'ar:owner' = any(other.permissions))
            order by m.id limit 10`.pipe(
            Effect.map((rows) => rows.map(({ name }) => name)),
            Effect.orDie
          ),
        claimDue: (now, limit) =>
          sql<{ readonly realm_id: RealmId; readonly id: UserId }>`select u.realm_id, u.id from users u
            join realms r on r.id = u.realm_id and r.deleted_at is null
            where u.deletion_at <= ${date(now)} order by u.deletion_at limit ${limit} for update of u skip locked`.pipe(
            Effect.map((rows) => rows.map(({ realm_id, id }) => ({ realmId: realm_id, userId: id }))),
            Effect.orDie
          ),
        nextDue: sql<{ readonly deletion_at: Date }>`select u.deletion_at from users u
          join realms r on r.id = u.realm_id and r.deleted_at is null
          where u.deletion_at is not null order by u.deletion_at limit 1`.pipe(
          Effect.map(([row]) => (row === undefined ? undefined : utc(row.deletion_at))),
          Effect.orDie
        )
      })
    })
  )
}
