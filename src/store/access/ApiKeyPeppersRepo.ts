import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"

/** The encrypted pepper of a realm. */
export interface EncryptedPepper {
  readonly id: string
  readonly secret: string
}

/** Stores the peppers, which key the digests of the realms' API keys. */
export class ApiKeyPeppersRepo extends Context.Service<
  ApiKeyPeppersRepo,
  {
    find(realmId: RealmId): Effect.Effect<EncryptedPepper | undefined>
    /** Inserts the realm's pepper, unless it has one. */
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
        // Names no conflict target, because either of the table's two unique indexes may conflict, and PostgreSQL
        // raises an error for an index that isn't named.
        insert: (realmId, { id, secret }) =>
          sql`insert into api_key_peppers (realm_id, id, secret) values (${realmId}, ${id}, ${secret})
            on conflict do nothing`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
