import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { CallerIdentity } from "#domain/Caller"
import type { ConsoleSession } from "#domain/ConsoleSession"
import { type ApiKeyId, type RealmId, type SessionId, SYSTEM, type UserId } from "#domain/Ids"
import type { Level } from "#domain/Level"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"

interface Row {
  readonly id: string
  readonly api_key_id: ApiKeyId | null
  readonly operator_id: UserId | null
  readonly login_session_id: SessionId | null
  readonly realm_id: RealmId | null
  readonly name: string | null
  readonly level: Level | null
  readonly last_used_at: Date | null
  readonly allows_keys: boolean
  readonly created_at: Date
  readonly expires_at: Date
}

/** The owner of a session: an API key that is still valid, or an operator's login. */
export type SessionOwner =
  | {
      readonly type: "api_key"
      readonly id: ApiKeyId
      readonly name: string
      readonly level: Level
      readonly realmId: RealmId | null
      readonly lastUsedAt: DateTime.Utc | null
    }
  | { readonly type: "operator"; readonly id: UserId; readonly loginSessionId: SessionId }

/** A session with its owner. `allowsKeys` is whether API keys may use the console. */
export interface StoredConsoleSession {
  readonly id: string
  readonly owner: SessionOwner
  readonly allowsKeys: boolean
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

const ownerOf = (row: Row): SessionOwner | undefined => {
  const { api_key_id, operator_id, login_session_id, name, level } = row
  if (operator_id !== null && login_session_id !== null)
    return { type: "operator", id: operator_id, loginSessionId: login_session_id }
  if (api_key_id === null || name === null || level === null) return undefined
  return {
    type: "api_key",
    id: api_key_id,
    name,
    level,
    realmId: row.realm_id,
    lastUsedAt: utcOrNull(row.last_used_at)
  }
}

const fromRow = (row: Row): StoredConsoleSession | undefined => {
  const owner = ownerOf(row)
  if (owner === undefined) return undefined
  const times = { createdAt: utc(row.created_at), expiresAt: utc(row.expires_at) }
  return { id: row.id, owner, allowsKeys: row.allows_keys, ...times }
}

/** Stores console sessions. A row is deleted together with its API key or operator. */
export class ConsoleSessionsRepo extends Context.Service<
  ConsoleSessionsRepo,
  {
    insertion(session: ConsoleSession): Write
    /** Finds an unexpired session. An expired API key, or one locked to a deleted realm, has no sessions. */
    find(id: string, now: DateTime.Utc): Effect.Effect<StoredConsoleSession | undefined>
    /** Returns the ids of the unexpired sessions of an API key or operator. */
    idsOf(owner: CallerIdentity, now: DateTime.Utc): Effect.Effect<ReadonlyArray<string>>
    /** Deletes sessions of an API key or operator. */
    deletion(ids: ReadonlyArray<string>, owner: CallerIdentity): Write
  }
>()("sallyport/store/ConsoleSessionsRepo") {
  static readonly layer = Layer.effect(
    ConsoleSessionsRepo,
    Effect.map(SqlClient, (sql) =>
      ConsoleSessionsRepo.of({
        insertion: ({ id, caller: { by }, loginSessionId, createdAt, expiresAt }) => ({
          realmLock: "key share",
          statement: (before) =>
            by.type === "api_key"
              ? sql`insert into console_sessions (id, api_key_id, created_at, expires_at)
                  select ${id}, ${by.id}, ${date(createdAt)}::timestamptz, ${date(expiresAt)}::timestamptz from ${before}`
              : sql`insert into operator_sessions (realm_id, id, user_id, login_session_id, created_at, expires_at)
                  select o.realm_id, ${id}, o.user_id, ${loginSessionId}, ${date(createdAt)}::timestamptz,
                    ${date(expiresAt)}::timestamptz
                  from ${before}, operators o where o.realm_id = ${SYSTEM} and o.user_id = ${by.id}`,
          conflictIn: noConflict
        }),
        find: (id, now) =>
          sql<Row>`select s.id, s.api_key_id, null as operator_id, null as login_session_id, s.created_at, s.expires_at,
              k.realm_id, k.name, k.level, k.last_used_at,
              coalesce((select c.api_keys from console_settings c where c.realm_id = ${SYSTEM}), true) as allows_keys
            from console_sessions s join api_keys k on k.id = s.api_key_id
            where s.id = ${id} and s.expires_at > ${date(now)} and (k.expires_at is null or k.expires_at > ${date(now)})
              and not exists (select from realms r where r.id = k.realm_id and r.deleted_at is not null)
            union all select s.id, null, s.user_id, s.login_session_id, s.created_at, s.expires_at, null, null, null, null, true
            from operator_sessions s
            where s.realm_id = ${SYSTEM} and s.id = ${id} and s.expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        idsOf: ({ type, id }, now) =>
          sql<{ readonly id: string }>`${
            type === "api_key"
              ? sql`select s.id from console_sessions s where s.api_key_id = ${id}`
              : sql`select s.id from operator_sessions s where s.realm_id = ${SYSTEM} and s.user_id = ${id}`
          } and s.expires_at > ${date(now)}`.pipe(
            Effect.map((rows) => rows.map(({ id }) => id)),
            Effect.orDie
          ),
        deletion: (ids, { type }) => ({
          realmLock: "key share",
          statement: (before) =>
            type === "api_key"
              ? sql`delete from console_sessions s using ${before} where s.id = any(${ids}::text[])`
              : sql`delete from operator_sessions s using ${before}
                  where s.realm_id = ${SYSTEM} and s.id = any(${ids}::text[])`,
          conflictIn: noConflict
        })
      })
    )
  )
}
