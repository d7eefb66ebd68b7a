import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Credential, CredentialType } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import type { CredentialId, RealmId, UserId } from "#domain/Ids"
import { MAX_TOTAL, type PageOf } from "#domain/Page"
import type { Search } from "#domain/Search"
import { canonical } from "#domain/Text"
import { nameSortKeys, type User, type UserType, type userSorts } from "#domain/User"
import type { UserDetails } from "#domain/UserDetails"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { conflictOf, noConflict, type Write } from "../statements/Writes.ts"
import { type UserFilter, userCount, userPage, withEmail, withUsername } from "./UserPage.ts"
import { type UserSearchFilter, userSearch } from "./UserSearch.ts"

/** The unique field whose value already belongs to another user. */
export type TakenField = "email" | "username"

export interface UserRow {
  readonly id: UserId
  readonly realm_id: RealmId
  readonly user_type: User["userType"]
  readonly state: User["state"]
  readonly email: string | null
  readonly email_shown: string | null
  readonly email_pending: string | null
  readonly email_pending_shown: string | null
  readonly email_verification: User["emailVerification"]
  readonly proved_email: string | null
  readonly ever_verified: boolean
  readonly username: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly name: string
  readonly locale: string | null
  readonly reference: string | null
  readonly custom: User["custom"]
  readonly created_at: Date
  readonly last_login_at: Date | null
  readonly deletion_at: Date | null
}

export const userFromRow = (row: UserRow): User => ({
  id: row.id,
  realmId: row.realm_id,
  userType: row.user_type,
  state: row.state,
  email: row.email_shown ?? row.email,
  emailPending: row.email_pending_shown ?? row.email_pending,
  emailVerification: row.email_verification,
  // Rows that were last written before migration 0025 store this differently.
  provedEmail: row.proved_email ?? (row.ever_verified ? row.email : null),
  username: row.username,
  firstName: row.first_name,
  lastName: row.last_name,
  name: row.name,
  locale: row.locale,
  reference: row.reference,
  custom: row.custom,
  createdAt: utc(row.created_at),
  lastLoginAt: utcOrNull(row.last_login_at),
  deletionAt: utcOrNull(row.deletion_at)
})

/** The columns of `UserRow`, for a table named `u`. */
export const userColumns = `u.id, u.realm_id, u.user_type, u.state, u.email, u.email_shown, u.email_pending,
  u.email_pending_shown, u.email_verification, u.proved_email, u.ever_verified, u.username, u.first_name, u.last_name,
  u.name, u.locale, u.reference, u.custom, u.created_at, u.last_login_at, u.deletion_at`

/** An email in the form used for sending and comparing, and also as entered if that differs. */
export const storedEmail = <Email extends string | null>(email: Email) => {
  const folded = email === null ? email : foldedEmail(email)
  return { email: folded, shown: folded === email ? null : email }
}

/** The columns of a user that an update may change. */
export const userRow = (user: User) => {
  const sort = nameSortKeys(user)
  const email = storedEmail(user.email)
  const pending = storedEmail(user.emailPending)
  return {
    state: user.state,
    email: email.email,
    email_shown: email.shown,
    email_pending: pending.email,
    email_pending_shown: pending.shown,
    email_verification: user.emailVerification,
    proved_email: storedEmail(user.provedEmail).email,
    username: user.username,
    username_key: user.username === null ? null : canonical(user.username),
    first_name: user.firstName,
    last_name: user.lastName,
    name: user.name,
    sort_name: sort.name,
    sort_name_alt: sort.nameAlt,
    locale: user.locale,
    reference: user.reference,
    custom: JSON.stringify(user.custom)
  }
}

const unique: Readonly<Record<string, TakenField>> = { users_unique_email: "email", users_unique_username: "username" }

/** The field whose value already belongs to another user, derived from a statement's error. */
export const takenFieldIn = ({ reason }: SqlError): TakenField | undefined =>
  reason._tag === "UniqueViolation" ? unique[reason.constraint] : undefined

