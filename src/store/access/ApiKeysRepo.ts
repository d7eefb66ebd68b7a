import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ApiKey } from "#domain/ApiKey"
import type { ApiKeyId, RealmId, UserId } from "#domain/Ids"
import type { Level } from "#domain/Level"
import type { PageOf } from "#domain/Page"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { type Guard, noConflict, type Write } from "../statements/Writes.ts"

interface Row {
  readonly id: ApiKeyId
  readonly realm_id: RealmId | null
  readonly name: string
  readonly level: Level
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
}

const fromRow = (row: Row): ApiKey => ({
  id: row.id,
  realmId: row.realm_id,
  name: row.name,
  level: row.level,
  createdAt: utc(row.created_at),
  expiresAt: utcOrNull(row.expires_at),
  lastUsedAt: utcOrNull(row.last_used_at)
})

/** The result of setting the root key. `created` is whether the given key is new, and `deleted` are the root keys it replaced. */
export interface RootChange {
  readonly created: boolean
  readonly deleted: ReadonlyArray<ApiKeyId>
}

const columns = "id, realm_id, name, level, created_at, expires_at, last_used_at"

/** Stores API keys. No query returns a key locked to a deleted realm. */
export class ApiKeysRepo extends Context.Service<
  ApiKeysRepo,
  {
    /** `createdBy`: the operator who creates the key, or null if an API key creates it. */
    insertion(key: ApiKey, digest: Uint8Array, createdBy: UserId | null): Write
    /** Counts the keys locked to a realm. Other transactions that count them wait until this one ends. */
    count(realmId: RealmId): Effect.Effect<number>
    /** Makes the key with this digest the root key and deletes any other root key. */
    putRoot(key: ApiKey, digest: Uint8Array): Effect.Effect<RootChange>
    /** Inserts the root key if there is no key of its level yet. Returns whether it was inserted. */
    insertFirst(key: ApiKey, digest: Uint8Array): Effect.Effect<boolean>
    findByDigest(digest: Uint8Array): Effect.Effect<ApiKey | undefined>
    find(id: string): Effect.Effect<ApiKey | undefined>
    /** A guard that finds a key and locks it against deletion. */
    existing(id: ApiKeyId): Guard<{ readonly id: ApiKeyId }, ApiKeyId>
    deletion(id: ApiKeyId): Write
    /** Lists one realm's keys, or all keys if `realmId` is undefined. Returns one more row than fits on the page. */
    list(realmId: RealmId | undefined, lockedOnly: boolean, page: PageOf<"id">): Effect.Effect<ReadonlyArray<ApiKey>>
    /** Lists the unexpired keys that an operator created. Returns one more row than fits on the page. */
    listCreatedBy(id: UserId, page: PageOf<"id">, now: DateTime.Utc): Effect.Effect<ReadonlyArray<ApiKey>>
    /** All unexpired keys that an operator created, which are then locked against other changes. */
    lockCreatedBy(id: UserId, now: DateTime.Utc): Effect.Effect<ReadonlyArray<ApiKey>>
    touch(id: ApiKeyId, at: DateTime.Utc): Effect.Effect<void>
    /** Stores the only login link of the root key. Returns false if there is no root key. */
    setLoginLink(linkId: string, expiresAt: DateTime.Utc): Effect.Effect<boolean>
    /** Deletes the unexpired login link with this id, and returns its key. */
    takeLoginLink(linkId: string, now: DateTime.Utc): Effect.Effect<ApiKey | undefined>
  }
