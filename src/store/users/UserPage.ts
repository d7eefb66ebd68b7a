import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { foldedEmail } from "#domain/Email"
import type { RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import type { User, UserType, userSorts } from "#domain/User"
import { addressInUsername } from "#domain/Username"
import { type KeysetOrder, keysetPage } from "../statements/KeysetPage.ts"
import { mergedPage } from "../statements/MergedPage.ts"
import { isRetained } from "../statements/Retained.ts"

/** The filters for lists of users. `email` and `username` are in canonical form. */
export interface UserFilter {
  readonly userType: UserType | undefined
  readonly email: string | undefined
  readonly reference: string | undefined
  readonly username: string | undefined
  readonly state: User["state"] | undefined
  /** The first id that a pending reset does not delete. */
  readonly from?: string | undefined
}

/** The order of a list: the column to sort by with its table's alias, and the column with the user's id in that table. */
interface ListOrder {
  readonly table: "u" | "l"
  readonly id: string
  readonly column: string
}

const ofUsers = (column: string): ListOrder => ({ table: "u", id: "u.id", column })

const listOrders: Record<(typeof userSorts)[number], ListOrder> = {
  id: ofUsers("u.id"),
  email: ofUsers("coalesce(u.email, '')"),
  last_login: { table: "l", id: "l.user_id", column: "l.last_login_at" },
  name: ofUsers("u.sort_name"),
  name_alt: ofUsers("u.sort_name_alt"),
  username: ofUsers("coalesce(u.username_key, '')")
}

/** The order by last login for users found without the table of last logins. */
const byLastLogin = ofUsers("coalesce(u.last_login_at, '-infinity'::timestamptz)")

const keysetOrder = (sql: SqlClient, realmId: RealmId, { table, id, column }: ListOrder): KeysetOrder => {
  const ofRow = (after: string) =>
    sql`select ${sql.literal(column)} from ${sql.literal(table === "u" ? "users u" : "last_logins l")}
        where ${sql.literal(table)}.realm_id = ${realmId} and ${sql.literal(id)} = ${after}`
  return column === id ? { id } : { id, sortKey: { column, ofRow } }
}

const tables: Record<ListOrder["table"], string> = {
  u: "users u",
  l: "last_logins l join users u on u.realm_id = l.realm_id and u.id = l.user_id"
}

const types: ReadonlyArray<UserType> = ["human", "api"]
const states: ReadonlyArray<User["state"]> = ["active", "inactive"]

const typesOf = ({ userType }: UserFilter) => (userType === undefined ? types : [userType])
const statesOf = ({ state }: UserFilter) => (state === undefined ? states : [state])

/** The condition for users of a type with a canonical email. It is written so that the index for sorting by email can be used. */
export const withEmail = (sql: SqlClient, type: UserType, email: string): Fragment =>
  sql`user_type = ${sql.literal(`'${type}'`)} and state in ('active', 'inactive')
    and coalesce(email, '') = ${foldedEmail(email)}`

/**
 * The condition for users of these types with a canonical username. A username that looks like an email matches only if it
 * is the user's own email, so that it never finds another user (C258).
 */
export const withUsername = (sql: SqlClient, key: string, types: ReadonlyArray<UserType>): Fragment => {
  const address = addressInUsername(key)
  return sql`username_key = ${key} and user_type = any(${types}::text[])
    and (${address}::text is null or email = ${address}::text)`
}

/**
 * Selects the users matching a filter's email, username or reference, who are few. `offset 0` makes PostgreSQL find them
 * first and sort them afterwards. Otherwise it might read users in the order of the page until enough of them match.
 */
const matching = (sql: SqlClient, realmId: RealmId, filter: UserFilter): Fragment => {
  const { username, reference } = filter
  const email = filter.email === undefined ? undefined : foldedEmail(filter.email)
  const conditions: Array<Fragment> = [sql`realm_id = ${realmId}`]
  conditions.push(sql`user_type in ${sql.in(typesOf(filter))}`, sql`state in ${sql.in(statesOf(filter))}`)
  if (username !== undefined) conditions.push(sql`username_key = ${username}`)
  if (reference !== undefined) conditions.push(sql`reference = ${reference}`)
  if (filter.from !== undefined) conditions.push(isRetained(sql, "id", filter.from))
  const found = sql`select * from users where ${sql.and(conditions)}`
  return email === undefined
    ? sql`(${found} offset 0) u`
    : sql`(${found} and coalesce(email, '') = ${email}
        union all ${found} and email_pending = ${email} and email is distinct from ${email} offset 0) u`
}

/** The statement that counts the users matching a filter, up to a limit. It reads only an index unless a text is given. */
export const userCount = (sql: SqlClient, realmId: RealmId, filter: UserFilter, limit: number): Fragment => {
  const { email, username, reference, from } = filter
  const conditions: Array<Fragment> = [sql`realm_id = ${realmId}`]
  conditions.push(sql`user_type in ${sql.in(typesOf(filter))}`, sql`state in ${sql.in(statesOf(filter))}`)
  if (from !== undefined) conditions.push(isRetained(sql, "id", from))
  const found =
    email === undefined && username === undefined && reference === undefined
      ? sql`users where ${sql.and(conditions)}`
      : matching(sql, realmId, filter)
  return sql`select count(*)::int as count from (select 1 from ${found} limit ${limit}) counted`
}

/** The statement for a page of users, with these columns of a table named `u`. It returns one more row than fits on the page. */
export const userPage = (
  sql: SqlClient,
  columns: string,
  realmId: RealmId,
  filter: UserFilter,
  page: PageOf<(typeof userSorts)[number]>
): Fragment => {
  const { email, username, reference, from } = filter
  if (email !== undefined || username !== undefined || (reference !== undefined && page.sort !== "id")) {
    const order = page.sort === "last_login" ? byLastLogin : listOrders[page.sort]
    return sql`select ${sql.literal(columns)} from ${matching(sql, realmId, filter)}
      ${keysetPage(sql, [sql`true`], page, keysetOrder(sql, realmId, order))}`
  }
  const order = listOrders[page.sort]
  const conditions: Array<Fragment> = [sql`${sql.literal(order.table)}.realm_id = ${realmId}`]
  if (reference !== undefined) conditions.push(sql`u.reference = ${reference}`)
  if (from !== undefined) conditions.push(isRetained(sql, order.id, from))
  const filters = {
    [`${order.table}.user_type`]: typesOf(filter),
    [`${order.table}.state`]: statesOf(filter)
  }
  const source = { columns, from: tables[order.table] }
  return mergedPage(sql, source, filters, conditions, page, keysetOrder(sql, realmId, order))
}
