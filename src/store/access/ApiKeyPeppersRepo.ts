import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"

/** A realm's encrypted pepper. */
export interface EncryptedPepper {
  readonly id: string
  readonly secret: string
}

/** Stores one pepper per realm, which is used to compute the digests of API keys. */
export class ApiKeyPeppersRepo extends Context.Service<
  ApiKeyPeppersRepo,
  {
    find(realmId: RealmId): Effect.Effect<EncryptedPepper | undefined>
    /** Inserts a pepper unless the realm already has one. */
    insert(realmId: RealmId, pepper: EncryptedPepper): Effect.Effect<void>
  }
>()("sallyport/store/ApiKeyPeppersRepo") {
  static readonly layer = Layer.effect(
    ApiKeyPeppersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return ApiKeyPeppersRepo.of({
        find: (realmId) =>
          sql<EncryptedPepper>`select id, secret from api_key_peppers where realm_id = ${realmId}`.pipe(
            Effect.map(([row]) => row),
            Effect.orDie
          ),
        // Names no conflict target, since either of the table's two unique indexes may conflict. If one were named,
        // PostgreSQL would raise an error for a conflict on the other.
        insert: (realmId, { id, secret }) =>
          sql`insert into api_key_peppers (realm_id, id, secret) values (${realmId}, ${id}, ${secret})
            on conflict do nothing`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
