import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AppId, RealmId } from "#domain/Ids"
import type { LogoutRequest } from "#domain/oauth/LogoutRequest"
import { date, utc } from "../statements/Rows.ts"

interface Row {
  readonly realm_id: RealmId
  readonly id: string
  readonly login_app_id: AppId
  readonly client_id: AppId | null
  readonly user_id: string | null
  readonly sid: string | null
  readonly redirect_uri: string | null
  readonly state: string | null
  readonly expires_at: Date
}

const fromRow = (row: Row): LogoutRequest => ({
  id: row.id,
  realmId: row.realm_id,
  loginAppId: row.login_app_id,
  clientId: row.client_id,
  userId: row.user_id,
  sid: row.sid,
  redirectUri: row.redirect_uri,
  state: row.state,
  expiresAt: utc(row.expires_at)
})

/** Stores logouts requested by clients. A row is deleted together with its client or app. */
export class OAuthLogoutRequestsRepo extends Context.Service<
  OAuthLogoutRequestsRepo,
  {
    /** Inserts a request. Does nothing if the app or the client no longer exists. */
    insert(request: LogoutRequest): Effect.Effect<void>
    /** Finds an unexpired request on the host of an app. */
    find(realmId: RealmId, loginAppId: AppId, id: string, now: DateTime.Utc): Effect.Effect<LogoutRequest | undefined>
    delete(realmId: RealmId, id: string): Effect.Effect<void>
  }
>()("sallyport/store/OAuthLogoutRequestsRepo") {
  static readonly layer = Layer.effect(
    OAuthLogoutRequestsRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthLogoutRequestsRepo.of({
        insert: ({ realmId, id, loginAppId, clientId, userId, sid, redirectUri, state, expiresAt }) =>
          sql`insert into oauth_logout_requests
              (realm_id, id, login_app_id, client_id, user_id, sid, redirect_uri, state, expires_at)
            select a.realm_id, ${id}, a.id, ${clientId}, ${userId}, ${sid}, ${redirectUri}, ${state},
              ${date(expiresAt)}
            from login_policies a where a.realm_id = ${realmId} and a.id = ${loginAppId}
              and (${clientId}::text is null or exists (select from oauth_clients c
                where c.realm_id = a.realm_id and c.id = ${clientId} for key share))
            for key share`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, loginAppId, id, now) =>
          sql<Row>`select * from oauth_logout_requests where realm_id = ${realmId} and id = ${id}
            and login_app_id = ${loginAppId} and expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        delete: (realmId, id) =>
          sql`delete from oauth_logout_requests where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.asVoid,
            Effect.orDie
          )
      })
    )
  )
}
