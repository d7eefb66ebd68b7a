import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { App, ListedApp } from "#domain/App"
import type { appSorts } from "#domain/ConnectedApp"
import type { AppId, RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { type OAuthClientRow, oauthClientOf, oauthColumns, registrationJoin } from "../oauth/OAuthClientRows.ts"
import { type KeysetOrder, keysetPage } from "../statements/KeysetPage.ts"
import { type ConnectedAppRow, connectedAppOf } from "./ConnectedAppRows.ts"

interface ListedRow {
  readonly id: AppId
  readonly realm_id: RealmId
  readonly name: string
  readonly client_type: ListedApp["clientType"]
  readonly subdomain: string | null
}

const listedAppOf = (row: ListedRow): ListedApp => ({
  id: row.id,
  realmId: row.realm_id,
  name: row.name,
  clientType: row.client_type,
  subdomain: row.subdomain
})

const appOf = (row: ConnectedAppRow | OAuthClientRow): App =>
  row.client_type === "standard" ? connectedAppOf(row) : oauthClientOf(row)

/** Reads apps of all types (tables `login_policies`, `oauth_clients`). */
export class AppsRepo extends Context.Service<
  AppsRepo,
  {
    find(realmId: RealmId, id: AppId): Effect.Effect<App | undefined>
    /** Returns one more row than fits on the page. */
    list(realmId: RealmId, page: PageOf<(typeof appSorts)[number]>): Effect.Effect<ReadonlyArray<ListedApp>>
  }
>()("sallyport/store/AppsRepo") {
  static readonly layer = Layer.effect(
    AppsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const select = sql.literal(`select a.*, ${oauthColumns} from login_policies a
        left join oauth_clients c on c.realm_id = a.realm_id and c.id = a.id ${registrationJoin}`)

      const list = (realmId: RealmId, page: PageOf<(typeof appSorts)[number]>) => {
        const order: KeysetOrder = {
          sortKey: {
            column: "sort_name",
            ofRow: (id) => sql`select sort_name from login_policies where realm_id = ${realmId} and id = ${id}`
          }
        }
        return sql<ListedRow>`select id, realm_id, name, client_type, subdomain from login_policies
          ${keysetPage(sql, [sql`realm_id = ${realmId}`], page, order)}`.pipe(
          Effect.map((rows) => rows.map(listedAppOf)),
          Effect.orDie
        )
      }

      return AppsRepo.of({
        find: (realmId, id) =>
          sql<ConnectedAppRow | OAuthClientRow>`${select} where a.realm_id = ${realmId} and a.id = ${id}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : appOf(row))),
            Effect.orDie
          ),
        list
      })
    })
  )
}
