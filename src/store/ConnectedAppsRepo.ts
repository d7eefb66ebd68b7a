import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { LogoFile } from "#domain/Appearance"
import type { appSorts, ConnectedApp } from "#domain/ConnectedApp"
import type { LoginPolicyId, RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { sortKey } from "#domain/Text"
import { LoginDomains } from "#platform/LoginDomains"
import { violates } from "#platform/Transaction"
import { type KeysetOrder, keysetPage } from "./KeysetPage.ts"
import { ReleasedSubdomainsRepo } from "./ReleasedSubdomainsRepo.ts"
import { date, utc } from "./Rows.ts"

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
  readonly logout_uris: ReadonlyArray<string>
  readonly signup_mode: ConnectedApp["signupMode"]
  readonly require_password_confirmation: boolean
  readonly require_names: boolean
  readonly require_org_name: boolean
  readonly allow_jsonp: boolean
  readonly auto_continue: boolean
  readonly allow_invitations: boolean
  readonly invitation_permissions: ReadonlyArray<string>
  readonly appearance_name: string | null
  readonly logo: LogoFile | null
  readonly dark_logo: LogoFile | null
  readonly color: string | null
  readonly dark_color: string | null
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
  logoutUris: row.logout_uris,
  signupMode: row.signup_mode,
  requirePasswordConfirmation: row.require_password_confirmation,
  requireNames: row.require_names,
  requireOrgName: row.require_org_name,
  allowJsonp: row.allow_jsonp,
  autoContinue: row.auto_continue,
  allowInvitations: row.allow_invitations,
  invitationPermissions: row.invitation_permissions,
  appearance: {
    name: row.appearance_name,
    logo: row.logo,
    darkLogo: row.dark_logo,
    color: row.color,
    darkColor: row.dark_color
  },
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
  logout_uris: app.logoutUris,
  signup_mode: app.signupMode,
  require_password_confirmation: app.requirePasswordConfirmation,
  require_names: app.requireNames,
  require_org_name: app.requireOrgName,
  allow_jsonp: app.allowJsonp,
  auto_continue: app.autoContinue,
  allow_invitations: app.allowInvitations,
  invitation_permissions: app.invitationPermissions,
  appearance_name: app.appearance.name,
  logo: app.appearance.logo,
  dark_logo: app.appearance.darkLogo,
  color: app.appearance.color,
  dark_color: app.appearance.darkColor
})

