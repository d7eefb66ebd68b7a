import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { SUBDOMAIN_HOLD_DAYS } from "#domain/Subdomain"
import { date } from "./Rows.ts"

/** The rows of subdomains that are kept for the realm that had them. */
export class ReleasedSubdomainsRepo extends Context.Service<
  ReleasedSubdomainsRepo,
  {
    /** Keeps a subdomain for the realm whose app gives it up now. */
    keep(realmId: RealmId, subdomain: string, now: DateTime.Utc): Effect.Effect<void>
    /** The same for those of all apps of a realm, which are about to go or are cleared away later. */
    keepOfRealm(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
    /** Whether a subdomain is kept for another realm. */
    isKeptFrom(realmId: RealmId, subdomain: string, now: DateTime.Utc): Effect.Effect<boolean>
  }
>()("sallyport/store/ReleasedSubdomainsRepo") {
  static readonly layer = Layer.effect(
    ReleasedSubdomainsRepo,
    Effect.map(SqlClient, (sql) => {
      const until = (now: DateTime.Utc) => date(DateTime.add(now, { days: SUBDOMAIN_HOLD_DAYS }))
      const latestWins = sql.literal(
        "on conflict (subdomain) do update set realm_id = excluded.realm_id, expires_at = excluded.expires_at"
      )
      return ReleasedSubdomainsRepo.of({
        keep: (realmId, subdomain, now) =>
          sql`insert into released_subdomains (realm_id, subdomain, expires_at)
            values (${realmId}, ${subdomain}, ${until(now)}) ${latestWins}`.pipe(Effect.asVoid, Effect.orDie),
        keepOfRealm: (realmId, now) =>
          sql`insert into released_subdomains (realm_id, subdomain, expires_at)
            select realm_id, subdomain, ${until(now)}::timestamptz from login_policies where realm_id = ${realmId}
            order by subdomain ${latestWins}`.pipe(Effect.asVoid, Effect.orDie),
        isKeptFrom: (realmId, subdomain, now) =>
          sql`select 1 as kept from released_subdomains
            where subdomain = ${subdomain} and realm_id <> ${realmId} and expires_at > ${date(now)}`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}