>()("sallyport/store/ApiKeysRepo") {
  static readonly layer = Layer.effect(
    ApiKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const select = sql.literal(`select ${columns} from api_keys k`)
      const realmNotDeleted = sql`not exists (select from realms r where r.id = k.realm_id and r.deleted_at is not null)`
      const one = Effect.map((rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0])))

      const list = (realmId: RealmId | undefined, lockedOnly: boolean, page: PageOf<"id">) => {
        const conditions = [realmNotDeleted]
        if (realmId !== undefined) conditions.push(sql`realm_id = ${realmId}`)
        if (lockedOnly) conditions.push(sql`realm_id is not null`)
        return sql<Row>`${select} ${keysetPage(sql, conditions, page)}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      const createdBy = (id: UserId, now: DateTime.Utc) =>
        sql`created_by = ${id} and (expires_at is null or expires_at > ${date(now)})`

      return ApiKeysRepo.of({
        insertion: (key, digest, creator) => ({
          realmLock: "key share",
          statement: (before) => sql`insert into api_keys
              (id, realm_id, name, level, key_digest, root, created_at, expires_at, last_used_at, created_by)
            select ${key.id}, ${key.realmId}, ${key.name}, ${key.level}, ${digest}, false, ${date(key.createdAt)},
              ${dateOrNull(key.expiresAt)}, null, ${creator}::text from ${before}`,
          conflictIn: noConflict
        }),
        count: (realmId) =>
          sql`select pg_advisory_xact_lock(hashtext('api keys'), hashtext(${realmId}))`.pipe(
            Effect.andThen(
              sql<{ readonly n: number }>`select count(*)::int as n from api_keys where realm_id = ${realmId}`
            ),
            Effect.map((rows) => rows[0]?.n ?? 0),
            Effect.orDie
          ),
        // The lock serializes nodes that start at the same time.
        putRoot: (key, digest) =>
          sql`select pg_advisory_xact_lock(hashtext('root key'))`.pipe(
            Effect.andThen(sql<{ readonly id: ApiKeyId }>`delete from api_keys where root and key_digest <> ${digest}
              returning id`),
            Effect.flatMap((deleted) =>
              Effect.map(
                sql<{
                  readonly id: ApiKeyId
                }>`insert into api_keys (id, realm_id, name, level, key_digest, root, created_at)
                  values (${key.id}, null, ${key.name}, ${key.level}, ${digest}, true, ${date(key.createdAt)})
                  on conflict (key_digest) do update set root = true, realm_id = null, level = excluded.level, expires_at = null
                  returning id`,
                ([put]) => ({ created: put?.id === key.id, deleted: deleted.map(({ id }) => id) })
              )
            ),
            sql.withTransaction,
            Effect.orDie
          ),
        insertFirst: (key, digest) =>
          sql`insert into api_keys (id, realm_id, name, level, key_digest, root, created_at, expires_at, last_used_at)
            select ${key.id}, null, ${key.name}, ${key.level}, ${digest}, true, ${date(key.createdAt)}, null, null
            where not exists (select from api_keys where level = ${key.level})
            on conflict (root) where root do nothing returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        findByDigest: (digest) =>
          sql<Row>`${select} where key_digest = ${digest} and ${realmNotDeleted}`.pipe(one, Effect.orDie),
        find: (id) => sql<Row>`${select} where id = ${id} and ${realmNotDeleted}`.pipe(one, Effect.orDie),
        existing: (id) => ({
          select: sql`select k.id from api_keys k where k.id = ${id} for update`,
          fromRow: (row) => row.id
        }),
        deletion: (id) => ({
          realmLock: "key share",
          statement: (before) => sql`delete from api_keys k using ${before} where k.id = ${id}`,
          conflictIn: noConflict
        }),
        list,
        listCreatedBy: (id, page, now) =>
          sql<Row>`${select} ${keysetPage(sql, [realmNotDeleted, createdBy(id, now)], page)}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        lockCreatedBy: (id, now) =>
          sql<Row>`${select} where ${realmNotDeleted} and ${createdBy(id, now)} order by id for update`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        touch: (id, at) =>
          sql`update api_keys set last_used_at = ${date(at)} where id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        setLoginLink: (linkId, expiresAt) =>
          sql`update api_keys set login_link_id = ${linkId}, login_link_expires_at = ${date(expiresAt)}
            where root returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        takeLoginLink: (linkId, now) =>
          sql<Row>`update api_keys set login_link_id = null, login_link_expires_at = null
            where root and login_link_id = ${linkId} and login_link_expires_at > ${date(now)}
            returning ${sql.literal(columns)}`.pipe(one, Effect.orDie)
      })
    })
  )
}
