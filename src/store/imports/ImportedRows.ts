import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CredentialId } from "#domain/Ids"
import type { Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { User } from "#domain/User"
import { orgRow } from "../orgs/OrgsRepo.ts"
import { date, dateOrNull } from "../statements/Rows.ts"
import { columnTypes, noConflict, type Write } from "../statements/Writes.ts"
import { type TakenField, takenFieldIn, userRow } from "../users/UsersRepo.ts"

/** A new hash that replaces a user's password. */
export interface ReplacedPassword {
  readonly id: CredentialId
  readonly passwordHash: string
}

const userColumns = {
  id: "text",
  user_type: "text",
  state: "text",
  email: "text",
  email_shown: "text",
  email_pending: "text",
  email_pending_shown: "text",
  email_verification: "text",
  proved_email: "text",
  username: "text",
  username_key: "text",
  first_name: "text",
  last_name: "text",
  name: "text",
  sort_name: "text",
  sort_name_alt: "text",
  locale: "text",
  reference: "text",
  custom: "text",
  created_at: "timestamptz",
  last_login_at: "timestamptz"
} as const

const orgColumns = {
  id: "text",
  state: "text",
  name: "text",
  sort_name: "text",
  reference: "text",
  custom: "text",
  created_at: "timestamptz"
} as const

/** The columns of users that an import never changes. */
const immutableColumns: ReadonlyArray<string> = ["id", "user_type", "created_at", "last_login_at"]

const changes = Object.keys(userColumns)
  .filter((name) => !immutableColumns.includes(name))
  .map((name) => (name === "custom" ? "custom = r.custom::json" : `${name} = r.${name}`))
  .join(", ")

const rowOf = (user: User) =>
  ({
    id: user.id,
    user_type: user.userType,
    created_at: date(user.createdAt),
    last_login_at: dateOrNull(user.lastLoginAt),
    ...userRow(user)
  }) satisfies Record<keyof typeof userColumns, unknown>

const parameter = (rows: ReadonlyArray<object>) => JSON.stringify(rows)

/**
 * The writes for one batch of an import. Each writes many rows of a table in one statement and can be combined with writes
 * to other tables (`Writes.ts`).
 */
export class ImportedRows extends Context.Service<
  ImportedRows,
  {
    /** Inserts users. The conflict is the field whose value is already taken. */
    newUsers(users: ReadonlyArray<User>): ReadonlyArray<Write<TakenField>>
    /** Updates users whose rows are locked. The conflict is the field whose value is already taken. */
    changedUsers(users: ReadonlyArray<User>): ReadonlyArray<Write<TakenField>>
    newOrgs(orgs: ReadonlyArray<Org>): Write
    /** Updates the permissions, attributes and expiry of memberships. */
    changedMemberships(memberships: ReadonlyArray<Membership>): Write
    replacedPasswords(passwords: ReadonlyArray<ReplacedPassword>): Write
  }
>()("sallyport/store/ImportedRows") {
  static readonly layer = Layer.effect(
    ImportedRows,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const users = sql.literal(`r (${columnTypes(userColumns)})`)
      const orgs = sql.literal(`r (${columnTypes(orgColumns)})`)

      return ImportedRows.of({
        newUsers: (rows) => [
          {
            realmLock: "share",
            statement: (
              before
            ) => sql`insert into users (realm_id, id, user_type, created_at, last_login_at, email_unique,
                state, email, email_shown, email_pending, email_pending_shown, email_verification, proved_email, username,
                username_key, first_name, last_name, name, sort_name, sort_name_alt, locale, reference, custom)
              select before.realm_id, r.id, r.user_type, r.created_at, r.last_login_at,
                realm.require_unique_emails and r.email is not null, r.state, r.email, r.email_shown, r.email_pending,
                r.email_pending_shown, r.email_verification, r.proved_email, r.username, r.username_key, r.first_name,
                r.last_name, r.name, r.sort_name, r.sort_name_alt, r.locale, r.reference, r.custom::json
              from ${before}, realm, json_to_recordset(${parameter(rows.map(rowOf))}::json) as ${users}`,
            conflictIn: takenFieldIn
          },
          {
            realmLock: "key share",
            statement: (before) => sql`insert into last_logins (realm_id, user_id, user_type, state, last_login_at)
              select before.realm_id, r.id, r.user_type, r.state, coalesce(r.last_login_at, '-infinity')
              from ${before}, json_to_recordset(${parameter(
                rows.map(({ id, userType, state, lastLoginAt }) => ({
                  id,
                  user_type: userType,
                  state,
                  last_login_at: dateOrNull(lastLoginAt)
                }))
              )}::json) as r (id text, user_type text, state text, last_login_at timestamptz)`,
            conflictIn: noConflict
          }
        ],
        changedUsers: (rows) => [
          {
            realmLock: "share",
            statement: (before) => sql`update users u set ${sql.literal(changes)}
              from ${before}, json_to_recordset(${parameter(rows.map(rowOf))}::json) as ${users}
              where u.realm_id = before.realm_id and u.id = r.id`,
            conflictIn: takenFieldIn
          },
          {
            realmLock: "key share",
            statement: (before) => sql`update last_logins l set state = r.state
              from ${before}, json_to_recordset(${parameter(
                rows.map(({ id, state }) => ({ id, state }))
              )}::json) as r (id text, state text)
              where l.realm_id = before.realm_id and l.user_id = r.id and l.state <> r.state`,
            conflictIn: noConflict
          }
        ],
        newOrgs: (rows) => ({
          realmLock: "key share",
          statement: (
            before
          ) => sql`insert into orgs (realm_id, id, state, name, sort_name, reference, custom, created_at)
            select before.realm_id, r.id, r.state, r.name, r.sort_name, r.reference, r.custom::json, r.created_at
            from ${before}, json_to_recordset(${parameter(
              rows.map((org) => ({ id: org.id, created_at: date(org.createdAt), ...orgRow(org) }))
            )}::json) as ${orgs}`,
          conflictIn: noConflict
        }),
        changedMemberships: (rows) => ({
          realmLock: "key share",
          statement: (before) => sql`update memberships m set permissions = r.permissions, custom = r.custom::json,
              expires_at = r.expires_at
            from ${before}, json_to_recordset(${parameter(
              rows.map(({ id, permissions, custom, expiresAt }) => ({
                id,
                permissions,
                custom: JSON.stringify(custom),
                expires_at: dateOrNull(expiresAt)
              }))
            )}::json) as r (id text, permissions text[], custom text, expires_at timestamptz)
            where m.realm_id = before.realm_id and m.id = r.id`,
          conflictIn: noConflict
        }),
        replacedPasswords: (rows) => ({
          realmLock: "key share",
          statement: (before) => sql`update credentials c set password_hash = r.password_hash
            from ${before}, json_to_recordset(${parameter(
              rows.map(({ id, passwordHash }) => ({ id, password_hash: passwordHash }))
            )}::json) as r (id text, password_hash text)
            where c.realm_id = before.realm_id and c.id = r.id`,
          conflictIn: noConflict
        })
      })
    })
  )
}