/** Stores the connected apps (table `login_policies`). */
export class ConnectedAppsRepo extends Context.Service<
  ConnectedAppsRepo,
  {
    /** Inserts an app. False if another app uses the subdomain, or if it is reserved for another realm. */
    insert(app: ConnectedApp, now: DateTime.Utc): Effect.Effect<boolean>
    /** Updates an app. False if the new subdomain is used or reserved; the transaction must then be rolled back. */
    update(before: ConnectedApp, after: ConnectedApp, now: DateTime.Utc): Effect.Effect<boolean>
    /**
     * Locks all subdomains against changes by other transactions, so that two apps that swap theirs cause no deadlock.
     */
    readonly lockSubdomains: Effect.Effect<void>
    find(realmId: RealmId, id: LoginPolicyId): Effect.Effect<ConnectedApp | undefined>
    findForUpdate(realmId: RealmId, id: LoginPolicyId): Effect.Effect<ConnectedApp | undefined>
    /** The active app of a `Host` header, in any realm that is not deleted. */
    findByHost(host: string): Effect.Effect<ConnectedApp | undefined>
    /** The oldest active app of a realm. */
    findOldestActive(realmId: RealmId): Effect.Effect<ConnectedApp | undefined>
    /** The active apps of a realm, oldest first. */
    active(realmId: RealmId): Effect.Effect<ReadonlyArray<ConnectedApp>>
    /** Deletes an app. Its subdomain stays reserved for its realm. */
    delete(app: ConnectedApp, now: DateTime.Utc): Effect.Effect<void>
    /** Deletes the apps of a realm. Their subdomains stay reserved for it. */
    deleteOfRealm(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
    /** Reserves the subdomains of a realm that is being deleted. A job deletes its apps later. */
    reserveSubdomains(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
    /** Returns one row more than the page holds. */
    list(realmId: RealmId, page: PageOf<(typeof appSorts)[number]>): Effect.Effect<ReadonlyArray<ConnectedApp>>
  }
>()("sallyport/store/ConnectedAppsRepo") {
  static readonly layer = Layer.effect(
    ConnectedAppsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const domains = yield* LoginDomains
      const released = yield* ReleasedSubdomainsRepo
      const select = sql.literal("select a.* from login_policies a")
      const one = Effect.map((rows: ReadonlyArray<Row>) => (rows[0] === undefined ? undefined : fromRow(rows[0])))

      const findByHost = (host: string) => {
        const subdomain = domains.subdomainIn(host)
        if (subdomain === undefined) return Effect.succeed(undefined)
        return sql<Row>`${select} join realms r on r.id = a.realm_id and r.deleted_at is null
          where a.subdomain = ${subdomain} and a.state = 'active'`.pipe(one, Effect.orDie)
      }

      const list = (realmId: RealmId, page: PageOf<(typeof appSorts)[number]>) => {
        const conditions = [sql`realm_id = ${realmId}`]
        const order: KeysetOrder = {
          sortKey: {
            column: "sort_name",
            ofRow: (id) => sql`select sort_name from login_policies where realm_id = ${realmId} and id = ${id}`
          }
        }
        return sql<Row>`${select} ${keysetPage(sql, conditions, page, order)}`.pipe(
          Effect.map((rows) => rows.map(fromRow)),
          Effect.orDie
        )
      }

      const deleteOne = ({ realmId, id }: ConnectedApp) =>
        sql`delete from login_policies where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie)

      // This runs after the statement that takes the subdomain, because that waits for a transaction that releases it.
      const isReserved = (app: ConnectedApp, now: DateTime.Utc) =>
        released.isReservedFrom(app.realmId, app.subdomain, now)

      const insert = Effect.fnUntraced(function* (app: ConnectedApp, now: DateTime.Utc) {
        const row = { realm_id: app.realmId, id: app.id, ...toRow(app), created_at: date(app.createdAt) }
        const inserted =
          yield* sql`insert into login_policies ${sql.insert(row)} on conflict (subdomain) do nothing returning id`.pipe(
            Effect.orDie
          )
        if (inserted.length === 0) return false
        if (!(yield* isReserved(app, now))) return true
        yield* deleteOne(app)
        return false
      })

      const update = Effect.fnUntraced(function* (before: ConnectedApp, after: ConnectedApp, now: DateTime.Utc) {
        const updated = yield* sql`update login_policies set ${sql.update(toRow(after))}
          where realm_id = ${after.realmId} and id = ${after.id}`.pipe(
          Effect.as(true),
          Effect.catchIf(violates("login_policies_subdomain"), () => Effect.succeed(false)),
          Effect.orDie
        )
        if (!updated || after.subdomain === before.subdomain) return updated
        yield* released.reserve(before.realmId, before.subdomain, now)
        return !(yield* isReserved(after, now))
      })

      return ConnectedAppsRepo.of({
        insert,
        update,
        lockSubdomains: sql`select pg_advisory_xact_lock(hashtext('subdomains'))`.pipe(Effect.asVoid, Effect.orDie),
        find: (realmId, id) => sql<Row>`${select} where realm_id = ${realmId} and id = ${id}`.pipe(one, Effect.orDie),
        findForUpdate: (realmId, id) =>
          sql<Row>`${select} where realm_id = ${realmId} and id = ${id} for update`.pipe(one, Effect.orDie),
        findByHost,
        findOldestActive: (realmId) =>
          sql<Row>`${select} where realm_id = ${realmId} and state = 'active' order by id limit 1`.pipe(
            one,
            Effect.orDie
          ),
        active: (realmId) =>
          sql<Row>`${select} where realm_id = ${realmId} and state = 'active' order by id`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        delete: (app, now) => Effect.andThen(deleteOne(app), released.reserve(app.realmId, app.subdomain, now)),
        deleteOfRealm: (realmId, now) =>
          Effect.andThen(
            released.reserveOfRealm(realmId, now),
            sql`delete from login_policies where realm_id = ${realmId}`.pipe(Effect.asVoid, Effect.orDie)
          ),
        reserveSubdomains: released.reserveOfRealm,
        list
      })
    })
  ).pipe(Layer.provide(ReleasedSubdomainsRepo.layer))
}
