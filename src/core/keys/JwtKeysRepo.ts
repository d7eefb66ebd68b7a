import { Context, Effect, Layer } from "effect"
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

/** The signing keys' rows, their secrets sealed. */
export class JwtKeysRepo extends Context.Service<
  JwtKeysRepo,
  {
    insert(key: JwtKey): Effect.Effect<void>
    /** Every key of a realm, oldest first, retired ones included. */
    all(realmId: RealmId): Effect.Effect<ReadonlyArray<JwtKey>>
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

      return JwtKeysRepo.of({
        insert,
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
