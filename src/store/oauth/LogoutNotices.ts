import type { DateTime } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { RealmId } from "#domain/Ids"
import { date } from "../statements/Rows.ts"

/** Conditions on `oauth_grants g` that select the grants of a realm affected by ending sessions. */
interface Ending {
  readonly realmId: RealmId
  /** Further tables besides `g`, each followed by a comma. */
  readonly from?: Fragment
  /** Selects the grants that belong to the ending sessions. */
  readonly isConcerned: Fragment
  /** Selects which of these grants end. By default, those that last only as long as their session. */
  readonly ends?: Fragment | undefined
}

/**
 * Subqueries for a statement that ends sessions. They end the sessions' grants and queue back-channel logout notices for
 * the clients. Each subquery is preceded by a comma, and `notices` has one row per notice.
 */
export const logoutNotices = (
  sql: SqlClient,
  now: DateTime.Utc,
  { realmId, from, isConcerned, ends }: Ending
): Fragment => {
  const tables = from ?? sql.literal("")
  const isOver = ends ?? sql.literal("not 'offline_access' = any(g.scopes)")
  return sql`, notices as (
      insert into oauth_logouts (realm_id, client_id, sid, user_id, attempts, created_at, due_at)
      select distinct g.realm_id, g.client_id, g.sid, g.user_id, 0, ${date(now)}::timestamptz, ${date(now)}::timestamptz
      from ${tables} oauth_grants g join oauth_clients c on c.realm_id = g.realm_id and c.id = g.client_id
      where g.realm_id = ${realmId} and ${isConcerned} and g.sid is not null and g.ended_at is null and g.expires_at > ${date(now)}
        and c.backchannel_logout_uri is not null
      on conflict do nothing returning 1
    ), over as (
      update oauth_grants g set ended_at = ${date(now)} from ${tables} (select) as one
      where g.realm_id = ${realmId} and ${isConcerned} and g.ended_at is null and ${isOver}
    )`
}
