import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { appSorts, ConnectedApp } from "#domain/ConnectedApp"
import type { LoginPolicyId, RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { sortKey } from "#domain/Text"
import { date, utc } from "../Rows.ts"
import { violates } from "../Transaction.ts"
import { LoginDomains } from "./LoginDomains.ts"

interface Row {
  readonly id: LoginPolicyId
  readonly realm_id: RealmId
  readonly state: ConnectedApp["state"]
  readonly name: string
  readonly subdomain: string
  readonly header: string | null
  readonly footer: string | null
  readonly external_css: string | null
  readonly login_handler: string | null
  readonly signup_handler: string | null
  readonly redirect_uris: ReadonlyArray<string>
  readonly signup_mode: ConnectedApp["signupMode"]
  readonly require_password_confirmation: boolean
  readonly require_names: boolean
  readonly require_org_name: boolean
  readonly allow_jsonp: boolean
  readonly created_at: Date
}

const fromRow = (row: Row): ConnectedApp => ({
  id: row.id,
  realmId: row.realm_id,
  state: row.state,
  name: row.name,
  subdomain: row.subdomain,
  header: row.header,
  footer: row.footer,
  externalCss: row.external_css,
  loginHandler: row.login_handler,
  signupHandler: row.signup_handler,
  redirectUris: row.redirect_uris,
  signupMode: row.signup_mode,
  requirePasswordConfirmation: row.require_password_confirmation,
  requireNames: row.require_names,
  requireOrgName: row.require_org_name,
  allowJsonp: row.allow_jsonp,
  createdAt: utc(row.created_at)
})

const toRow = (app: ConnectedApp) => ({
  state: app.state,
  name: app.name,
  sort_name: sortKey(app.name),
  subdomain: app.subdomain,
  header: app.header,
  footer: app.footer,
  external_css: app.externalCss,
  login_handler: app.loginHandler,
  signup_handler: app.signupHandler,
  redirect_uris: app.redirectUris,
  signup_mode: app.signupMode,
  require_password_confirmation: app.requirePasswordConfirmation,
  require_names: app.requireNames,
  require_org_name: app.requireOrgName,
  allow_jsonp: app.allowJsonp
})

/** Connected apps' rows. */
export class ConnectedAppsRepo extends Context.Service<
  ConnectedAppsRepo,
  {
    /** False: the subdomain is another app's. */
    insert(app: ConnectedApp): Effect.Effect<boolean>
    /** False: the subdomain is another app's, and the transaction can only be given up. */
    update(app: ConnectedApp): Effect.Effect<boolean>
    /** Lets no other transaction change a subdomain before this one ends, so that two that swap theirs don't lock up. */
    readonly holdSubdomains: Effect.Effect<void>
    find(realmId: RealmId, id: LoginPolicyId): Effect.Effect<ConnectedApp | undefined>
    findForUpdate(realmId: RealmId, id: LoginPolicyId): Effect.Effect<ConnectedApp | undefined>
    /** The active app whose domain a `Host` names, of any realm that is there. */
    findByHost(host: string): Effect.Effect<ConnectedApp | undefined>
    /** The active app of a realm that was made first. */
    findOldestActive(realmId: RealmId): Effect.Effect<ConnectedApp | undefined>
    delete(realmId: RealmId, id: LoginPolicyId): Effect.Effect<void>
    /** Deletes the apps of a realm. */
    deleteOfRealm(realmId: RealmId): Effect.Effect<void>
    /** One row more than asked for. */
    list(realmId: RealmId, page: PageOf<(typeof appSorts)[number]>): Effect.Effect<ReadonlyArray<ConnectedApp>>
  }
>()("sallyport/core/ConnectedAppsRepo") {
  static readonly layer = Layer.effect(
    ConnectedAppsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const domains = yield* LoginDomains
      const select = sql.literal("select a.* from login_policies a")
      const one = Effect.map((rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0])))

      const findByHost = (host: string) => {
        const subdomain = domains.subdomainIn(host)
        if (subdomain === undefined) return Effect.succeed(undefined)
        return sql<Row>`${select} join realms r on r.id = a.realm_id and r.deleted_at is null
          where a.subdomain = ${subdomain} and a.state = 'active'`.pipe(one, Effect.orDie)
      }

      const list = (realmId: RealmId, page: PageOf<(typeof appSorts)[number]>) => {
        const ascending = page.direction === "asc"
        const beyond = sql.literal(ascending ? ">" : "<")
        const direction = sql.literal(ascending ? "asc" : "desc")
        const conditions = [sql`realm_id = ${realmId}`]
        if (page.after !== undefined) {
          conditions.push(
            page.sort === "id"
              ? sql`id ${beyond} ${page.after}`
              : sql`(sort_name, id) ${beyond} ((select sort_name from login_policies
                  where realm_id = ${realmId} and id = ${page.after}), ${page.after})`
          )
        }
        const order = page.sort === "id" ? sql`id ${direction}` : sql`sort_name ${direction}, id ${direction}`
        return sql<Row>`${select} where ${sql.and(conditions)} order by ${order} limit ${page.maxResults + 1}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      return ConnectedAppsRepo.of({
        insert: (app) => {
          const row = { realm_id: app.realmId, id: app.id, ...toRow(app), created_at: date(app.createdAt) }
          return sql`insert into login_policies ${sql.insert(row)} on conflict (subdomain) do nothing returning id`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
        },
        update: (app) =>
          sql`update login_policies set ${sql.update(toRow(app))}
            where realm_id = ${app.realmId} and id = ${app.id}`.pipe(
            Effect.as(true),
            Effect.catchIf(violates("login_policies_subdomain"), () => Effect.succeed(false)),
            Effect.orDie
          ),
        holdSubdomains: sql`select pg_advisory_xact_lock(hashtext('subdomains'))`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id) => sql<Row>`${select} where realm_id = ${realmId} and id = ${id}`.pipe(one, Effect.orDie),
        findForUpdate: (realmId, id) =>
          sql<Row>`${select} where realm_id = ${realmId} and id = ${id} for update`.pipe(one, Effect.orDie),
        findByHost,
        findOldestActive: (realmId) =>
          sql<Row>`${select} where realm_id = ${realmId} and state = 'active' order by id limit 1`.pipe(
            one,
            Effect.orDie
          ),
        delete: (realmId, id) =>
          sql`delete from login_policies where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie),
        deleteOfRealm: (realmId) =>
          sql`delete from login_policies where realm_id = ${realmId}`.pipe(Effect.asVoid, Effect.orDie),
        list
      })
    })
  )
}