/** Stores users. */
export class UsersRepo extends Context.Service<
  UsersRepo,
  {
    /** The writes that insert a new user. The conflict is the field whose value is already taken. */
    insertion(user: User): ReadonlyArray<Write<TakenField>>
    /** Updates a user. If a value is already taken, returns the field. */
    update(user: User): Effect.Effect<TakenField | undefined>
    /** Deletes the pending email, which is not verified yet. */
    clearEmailPending(user: User): Effect.Effect<void>
    find(realmId: RealmId, id: UserId): Effect.Effect<User | undefined>
    findForUpdate(realmId: RealmId, id: UserId): Effect.Effect<User | undefined>
    findMany(realmId: RealmId, ids: ReadonlyArray<UserId>): Effect.Effect<ReadonlyArray<User>>
    /** Finds the users with these ids, and locks them so that none is deleted before the transaction ends. */
    findManyLocked(realmId: RealmId, ids: ReadonlyArray<UserId>): Effect.Effect<ReadonlyArray<User>>
    /** Finds the only human with this canonical email. Returns undefined if several share it. */
    idByEmail(realmId: RealmId, email: string): Effect.Effect<UserId | undefined>
    /** Finds the user of one of these types with this canonical username. */
    idByUsername(realmId: RealmId, key: string, types: ReadonlyArray<UserType>): Effect.Effect<UserId | undefined>
    /** Returns the first unique field whose value already belongs to a user. Both values are in stored form. */
    findTaken(realmId: RealmId, values: Pick<User, "username" | "email">): Effect.Effect<TakenField | undefined>
    findDetails(realmId: RealmId, id: UserId, now: DateTime.Utc): Effect.Effect<UserDetails | undefined>
    /** Returns users' credentials, oldest first. */
    credentialsOf(realmId: RealmId, ids: ReadonlyArray<UserId>): Effect.Effect<ReadonlyArray<Credential>>
    delete(realmId: RealmId, id: UserId): Effect.Effect<void>
    /** Returns one more row than fits on the page. */
    list(
      realmId: RealmId,
      filter: UserFilter,
      page: PageOf<(typeof userSorts)[number]>
    ): Effect.Effect<ReadonlyArray<User>>
    /** Counts the users matching a filter, up to `MAX_TOTAL`. */
    count(realmId: RealmId, filter: UserFilter): Effect.Effect<number>
    /** Finds the humans with a value that begins with a string. Returns one more than the search shows. */
    search(realmId: RealmId, search: Search, filter: UserSearchFilter): Effect.Effect<ReadonlyArray<User>>
  }
