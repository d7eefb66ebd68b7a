import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { foldedEmail } from "#domain/Email"
import { prefixes, type RealmId } from "#domain/Ids"
import { lastNameFirst, type Search } from "#domain/Search"
import { type User, userStates } from "#domain/User"
import { prefixSearch } from "../statements/PrefixSearch.ts"
import { isRetained } from "../statements/Retained.ts"

/** The users to search. */
export interface UserSearchFilter {
  readonly state: User["state"] | undefined
  /** Whether to search usernames. */
  readonly usernames: boolean
  /** The first id that a pending reset does not delete. */
  readonly from: string | undefined
}

/**
 * The statement that finds humans, with these columns of a table named `t`. It returns one more row than the search shows.
 * Exact matches come first, then the others by email.
 */
export const userSearch = (
  sql: SqlClient,
  columns: string,
  realmId: RealmId,
  { text, key, maxResults }: Search,
  { state, usernames, from }: UserSearchFilter
): Fragment =>
  prefixSearch(sql, {
    table: "users",
    columns,
    order: "coalesce(t.email, '')",
    realmId,
    conditions: from === undefined ? [] : [isRetained(sql, "id", from)],
    filters: { user_type: ["human"], state: state === undefined ? userStates : [state] },
    filteredByIndex: [
      { column: "coalesce(email, '')", prefix: foldedEmail(key) },
      ...(usernames ? [{ column: "coalesce(username_key, '')", prefix: key }] : []),
      { column: "sort_name", prefix: key },
      { column: "sort_name_alt", prefix: lastNameFirst(key) },
      ...(key.startsWith(prefixes.user) ? [{ column: "id", prefix: text.startsWith(prefixes.user) ? text : key }] : [])
    ],
    filteredAfterwards: [
      { column: "email_shown", prefix: key },
      { column: "email_pending", prefix: foldedEmail(key) },
      { column: "reference", prefix: text }
    ],
    limit: maxResults + 1
  })
