import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { date } from "../statements/Rows.ts"

/** Stores which proofs of OAuth clients have been used: assertions that authenticate clients, and DPoP proofs. */
export class OAuthProofsRepo extends Context.Service<
  OAuthProofsRepo,
  {
    /**
     * Marks a proof as used, committed at once. True for the first caller only. `id`: the proof's digest. `expiresAt`:
     * when the proof stops being acceptable.
     */
    use(realmId: RealmId, id: string, expiresAt: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/OAuthProofsRepo") {
  static readonly layer = Layer.effect(
    OAuthProofsRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthProofsRepo.of({
        use: (realmId, id, expiresAt) =>
          sql`insert into oauth_proofs (realm_id, id, expires_at) values (${realmId}, ${id}, ${date(expiresAt)})
            on conflict (realm_id, id) do nothing returning 1`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    )
  )
}
