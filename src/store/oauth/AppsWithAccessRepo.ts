import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AppId, RealmId, UserId } from "#domain/Ids"
import type { AppWithAccess } from "#domain/oauth/AppWithAccess"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { isActiveGrant } from "./OAuthGrantRows.ts"

interface Row {
  readonly id: AppId
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly since: Date
  readonly last_used_at: Date | null
}

/** Reads which OAuth clients have access to a user's account, from consents and grants. */
export class AppsWithAccessRepo extends Context.Service<
  AppsWithAccessRepo,
  {
    /** Returns the clients sorted by name, and one more than `limit`. */
    ofUser(
      realmId: RealmId,
      userId: UserId,
      now: DateTime.Utc,
      limit: number
    ): Effect.Effect<ReadonlyArray<AppWithAccess>>
  }
>()("sallyport/store/AppsWithAccessRepo") {
  static readonly layer = Layer.effect(
    AppsWithAccessRepo,
    Effect.map(SqlClient, (sql) =>
      AppsWithAccessRepo.of({
        ofUser: (realmId, userId, now, limit) =>
          sql<Row>`with access as (
              select c.realm_id, c.client_id, c.scopes, c.created_at as since, null::timestamptz as last_used_at from oauth_consents c
              where c.realm_id = ${realmId} and c.user_id = ${userId}
              union all
              select g.realm_id, g.client_id, g.scopes, g.created_at, g.last_used_at from oauth_grants g
              where g.realm_id = ${realmId} and g.user_id = ${userId} and g.expires_at > ${date(now)}
                and ${isActiveGrant(sql, now)}
            ), clients as (
              select realm_id, client_id, min(since) as since, max(last_used_at) as last_used_at from access
              group by realm_id, client_id
            ) select a.id, a.name, c.since, c.last_used_at,
              array(select distinct unnest(x.scopes) from access x where x.realm_id = c.realm_id and x.client_id = c.client_id order by 1) as scopes
            from clients c join login_policies a on a.realm_id = c.realm_id and a.id = c.client_id
            order by a.sort_name, a.id limit ${limit + 1}`.pipe(
            Effect.map((rows) =>
              rows.map(({ id, name, scopes, since, last_used_at }) => ({
                id,
                name,
                scopes,
                since: utc(since),
                lastUsedAt: utcOrNull(last_used_at)
              }))
            ),
            Effect.orDie
          )
      })
    )
  )
}
