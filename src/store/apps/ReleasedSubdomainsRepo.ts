import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId } from "#domain/Ids"
import { SUBDOMAIN_HOLD_DAYS } from "#domain/Subdomain"
import { date } from "../statements/Rows.ts"

/** Stores released subdomains, which stay reserved for the realm that used them. */
export class ReleasedSubdomainsRepo extends Context.Service<
  ReleasedSubdomainsRepo,
  {
    /** Reserves a subdomain for the realm whose app releases it. */
    reserve(realmId: RealmId, subdomain: string, now: DateTime.Utc): Effect.Effect<void>
    /** Reserves the subdomains of all of a realm's apps. The apps are deleted in the same transaction or later by a job. */
    reserveOfRealm(realmId: RealmId, now: DateTime.Utc): Effect.Effect<void>
    /** Returns whether a subdomain is reserved for another realm. */
    isReservedFrom(realmId: RealmId, subdomain: string, now: DateTime.Utc): Effect.Effect<boolean>
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
        reserve: (realmId, subdomain, now) =>
          sql`insert into released_subdomains (realm_id, subdomain, expires_at)
            values (${realmId}, ${subdomain}, ${until(now)}) ${latestWins}`.pipe(Effect.asVoid, Effect.orDie),
        reserveOfRealm: (realmId, now) =>
          sql`insert into released_subdomains (realm_id, subdomain, expires_at)
            select realm_id, subdomain, ${until(now)}::timestamptz from login_policies
            where realm_id = ${realmId} and subdomain is not null
            order by subdomain ${latestWins}`.pipe(Effect.asVoid, Effect.orDie),
        isReservedFrom: (realmId, subdomain, now) =>
          sql`select 1 as kept from released_subdomains
            where subdomain = ${subdomain} and realm_id <> ${realmId} and expires_at > ${date(now)}`.pipe(
            Effect.map((rows) => rows.length > 0),
            Effect.orDie
          )
      })
    })
  )
}
