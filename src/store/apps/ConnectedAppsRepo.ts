import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { AppId, RealmId } from "#domain/Ids"
import { LoginDomains } from "#platform/LoginDomains"
import { violates } from "#platform/Transaction"
import { date } from "../statements/Rows.ts"
import { type ConnectedAppRow, connectedAppOf, connectedAppRow } from "./ConnectedAppRows.ts"
import { ReleasedSubdomainsRepo } from "./ReleasedSubdomainsRepo.ts"

/** Stores connected apps (table `login_policies`). */
export class ConnectedAppsRepo extends Context.Service<
  ConnectedAppsRepo,
  {
    /** Inserts an app. Returns false if its subdomain is used by another app or reserved for another realm. */
    insert(app: ConnectedApp, now: DateTime.Utc): Effect.Effect<boolean>
    /**
     * Updates an app. Returns false if the new subdomain is used or reserved, in which case the transaction must be rolled
     * back.
     */
    update(before: ConnectedApp, after: ConnectedApp, now: DateTime.Utc): Effect.Effect<boolean>
    /** Locks all subdomains against changes by other transactions. Without it, two apps swapping subdomains could deadlock. */
    readonly lockSubdomains: Effect.Effect<void>
    find(realmId: RealmId, id: AppId): Effect.Effect<ConnectedApp | undefined>
    findForUpdate(realmId: RealmId, id: AppId): Effect.Effect<ConnectedApp | undefined>
    /** Finds the active app for a `Host` header, in any realm that is not deleted. */
    findByHost(host: string): Effect.Effect<ConnectedApp | undefined>
    /** Returns a realm's oldest active app. */
    findOldestActive(realmId: RealmId): Effect.Effect<ConnectedApp | undefined>
    /** Returns a realm's active apps, oldest first. */
    active(realmId: RealmId): Effect.Effect<ReadonlyArray<ConnectedApp>>
    /** Deletes an app. Its subdomain stays reserved for its realm. */
    delete(app: ConnectedApp, now: DateTime.Utc): Effect.Effect<void>
    /** Deletes a realm's apps, including OAuth clients. Their subdomains stay reserved for the realm. */
    deleteOfRealm(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
    /** Reserves the subdomains of a realm that is being deleted. A job will delete its apps. */
    reserveSubdomains(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
  }
>()("sallyport/store/ConnectedAppsRepo") {
  static readonly layer = Layer.effect(
    ConnectedAppsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const domains = yield* LoginDomains
      const released = yield* ReleasedSubdomainsRepo
      const select = sql.literal("select a.* from login_policies a")
      const one = Effect.map((rows: ReadonlyArray<ConnectedAppRow>) =>
        rows[0] === undefined ? undefined : connectedAppOf(rows[0])
      )

      const findByHost = (host: string) => {
        const subdomain = domains.subdomainIn(host)
        if (subdomain === undefined) return Effect.succeed(undefined)
        return sql<ConnectedAppRow>`${select} join realms r on r.id = a.realm_id and r.deleted_at is null
          where a.subdomain = ${subdomain} and a.state = 'active'`.pipe(one, Effect.orDie)
      }

      const deleteOne = ({ realmId, id }: ConnectedApp) =>
        sql`delete from login_policies where realm_id = ${realmId} and id = ${id}`.pipe(Effect.asVoid, Effect.orDie)

      // Runs after the statement that takes the subdomain, because that statement waits for any transaction that is
      // releasing it.
      const isReserved = (app: ConnectedApp, now: DateTime.Utc) =>
        released.isReservedFrom(app.realmId, app.subdomain, now)

      const insert = Effect.fnUntraced(function* (app: ConnectedApp, now: DateTime.Utc) {
        const row = { realm_id: app.realmId, id: app.id, ...connectedAppRow(app), created_at: date(app.createdAt) }
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
        const updated = yield* sql`update login_policies set ${sql.update(connectedAppRow(after))}
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
        find: (realmId, id) =>
          sql<ConnectedAppRow>`${select} where realm_id = ${realmId} and id = ${id} and client_type = 'standard'`.pipe(
            one,
            Effect.orDie
          ),
        findForUpdate: (realmId, id) =>
          sql<ConnectedAppRow>`${select} where realm_id = ${realmId} and id = ${id} and client_type = 'standard' for update`.pipe(
            one,
            Effect.orDie
          ),
        findByHost,
        findOldestActive: (realmId) =>
          sql<ConnectedAppRow>`${select} where realm_id = ${realmId} and client_type = 'standard' and state = 'active' order by id limit 1`.pipe(
            one,
            Effect.orDie
          ),
        active: (realmId) =>
          sql<ConnectedAppRow>`${select} where realm_id = ${realmId} and client_type = 'standard' and state = 'active' order by id`.pipe(
            Effect.map((rows) => rows.map(connectedAppOf)),
            Effect.orDie
          ),
        delete: (app, now) => Effect.andThen(deleteOne(app), released.reserve(app.realmId, app.subdomain, now)),
        deleteOfRealm: (realmId, now) =>
          Effect.andThen(
            released.reserveOfRealm(realmId, now),
            sql`delete from login_policies where realm_id = ${realmId}`.pipe(Effect.asVoid, Effect.orDie)
          ),
        reserveSubdomains: released.reserveOfRealm
      })
    })
  ).pipe(Layer.provide(ReleasedSubdomainsRepo.layer))
}
