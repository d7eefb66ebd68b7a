import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RealmId, UserId } from "#domain/Ids"
import type { Account } from "#domain/Login"
import type { FoundAccount, LoginName } from "#domain/LoginName"
import type { User } from "#domain/User"
import { date, utcOrNull } from "../statements/Rows.ts"
import { type Guard, noConflict, type Write } from "../statements/Writes.ts"
import { secondFactorDue } from "./SecondFactorsRepo.ts"
import { withEmail, withUsername } from "./UserPage.ts"
import { type UserRow, userColumns, userFromRow } from "./UsersRepo.ts"

/** The API user who has an API key. `keyLoginAt` is when the last login event for the key was recorded. */
export interface KeyAccount {
  readonly user: User
  readonly keyLoginAt: DateTime.Utc | null
}

interface AccountRow extends UserRow {
  readonly by: keyof LoginName
  readonly password_hash: string | null
  readonly second_factor: boolean
  readonly passwords_on: boolean
}

/** The row returned if a name matches no account. */
interface NoAccountRow {
  readonly by: null
  readonly passwords_on: boolean
}

const accountFromRow = (row: AccountRow): Account => ({
  user: userFromRow(row),
  passwordHash: row.password_hash ?? undefined,
  secondFactor: row.second_factor,
  passwordsEnabled: row.passwords_on
})

/** The accounts that match a name, and whether the realm allows password login. Unknown names are asked for a password too. */
export interface NamedAccounts {
  readonly passwordsEnabled: boolean
  readonly found: ReadonlyArray<FoundAccount>
}

/** Reads the user data that a login needs, each in one statement, and stores the time of the login. */
export class AccountsRepo extends Context.Service<
  AccountsRepo,
  {
    find(realmId: RealmId, userId: UserId): Effect.Effect<Account | undefined>
    /** Finds the accounts that match the parts of a name. Takes one statement whether there are any or not (SEC-14). */
    findNamed(realmId: RealmId, name: LoginName): Effect.Effect<NamedAccounts>
    findByKey(realmId: RealmId, digest: Uint8Array): Effect.Effect<KeyAccount | undefined>
    /** Locks an active user and their password. Returns undefined if the user is inactive or the password hash has changed. */
    findLocked(realmId: RealmId, userId: UserId, passwordHash: string): Effect.Effect<User | undefined>
    /** A guard that finds and locks an active user. */
    active(realmId: RealmId, userId: UserId): Guard<UserRow, User>
    /** A guard that does the same as `findLocked`, for writes in the same statement. */
    withPassword(realmId: RealmId, userId: UserId, passwordHash: string): Guard<UserRow, User>
    /** The writes that store the time of a login, in the user's row and in the table sorted by last login. */
    loginTime(userId: UserId, at: DateTime.Utc): ReadonlyArray<Write>
    /** Stores the time of a login by API key, at most once in 24 hours. Returns true for the first login since `dayStart`. */
    touchByKey(user: User, at: DateTime.Utc, dayStart: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/AccountsRepo") {
  static readonly layer = Layer.effect(
    AccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const columns = sql.literal(userColumns)
      const due = sql.literal(secondFactorDue)

      // Locks both rows, which waits for concurrent changes to either.
      const selectWithPassword = (realmId: RealmId, userId: UserId, passwordHash: string) =>
        sql<UserRow>`select ${columns} from users u join credentials c on c.realm_id = u.realm_id and c.user_id = u.id
          where u.realm_id = ${realmId} and u.id = ${userId} and u.state = 'active'
            and c.credential_type = 'password' and c.password_hash = ${passwordHash} and c.locked_at is null
          for no key update of u for share of c`

      /** Selects the ids of the users that match each part of a name. */
      const idsOf = (realmId: RealmId, { id, email, username }: LoginName) => {
        const parts: Array<Fragment> = []
        if (id !== undefined) parts.push(sql`select 'id' as by, ${id}::text as id`)
        if (email !== undefined)
          parts.push(sql`(select 'email' as by, id from users
            where realm_id = ${realmId} and ${withEmail(sql, "human", email)} limit 2)`)
        if (username !== undefined)
          parts.push(sql`select 'username' as by, id from users where realm_id = ${realmId}
            and ${withUsername(sql, username.key, username.types)}`)
        return parts.length === 0 ? sql`select null as by, null as id limit 0` : sql.join(" union all ", false)(parts)
      }

      const findNamed = (realmId: RealmId, name: LoginName) =>
        sql<AccountRow | NoAccountRow>`select n.by, p.passwords_on, ${columns},
            (select c.password_hash from credentials c
              where c.realm_id = u.realm_id and c.user_id = u.id and c.credential_type = 'password'
                and c.locked_at is null) as password_hash,
            ${due} as second_factor
          from (select exists (select from auth_providers p where p.realm_id = ${realmId}
            and p.provider_type = 'password' and p.state = 'active') as passwords_on) p
          left join ((${idsOf(realmId, name)}) n join users u on u.realm_id = ${realmId} and u.id = n.id) on true`.pipe(
          Effect.map((rows) => ({
            passwordsEnabled: rows[0]?.passwords_on === true,
            found: rows.flatMap((row) => (row.by === null ? [] : [{ by: row.by, account: accountFromRow(row) }]))
          })),
          Effect.orDie
        )

      return AccountsRepo.of({
        find: (realmId, userId) =>
          Effect.map(
            findNamed(realmId, { id: userId, email: undefined, username: undefined }),
            ({ found: [only] }) => only?.account
          ),
        findNamed,
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