>()("sallyport/store/UsersRepo") {
  static readonly layer = Layer.effect(
    UsersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const select = sql.literal(`select ${userColumns} from users u`)
      const one = Effect.map((rows: ReadonlyArray<UserRow>) =>
        rows[0] === undefined ? undefined : userFromRow(rows[0])
      )

      const findDetails = (realmId: RealmId, id: UserId, now: DateTime.Utc) =>
        sql<
          UserRow & {
            readonly membership_count: number
            readonly credentials: ReadonlyArray<readonly [CredentialId, CredentialType]>
          }
        >`
          select ${sql.literal(userColumns)},
            (select count(*)::int from memberships m where m.realm_id = u.realm_id and m.user_id = u.id
              and (m.expires_at is null or m.expires_at > ${date(now)}) and not exists (
                select from org_deletions d where d.realm_id = m.realm_id and d.org_id = m.org_id)) as membership_count,
            (select coalesce(json_agg(json_build_array(c.id, c.credential_type) order by c.id), '[]') from credentials c
              where c.realm_id = u.realm_id and c.user_id = u.id) as credentials
          from users u where u.realm_id = ${realmId} and u.id = ${id}`.pipe(
          Effect.map(([row]) =>
            row === undefined
              ? undefined
              : {
                  user: userFromRow(row),
                  membershipCount: row.membership_count,
                  credentials: row.credentials.map(([id, credentialType]) => ({ id, userId: row.id, credentialType }))
                }
          ),
          Effect.orDie
        )

      // Reads the realm's setting under a lock, so that no duplicate email is inserted while uniqueness is being turned on.
      const newUser = (user: User): Write<TakenField> => ({
        realmLock: "share",
        statement: (before) => {
          const row = userRow(user)
          return sql`insert into users (realm_id, id, user_type, created_at, email_unique, state, email, email_shown,
              email_pending, email_pending_shown, email_verification, proved_email, username, username_key, first_name,
              last_name, name, sort_name, sort_name_alt, locale, reference, custom)
            select before.realm_id, ${user.id}, ${user.userType}, ${date(user.createdAt)},
              (select require_unique_emails and ${user.email !== null} from realm), ${row.state}, ${row.email},
              ${row.email_shown}, ${row.email_pending}, ${row.email_pending_shown}, ${row.email_verification},
              ${row.proved_email}, ${row.username}, ${row.username_key}, ${row.first_name},
              ${row.last_name}, ${row.name}, ${row.sort_name}, ${row.sort_name_alt}, ${row.locale}, ${row.reference},
              ${row.custom}
            from ${before}`
        },
        conflictIn: takenFieldIn
      })

      const newLastLogin = (user: User): Write => ({
        realmLock: "key share",
        statement: (before) => sql`insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
          select before.realm_id, ${user.id}, ${user.userType}, ${user.state}, '-infinity' from ${before}`,
        conflictIn: noConflict
      })

      return UsersRepo.of({
        insertion: (user) => [newUser(user), newLastLogin(user)],
        // Leaves out the time of the last login, which only a login changes.
        update: (user) =>
          conflictOf(
            sql`with changed as (
                update users set ${sql.update(userRow(user))}
                where realm_id = ${user.realmId} and id = ${user.id} returning realm_id, id, state
              ) update last_logins l set state = c.state from changed c
              where l.realm_id = c.realm_id and l.user_id = c.id and l.state <> c.state`,
            takenFieldIn
          ),
        clearEmailPending: ({ realmId, id }) =>
          sql`update users set email_pending = null, email_pending_shown = null where realm_id = ${realmId} and id = ${id}
            and email_pending is not null`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id) =>
          sql<UserRow>`${select} where u.realm_id = ${realmId} and u.id = ${id}`.pipe(one, Effect.orDie),
        findForUpdate: (realmId, id) =>
          sql<UserRow>`${select} where u.realm_id = ${realmId} and u.id = ${id} for update`.pipe(one, Effect.orDie),
        findMany: (realmId, ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : sql<UserRow>`${select} where u.realm_id = ${realmId} and u.id = any(${ids})`.pipe(
                Effect.map((rows) => rows.map(userFromRow)),
                Effect.orDie
              ),
        findManyLocked: (realmId, ids) =>
          ids.length === 0
            ? Effect.succeed([])
            : sql<UserRow>`${select} where u.realm_id = ${realmId} and u.id = any(${ids}) order by u.id for key share`.pipe(
                Effect.map((rows) => rows.map(userFromRow)),
                Effect.orDie
              ),
        idByEmail: (realmId, email) =>
          sql<{
            readonly id: UserId
          }>`select id from users where realm_id = ${realmId} and ${withEmail(sql, "human", email)} limit 2`.pipe(
            Effect.map((rows) => (rows.length === 1 ? rows[0]?.id : undefined)),
            Effect.orDie
          ),
        idByUsername: (realmId, key, types) =>
          sql<{ readonly id: UserId }>`select id from users where realm_id = ${realmId}
            and ${withUsername(sql, key, types)}`.pipe(
            Effect.map(([row]) => row?.id),
            Effect.orDie
          ),
        findTaken: (realmId, { username, email }) =>
          sql<{ readonly what: TakenField }>`
            select 'username' as what from users
              where realm_id = ${realmId} and username_key = ${username === null ? null : canonical(username)}
            union all
            select 'email' from users where realm_id = ${realmId} and email = ${storedEmail(email).email} and email_unique
            order by what desc limit 1`.pipe(
            Effect.map(([row]) => row?.what),
            Effect.orDie
          ),
        findDetails,
        credentialsOf: (realmId, ids) =>
          sql<{ readonly id: CredentialId; readonly user_id: UserId; readonly credential_type: CredentialType }>`
            select c.* from unnest(${ids}::text[]) u (id) cross join lateral (
              select id, user_id, credential_type from credentials
              where realm_id = ${realmId} and user_id = u.id offset 0) c order by c.id`.pipe(
            Effect.map((rows) =>
              rows.map(({ id, user_id, credential_type }) => ({ id, userId: user_id, credentialType: credential_type }))
            ),
            Effect.orDie
          ),
        delete: (realmId, id) =>
          sql`delete from users where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        list: (realmId, filter, page) =>
          sql<UserRow>`${userPage(sql, userColumns, realmId, filter, page)}`.pipe(
            Effect.map((rows) => rows.map(userFromRow)),
            Effect.orDie
          ),
        count: (realmId, filter) =>
          sql<{ readonly count: number }>`${userCount(sql, realmId, filter, MAX_TOTAL)}`.pipe(
            Effect.map((rows) => rows[0]?.count ?? 0),
            Effect.orDie
          ),
        search: (realmId, search, filter) =>
          sql<UserRow>`${userSearch(sql, userColumns.replaceAll("u.", "t."), realmId, search, filter)}`.pipe(
            Effect.map((rows) => rows.map(userFromRow)),
            Effect.orDie
          )
      })
    })
  )
}
