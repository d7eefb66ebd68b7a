import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { date } from "../statements/Rows.ts"
import { noConflict, type Write } from "../statements/Writes.ts"

/** Stores access tokens that were revoked before they expired. */
export class OAuthRevokedTokensRepo extends Context.Service<
  OAuthRevokedTokensRepo,
  {
    /** A write that revokes an access token. `id` is its `jti`. */
    insertion(id: string, expiresAt: DateTime.Utc): Write
    isRevoked(realmId: RealmId, id: string): Effect.Effect<boolean>
  }
>()("sallyport/store/OAuthRevokedTokensRepo") {
  static readonly layer = Layer.effect(
    OAuthRevokedTokensRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthRevokedTokensRepo.of({
        insertion: (id, expiresAt) => ({
          realmLock: "key share",
          statement: (before) => sql`insert into oauth_revoked_tokens (realm_id, id, expires_at)
            select before.realm_id, ${id}, ${date(expiresAt)}::timestamptz from ${before}
            on conflict (realm_id, id) do nothing`,
          conflictIn: noConflict
        }),
        isRevoked: (realmId, id) =>
          sql`select 1 from oauth_revoked_tokens where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    )
  )
}
