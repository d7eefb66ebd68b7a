import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AppId, GrantId, RealmId, UserId } from "#domain/Ids"
import type { OAuthGrant } from "#domain/oauth/OAuthGrant"
import { date } from "../statements/Rows.ts"
import { type OAuthGrantRow, oauthGrantFromRow } from "./OAuthGrantRows.ts"

/** Ends grants together with their tokens. `SessionsRepo` ends the grants that end with a session. */
export class OAuthGrantEndsRepo extends Context.Service<
  OAuthGrantEndsRepo,
  {
    /** Ends a grant. Returns undefined if it does not exist or has already ended. */
    end(realmId: RealmId, id: GrantId, now: DateTime.Utc): Effect.Effect<OAuthGrant | undefined>
    /** Ends a user's grants to a client, and returns those that were still active. */
    endOfClient(
      realmId: RealmId,
      userId: UserId,
      clientId: AppId,
      now: DateTime.Utc
    ): Effect.Effect<ReadonlyArray<OAuthGrant>>
    /** Ends some of all users' grants to a client, and returns them. If fewer than `limit` are returned, none are left. */
    endOfAll(
      realmId: RealmId,
      clientId: AppId,
      now: DateTime.Utc,
      limit: number
    ): Effect.Effect<ReadonlyArray<OAuthGrant>>
  }
>()("sallyport/store/OAuthGrantEndsRepo") {
  static readonly layer = Layer.effect(
    OAuthGrantEndsRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthGrantEndsRepo.of({
        end: (realmId, id, now) =>
          sql<OAuthGrantRow>`update oauth_grants set ended_at = ${date(now)}
            where realm_id = ${realmId} and id = ${id} and ended_at is null returning *`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : oauthGrantFromRow(row))),
            Effect.orDie
          ),
        endOfAll: (realmId, clientId, now, limit) =>
          sql<OAuthGrantRow>`update oauth_grants set ended_at = ${date(now)}
            where realm_id = ${realmId} and id in (
              select id from oauth_grants where realm_id = ${realmId} and client_id = ${clientId} and ended_at is null
                and expires_at > ${date(now)} order by id limit ${limit} for update) returning *`.pipe(
            Effect.map((rows) => rows.map(oauthGrantFromRow)),
            Effect.orDie
          ),
        endOfClient: (realmId, userId, clientId, now) =>
          sql<OAuthGrantRow>`update oauth_grants set ended_at = ${date(now)}
            where realm_id = ${realmId} and user_id = ${userId} and client_id = ${clientId} and ended_at is null
              and expires_at > ${date(now)} returning *`.pipe(
            Effect.map((rows) => rows.map(oauthGrantFromRow)),
            Effect.orDie
          )
      })
    )
  )
}
