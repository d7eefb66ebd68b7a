import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { date } from "../statements/Rows.ts"

/** Records the proofs that OAuth clients have used: client assertions and DPoP proofs. */
export class OAuthProofsRepo extends Context.Service<
  OAuthProofsRepo,
  {
    /**
     * Marks a proof as used and commits immediately. Returns true only for the first caller. `id` is the proof's digest.
     * `expiresAt` is the time after which the proof would be rejected anyway.
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
