import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { GrantId, RealmId } from "#domain/Ids"
import type { ListedGrant } from "#domain/oauth/OAuthGrant"
import type { PageOf } from "#domain/Page"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date } from "../statements/Rows.ts"
import { isActiveGrant, type OAuthGrantRow, oauthGrantFromRow } from "./OAuthGrantRows.ts"

/** The filters for lists of grants. `from` is the first id that a pending reset does not delete. */
export interface GrantFilter {
  readonly userId: string | undefined
  readonly clientId: string | undefined
  readonly from?: string | undefined
}

interface Row extends OAuthGrantRow {
  readonly is_active: boolean
}

const fromRow = (row: Row): ListedGrant => ({ ...oauthGrantFromRow(row), isActive: row.is_active })

/** Lists grants. Whether a grant is still valid is decided elsewhere, when a token is used. */
export class OAuthGrantListRepo extends Context.Service<
  OAuthGrantListRepo,
  {
    find(realmId: RealmId, id: GrantId, now: DateTime.Utc): Effect.Effect<ListedGrant | undefined>
    /** Returns one more row than fits on the page. Expired grants are not included. */
    list(
      realmId: RealmId,
      filter: GrantFilter,
      now: DateTime.Utc,
      page: PageOf<"id">
    ): Effect.Effect<ReadonlyArray<ListedGrant>>
  }
>()("sallyport/store/OAuthGrantListRepo") {
  static readonly layer = Layer.effect(
    OAuthGrantListRepo,
    Effect.map(SqlClient, (sql) => {
      const columns = (now: DateTime.Utc) => sql`g.*, ${isActiveGrant(sql, now)} as is_active`

      return OAuthGrantListRepo.of({
        find: (realmId, id, now) =>
          sql<Row>`select ${columns(now)} from oauth_grants g
            where g.realm_id = ${realmId} and g.id = ${id} and g.expires_at > ${date(now)}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        list: (realmId, { userId, clientId, from }, now, page) => {
          const conditions = [sql`g.realm_id = ${realmId}`, sql`g.expires_at > ${date(now)}`]
          if (userId !== undefined) conditions.push(sql`g.user_id = ${userId}`)
          if (clientId !== undefined) conditions.push(sql`g.client_id = ${clientId}`)
          if (from !== undefined) conditions.push(sql`g.id >= ${from}`)
          return sql<Row>`select ${columns(now)} from oauth_grants g
            ${keysetPage(sql, conditions, page, { id: "g.id" })}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          )
        }
      })
    })
  )
}
