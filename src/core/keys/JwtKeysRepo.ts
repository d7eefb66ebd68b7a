import { Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { JwtKeyId, RealmId } from "#domain/Ids"
import type { JwtAlgorithm, JwtKey } from "#domain/JwtKey"
import { date, dateOrNull, utc, utcOrNull } from "../Rows.ts"
import { Secrets } from "../Secrets.ts"

interface Row {
  readonly id: JwtKeyId
  readonly realm_id: RealmId
  readonly algo: JwtAlgorithm
  readonly public_key: string | null
  readonly secret: string
  readonly created_at: Date
  readonly expired_at: Date | null
}

const place = (realm: RealmId, row: JwtKeyId) => ({ table: "jwt_keys", column: "secret", row, realm })

/** What is in the database was sealed with an encryption key that is not configured. */
export class SecretsUnreadable extends Data.TaggedError("SecretsUnreadable") {
  override get message() {
    return "SALLYPORT_SECRET does not open the secrets in this database. To rotate, list the old key after the new one."
  }
}

/** The signing keys' rows, their secrets sealed. */
export class JwtKeysRepo extends Context.Service<
  JwtKeysRepo,
  {
    insert(key: JwtKey): Effect.Effect<void>
    /** Every key of a realm, oldest first, retired ones included. */
    all(realmId: RealmId): Effect.Effect<ReadonlyArray<JwtKey>>
    /** Seals again what is under another than the first encryption key: how many. */
    readonly rewrap: Effect.Effect<number, SecretsUnreadable>
    /** Retires all keys of the realm but this one. */
    expireOthers(key: JwtKey, at: JwtKey["createdAt"]): Effect.Effect<void>
  }
>()("sallyport/core/JwtKeysRepo") {
  static readonly layer = Layer.effect(
    JwtKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const secrets = yield* Secrets

      const fromRow = (row: Row): Effect.Effect<JwtKey> =>
        Effect.map(secrets.open(place(row.realm_id, row.id), row.secret), (secret) => ({
          id: row.id,
          realmId: row.realm_id,
          algo: row.algo,
          publicKey: row.public_key,
          secret,
          createdAt: utc(row.created_at),
          expiredAt: utcOrNull(row.expired_at)
        }))

      const insert = Effect.fn("JwtKeysRepo.insert")(function* (key: JwtKey) {
        const row = {
          realm_id: key.realmId,
          id: key.id,
          algo: key.algo,
          public_key: key.publicKey,
          secret: yield* secrets.seal(place(key.realmId, key.id), key.secret),
          created_at: date(key.createdAt),
          expired_at: dateOrNull(key.expiredAt)
        }
        yield* sql`insert into jwt_keys ${sql.insert(row)}`.pipe(Effect.orDie)
      })

      const rewrap = Effect.gen(function* () {
        const rows =
          yield* sql<Row>`select * from jwt_keys where not starts_with(secret, ${secrets.currentPrefix})`.pipe(
            Effect.orDie
          )
        yield* Effect.forEach(
          rows,
          Effect.fnUntraced(function* (row) {
            const key = yield* Effect.catchCause(fromRow(row), () => Effect.fail(new SecretsUnreadable()))
            const sealed = yield* secrets.seal(place(key.realmId, key.id), key.secret)
            yield* sql`update jwt_keys set secret = ${sealed} where realm_id = ${key.realmId} and id = ${key.id}`.pipe(
              Effect.orDie
            )
          }),
          { discard: true }
        )
        return rows.length
      })

      return JwtKeysRepo.of({
        insert,
        rewrap,
        all: (realmId) =>
          sql<Row>`select * from jwt_keys where realm_id = ${realmId} order by id`.pipe(
            Effect.orDie,
            Effect.flatMap(Effect.forEach(fromRow))
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
