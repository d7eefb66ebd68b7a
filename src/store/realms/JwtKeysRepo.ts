import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { JwtKeyId, RealmId } from "#domain/Ids"
import {
  graceCutoff,
  type JwtAlgorithm,
  type JwtKey,
  MAX_GRACE_MINUTES,
  MIN_GRACE_MINUTES,
  RS256_GRACE_MINUTES
} from "#domain/JwtKey"
import type { PageOf } from "#domain/Page"
import { MAX_LIFETIME_MINUTES, type Realm } from "#domain/Realm"
import type { SecretLocation } from "#platform/SecretLocation"
import { Secrets } from "#platform/Secrets"
import { batchedReads } from "../statements/BatchedReads.ts"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, dateOrNull, utc, utcOrNull } from "../statements/Rows.ts"
import { insertionInto, type Write, writeAlone } from "../statements/Writes.ts"

interface Row {
  readonly id: JwtKeyId
  readonly realm_id: RealmId
  readonly algo: JwtAlgorithm
  readonly public_key: string | null
  readonly secret: string
  readonly created_at: Date
  readonly expired_at: Date | null
}

/** The location of a signing key's encrypted secret. */
export const locationOf = (realm: RealmId, row: JwtKeyId): SecretLocation => ({
  table: "jwt_keys",
  column: "secret",
  row,
  realm
})

/** A new key with its unencrypted secret. */
export type NewJwtKey = JwtKey & { readonly secret: string }

