import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { AppId, ConsentId, RealmId, UserId } from "#domain/Ids"
import type { OAuthConsent } from "#domain/oauth/OAuthConsent"
import type { PageOf } from "#domain/Page"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, utc } from "../statements/Rows.ts"

interface Row {
  readonly id: ConsentId
  readonly realm_id: RealmId
  readonly user_id: UserId
  readonly client_id: AppId
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<string>
  readonly created_at: Date
  readonly updated_at: Date
}

const fromRow = (row: Row): OAuthConsent => ({
  id: row.id,
  realmId: row.realm_id,
  userId: row.user_id,
  clientId: row.client_id,
  scopes: row.scopes,
  resources: row.resources,
  pairs: row.pairs,
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at)
})

/** The filters for lists of consents. `from` excludes the consents that a pending reset will delete. */
export interface ConsentFilter {
  readonly userId: string | undefined
  readonly clientId: string | undefined
  readonly from?: string | undefined
}

/** Stores users' permanent consents for OAuth clients. A row is deleted together with its user or client. */
export class OAuthConsentsRepo extends Context.Service<
  OAuthConsentsRepo,
  {
    find(realmId: RealmId, userId: UserId, clientId: AppId): Effect.Effect<OAuthConsent | undefined>
    get(realmId: RealmId, id: ConsentId): Effect.Effect<OAuthConsent | undefined>
    /** Returns one more row than fits on the page. */
    list(realmId: RealmId, filter: ConsentFilter, page: PageOf<"id">): Effect.Effect<ReadonlyArray<OAuthConsent>>
    /** Stores a consent, in addition to anything the user has already granted the client. */
    grant(consent: Omit<OAuthConsent, "createdAt" | "updatedAt">, now: DateTime.Utc): Effect.Effect<void>
    /** Deletes a consent. Returns false if there is none. */
    delete(realmId: RealmId, userId: UserId, clientId: AppId): Effect.Effect<boolean>
    /** Deletes all of a user's consents. Returns the clients, ordered by id. */
    deleteOfUser(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<AppId>>
  }
>()("sallyport/store/OAuthConsentsRepo") {
  static readonly layer = Layer.effect(
    OAuthConsentsRepo,
    Effect.map(SqlClient, (sql) =>
      OAuthConsentsRepo.of({
        find: (realmId, userId, clientId) =>
          sql<Row>`select * from oauth_consents
            where realm_id = ${realmId} and user_id = ${userId} and client_id = ${clientId}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        get: (realmId, id) =>
          sql<Row>`select * from oauth_consents where realm_id = ${realmId} and id = ${id}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        list: (realmId, { userId, clientId, from }, page) => {
          const conditions = [sql`realm_id = ${realmId}`]
          if (userId !== undefined) conditions.push(sql`user_id = ${userId}`)
          if (clientId !== undefined) conditions.push(sql`client_id = ${clientId}`)
          if (from !== undefined) conditions.push(sql`id >= ${from}`)
          return sql<Row>`select * from oauth_consents ${keysetPage(sql, conditions, page)}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          )
        },
        grant: ({ id, realmId, userId, clientId, scopes, resources, pairs }, now) =>
          sql`insert into oauth_consents as c (realm_id, id, user_id, client_id, scopes, resources, pairs, created_at,
              updated_at)
            select a.realm_id, ${id}, u.id, a.id, ${scopes}::text[], ${resources}::text[], ${pairs}::text[], ${date(now)},
              ${date(now)}
            from oauth_clients a join users u on u.realm_id = a.realm_id and u.id = ${userId}
            where a.realm_id = ${realmId} and a.id = ${clientId} for key share
            on conflict (realm_id, user_id, client_id) do update set
              scopes = array(select unnest(c.scopes) union select unnest(excluded.scopes) order by 1),
              resources = array(select unnest(c.resources) union select unnest(excluded.resources) order by 1),
              pairs = array(select unnest(c.pairs) union select unnest(excluded.pairs) order by 1),
              updated_at = excluded.updated_at`.pipe(Effect.asVoid, Effect.orDie),
        delete: (realmId, userId, clientId) =>
          sql`delete from oauth_consents
            where realm_id = ${realmId} and user_id = ${userId} and client_id = ${clientId} returning client_id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          ),
        deleteOfUser: (realmId, userId) =>
          sql<{ readonly client_id: AppId }>`delete from oauth_consents
            where realm_id = ${realmId} and user_id = ${userId} returning client_id`.pipe(
            Effect.map((rows) => rows.map(({ client_id }) => client_id).toSorted()),
            Effect.orDie
          )
      })
    )
  )
}
