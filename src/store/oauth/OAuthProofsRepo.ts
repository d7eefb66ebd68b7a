import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { date } from "../statements/Rows.ts"

/** Stores which proofs of OAuth clients have been used: assertions that authenticate them, and those of DPoP. */
export class OAuthProofsRepo extends Context.Service<
  OAuthProofsRepo,
  {
    /** Uses a proof, to be committed at once. True for the first caller only. `id`: its digest. `expiresAt`: from when on nobody accepts it anyway. */
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
