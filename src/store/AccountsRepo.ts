import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import type { Account } from "#domain/Login"
import type { User } from "#domain/User"
import { date, utcOrNull } from "./Rows.ts"
import { secondFactorDue } from "./SecondFactorsRepo.ts"
import { type UserRow, userColumns, userFromRow } from "./UsersRepo.ts"
import { type Guard, noConflict, type Write } from "./Writes.ts"

/** The API user of an API key. `keyLoginAt`: when the last login event for the key was recorded. */
export interface KeyAccount {
  readonly user: User
  readonly keyLoginAt: DateTime.Utc | null
}

/** Reads what a login needs to know of a user, in one statement each, and stores the time of the login. */
export class AccountsRepo extends Context.Service<
  AccountsRepo,
  {
    find(realmId: RealmId, userId: UserId): Effect.Effect<Account | undefined>
    findByKey(realmId: RealmId, digest: Uint8Array): Effect.Effect<KeyAccount | undefined>
    /** Locks an active user and their password. Undefined if the user is inactive or the password hash has changed. */
    findLocked(realmId: RealmId, userId: UserId, passwordHash: string): Effect.Effect<User | undefined>
    /** An active user, locked. */
    active(realmId: RealmId, userId: UserId): Guard<UserRow, User>
    /** The same as `findLocked`, as a condition of what is written in the same statement. */
    withPassword(realmId: RealmId, userId: UserId, passwordHash: string): Guard<UserRow, User>
    /** The time of a login: that of the user, and the user's place in the order of last logins. */
    loginTime(userId: UserId, at: DateTime.Utc): ReadonlyArray<Write>
    /** Stores the time of a login by API key, at most once in 24 hours. True for the first login since `dayStart`. */
    touchByKey(user: User, at: DateTime.Utc, dayStart: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(userColumns)
      const due = sql.literal(secondFactorDue)

      // Both rows are locked, so that a concurrent change of either is waited for.
      const selectWithPassword = (realmId: RealmId, userId: UserId, passwordHash: string) =>
        sql<UserRow>`select ${columns} from users u join credentials c on c.realm_id = u.realm_id and c.user_id = u.id
          where u.realm_id = ${realmId} and u.id = ${userId} and u.state = 'active'
            and c.credential_type = 'password' and c.password_hash = ${passwordHash} and c.locked_at is null
          for no key update of u for share of c`

      return AccountsRepo.of({
        find: (realmId, userId) =>
          sql<
            UserRow & {
              readonly password_hash: string | null
              readonly second_factor: boolean
              readonly passwords_on: boolean
            }
          >`select ${columns},
              (select c.password_hash from credentials c
                where c.realm_id = u.realm_id and c.user_id = u.id and c.credential_type = 'password'
                  and c.locked_at is null) as password_hash,
              ${due} as second_factor,
              exists (select from auth_providers p where p.realm_id = u.realm_id
                and p.provider_type = 'password' and p.state = 'active') as passwords_on
            from users u where u.realm_id = ${realmId} and u.id = ${userId}`.pipe(
            Effect.map(([row]) =>
              row === undefined
                ? undefined
                : {
                    user: userFromRow(row),
                    passwordHash: row.password_hash ?? undefined,
                    secondFactor: row.second_factor,
                    passwordsEnabled: row.passwords_on
                  }
            ),
            Effect.orDie
          ),
        findLocked: (realmId, userId, passwordHash) =>
          selectWithPassword(realmId, userId, passwordHash).pipe(
            Effect.map(([row]) => (row === undefined ? undefined : userFromRow(row))),
            Effect.orDie
          ),
        active: (realmId, userId) => ({
          select: sql<UserRow>`select ${columns} from users u
            where u.realm_id = ${realmId} and u.id = ${userId} and u.state = 'active' for no key update`,
          fromRow: userFromRow
        }),
        withPassword: (realmId, userId, passwordHash) => ({
          select: selectWithPassword(realmId, userId, passwordHash),
          fromRow: userFromRow
        }),
        loginTime: (userId, at) => [
          {
            realmLock: "key share",
            statement: (before) => sql`update users u set last_login_at = ${date(at)} from ${before}
              where u.realm_id = before.realm_id and u.id = ${userId}`,
            conflictIn: noConflict
          },
          {
            realmLock: "key share",
            statement: (before) => sql`update last_logins l set last_login_at = ${date(at)} from ${before}
              where l.realm_id = before.realm_id and l.user_id = ${userId}`,
            conflictIn: noConflict
          }
        ],
        findByKey: (realmId, digest) =>
          sql<UserRow & { readonly key_login_at: Date | null }>`select ${columns}, u.key_login_at
            from credentials c join users u on u.realm_id = c.realm_id and u.id = c.user_id
            where c.realm_id = ${realmId} and c.key_digest = ${digest}`.pipe(
            Effect.map(([row]) =>
              row === undefined ? undefined : { user: userFromRow(row), keyLoginAt: utcOrNull(row.key_login_at) }
            ),
            Effect.orDie
          ),
        touchByKey: ({ realmId, id }, at, dayStart) =>
          sql<{ readonly first: boolean }>`
            with before as (
              select realm_id, id, coalesce(key_login_at < ${date(dayStart)}, true) as first,
                coalesce(last_login_at <= ${date(DateTime.subtract(at, { hours: 24 }))}, true) as stale
              from users where realm_id = ${realmId} and id = ${id} for no key update
            ), touched as (
              update users u set
                key_login_at = case when b.first then ${date(at)}::timestamptz else u.key_login_at end,
                last_login_at = case when b.stale then ${date(at)}::timestamptz else u.last_login_at end
              from before b where u.realm_id = b.realm_id and u.id = b.id
            ), ordered as (
              update last_logins l set last_login_at = ${date(at)}
              from before b where b.stale and l.realm_id = b.realm_id and l.user_id = b.id
            )
            select first from before`.pipe(
            Effect.map(([row]) => row?.first ?? false),
            Effect.orDie
          )
      })
    })
  )
}