/** Stores realms' signing keys with encrypted secrets. */
export class JwtKeysRepo extends Context.Service<
  JwtKeysRepo,
  {
    insert(key: NewJwtKey): Effect.Effect<void>
    /** A write that inserts a key. */
    insertion(key: NewJwtKey): Effect.Effect<Write>
    /** Returns all of a realm's keys, oldest first, including retired ones. */
    all(realmId: RealmId): Effect.Effect<ReadonlyArray<JwtKey>>
    /** Returns whether the realm has an active rs256 key, even if it can't be decrypted. */
    hasRs256(realmId: RealmId): Effect.Effect<boolean>
    find(realmId: RealmId, id: JwtKeyId): Effect.Effect<JwtKey | undefined>
    /** Returns the keys that are active or in their grace period. Returns one more row than fits on the page, ordered by id. */
    list(
      realm: Pick<Realm, "id" | "sessionMinutes">,
      now: DateTime.Utc,
      page: PageOf<"id">
    ): Effect.Effect<ReadonlyArray<JwtKey>>
    /** Returns the algorithm of the current signing key. */
    signingAlgo(realmId: RealmId): Effect.Effect<JwtAlgorithm | undefined>
    /** Retires a key. */
    expire(key: JwtKey, at: DateTime.Utc): Effect.Effect<void>
    /** Retires all keys of the realm except this one. */
    expireOthers(key: JwtKey, at: DateTime.Utc): Effect.Effect<void>
    delete(key: JwtKey): Effect.Effect<void>
    /** Finds the public key of an rs256 key that was deleted after its grace period. */
    findRetired(realmId: RealmId, id: JwtKeyId): Effect.Effect<string | undefined>
    /**
     * Deletes some retired keys whose grace period is over, in all realms. The public keys of rs256 keys remain stored
     * (C275). Skips rows locked by another node.
     */
    deleteRetired(
      now: DateTime.Utc,
      limit: number
    ): Effect.Effect<ReadonlyArray<{ readonly realmId: RealmId; readonly id: JwtKeyId }>>
    /** When the next grace period of a retired key ends. */
    readonly nextRetirement: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/store/JwtKeysRepo") {
  static readonly layer = Layer.effect(
    JwtKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets

      const fromRow = (row: Row): Effect.Effect<JwtKey> =>
        Effect.map(secrets.decrypt(locationOf(row.realm_id, row.id), row.secret), (secret) => ({
          id: row.id,
          realmId: row.realm_id,
          algo: row.algo,
          publicKey: row.public_key,
          secret,
          createdAt: utc(row.created_at),
          expiredAt: utcOrNull(row.expired_at)
        }))

      const insertion = Effect.fnUntraced(function* (key: NewJwtKey) {
        const row = {
          id: key.id,
          algo: key.algo,
          public_key: key.publicKey,
          secret: yield* secrets.encrypt(locationOf(key.realmId, key.id), key.secret),
          created_at: date(key.createdAt),
          expired_at: dateOrNull(key.expiredAt)
        }
        return insertionInto(sql, "jwt_keys", [row])
      })

      const list = (
        { id, sessionMinutes }: Pick<Realm, "id" | "sessionMinutes">,
        now: DateTime.Utc,
        page: PageOf<"id">
      ) => {
        const cutoff = (algo: JwtAlgorithm) => date(graceCutoff(algo, sessionMinutes, now))
        const conditions = [
          sql`realm_id = ${id}`,
          sql`(expired_at is null or expired_at
            > case algo when 'rs256' then ${cutoff("rs256")}::timestamptz else ${cutoff("hs256")}::timestamptz end)`
        ]
        return sql<Row>`select * from jwt_keys ${keysetPage(sql, conditions, page)}`.pipe(
          Effect.orDie,
          Effect.flatMap(Effect.forEach(fromRow))
        )
      }

      const rowsOf = batchedReads(sql, (realmIds: ReadonlyArray<RealmId>) =>
        sql<Row>`select * from jwt_keys where realm_id = any(${realmIds}::text[]) order by id`.pipe(
          Effect.map((rows) => {
            const byRealm = Map.groupBy(rows, (row) => row.realm_id)
            return (realmId: RealmId) => byRealm.get(realmId) ?? []
          }),
          Effect.orDie
        )
      )

      // Computes the end of the grace period like `graceMinutes`, but in SQL for many realms at once.
      const graceEnd = sql`k.expired_at + case k.algo when 'rs256' then ${RS256_GRACE_MINUTES}::int
        else greatest(${MIN_GRACE_MINUTES}::int, least(r.session_minutes, ${MAX_GRACE_MINUTES}::int)) end * interval '1 minute'`

      return JwtKeysRepo.of({
        insert: (key) => Effect.flatMap(insertion(key), (write) => Effect.asVoid(writeAlone(sql, key.realmId, write))),
        insertion,
        list,
        find: (realmId, id) =>
          sql<Row>`select * from jwt_keys where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.orDie,
            Effect.flatMap(([row]) => (row === undefined ? Effect.succeed(undefined) : fromRow(row)))
          ),
        signingAlgo: (realmId) =>
          sql<Pick<Row, "algo">>`select algo from jwt_keys where realm_id = ${realmId} and expired_at is null
            order by id limit 1`.pipe(
            Effect.map((rows) => rows[0]?.algo),
            Effect.orDie
          ),
        expire: ({ realmId, id }, at) =>
          sql`update jwt_keys set expired_at = ${date(at)} where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          ),
        delete: ({ realmId, id }) =>
          sql`delete from jwt_keys where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        deleteRetired: (now, limit) =>
          sql<Pick<Row, "realm_id" | "id">>`with due as materialized (
              select k.realm_id, k.id from jwt_keys k join realms r on r.id = k.realm_id
              where k.expired_at <= ${date(DateTime.subtract(now, { minutes: MIN_GRACE_MINUTES }))}
                and ${graceEnd} <= ${date(now)}
              order by k.expired_at limit ${limit} for update of k skip locked),
            gone as (delete from jwt_keys j using due where j.realm_id = due.realm_id and j.id = due.id
              returning j.realm_id, j.id, j.public_key),
            kept as (insert into retired_public_keys (realm_id, id, public_key, expires_at)
              select realm_id, id, public_key, ${date(DateTime.add(now, { minutes: MAX_LIFETIME_MINUTES.unmanaged }))}::timestamptz
              from gone where public_key is not null)
            select realm_id, id from gone`.pipe(
            Effect.map((rows) => rows.map((row) => ({ realmId: row.realm_id, id: row.id }))),
            Effect.orDie
          ),
        findRetired: (realmId, id) =>
          sql<{ readonly public_key: string }>`select public_key from retired_public_keys
            where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.map(([row]) => row?.public_key),
            Effect.orDie
          ),
        nextRetirement: sql<{ readonly at: Date | null }>`select min(${graceEnd}) as at
          from jwt_keys k join realms r on r.id = k.realm_id where k.expired_at is not null`.pipe(
          Effect.map(([row]) => utcOrNull(row?.at ?? null) ?? undefined),
          Effect.orDie
        ),
        all: (realmId) => Effect.flatMap(rowsOf(realmId), Effect.forEach(fromRow)),
        hasRs256: batchedReads(sql, (realmIds: ReadonlyArray<RealmId>) =>
          sql<Pick<Row, "realm_id">>`select distinct realm_id from jwt_keys
            where realm_id = any(${realmIds}::text[]) and algo = 'rs256' and expired_at is null`.pipe(
            Effect.map((rows) => {
              const found = new Set(rows.map((row) => row.realm_id))
              return (realmId: RealmId) => found.has(realmId)
            }),
            Effect.orDie
          )
        ),
        expireOthers: (key, at) =>
          sql`update jwt_keys set expired_at = ${date(at)}
            where realm_id = ${key.realmId} and id <> ${key.id} and expired_at is null`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    })
  )
}
