import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ConsoleSession } from "#domain/ConsoleSession"
import type { ApiKeyId, RealmId } from "#domain/Ids"
import type { Level } from "#domain/Level"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"

interface Row {
  readonly id: string
  readonly api_key_id: ApiKeyId
  readonly realm_id: RealmId | null
  readonly name: string
  readonly level: Level
  readonly last_used_at: Date | null
  readonly created_at: Date
  readonly expires_at: Date
}

/** A session, and when its API key was last used. */
export interface StoredConsoleSession extends ConsoleSession {
  readonly keyUsedAt: DateTime.Utc | null
}

const fromRow = (row: Row): StoredConsoleSession => ({
  id: row.id,
  caller: { keyId: row.api_key_id, level: row.level, realmId: row.realm_id },
  keyName: row.name,
  keyUsedAt: utcOrNull(row.last_used_at),
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

/** Stores console sessions. A row is deleted together with its API key. */
export class ConsoleSessionsRepo extends Context.Service<
  ConsoleSessionsRepo,
  {
    insertion(session: ConsoleSession): Write
    /** Finds an unexpired session whose API key is still valid: not expired and not locked to a deleted realm. */
    find(id: string, now: DateTime.Utc): Effect.Effect<StoredConsoleSession | undefined>
    /** Returns the ids of an API key's unexpired sessions. */
    idsOfKey(keyId: ApiKeyId, now: DateTime.Utc): Effect.Effect<ReadonlyArray<string>>
    deletion(ids: ReadonlyArray<string>): Write
  }
>()("sallyport/store/ConsoleSessionsRepo") {
  static readonly layer = Layer.effect(
    ConsoleSessionsRepo,
    Effect.map(SqlClient, (sql) =>
      ConsoleSessionsRepo.of({
        insertion: ({ id, caller, createdAt, expiresAt }) => ({
          realmLock: "key share",
          statement: (before) => sql`insert into console_sessions (id, api_key_id, created_at, expires_at)
            select ${id}, ${caller.keyId}, ${date(createdAt)}::timestamptz, ${date(expiresAt)}::timestamptz from ${before}`,
          conflictIn: noConflict
        }),
        find: (id, now) =>
          sql<Row>`select s.id, s.api_key_id, s.created_at, s.expires_at, k.realm_id, k.name, k.level, k.last_used_at
            from console_sessions s join api_keys k on k.id = s.api_key_id
            where s.id = ${id} and s.expires_at > ${date(now)} and (k.expires_at is null or k.expires_at > ${date(now)})
              and not exists (select from realms r where r.id = k.realm_id and r.deleted_at is not null)`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        idsOfKey: (keyId, now) =>
          sql<{ readonly id: string }>`select s.id from console_sessions s
            where s.api_key_id = ${keyId} and s.expires_at > ${date(now)}`.pipe(
            Effect.map((rows) => rows.map(({ id }) => id)),
            Effect.orDie
          ),
        deletion: (ids) => ({
          realmLock: "key share",
          statement: (before) => sql`delete from console_sessions s using ${before} where s.id = any(${ids}::text[])`,
          conflictIn: noConflict
        })
      })
    )
  )
}
