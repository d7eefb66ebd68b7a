import type { DateTime } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type EventType, eventTypes, type relations } from "#domain/Event"
import { isUpdate } from "#domain/EventChanges"
import type { RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date } from "../statements/Rows.ts"

/** The filters for lists of events. */
export interface EventFilter {
  readonly types: ReadonlyArray<EventType>
  readonly related: { readonly [Relation in (typeof relations)[number]]?: string }
  readonly actorId: string | undefined
  readonly requestIp?: string | undefined
  /** If not empty, an update must have changed at least one of these members. */
  readonly changed: ReadonlyArray<string>
  readonly createdAfter: DateTime.Utc | undefined
  /** A lower bound for the ids of events recorded after `createdAfter`. */
  readonly earliest: string | undefined
  readonly createdBefore?: DateTime.Utc | undefined
  /** An upper bound, exclusive, for the ids of events recorded before `createdBefore`. */
  readonly latest?: string | undefined
}

const relationColumns = {
  user: "user_id",
  org: "org_id",
  membership: "membership_id",
  invitation: "invitation_id",
  session: "session_id",
  authProvider: "auth_provider_id",
  hook: "hook_id",
  app: "login_policy_id",
  apiKey: "api_key_id"
} as const

/** The relations that can have very many events of every type. */
const busyRelations: ReadonlySet<string> = new Set(["user", "org"])

/** The conditions that apply to both tables, events and event changes. */
const commonConditions = (sql: SqlClient, realmId: RealmId, filter: EventFilter): ReadonlyArray<Fragment> => {
  const conditions = [sql`realm_id = ${realmId}`]
  for (const [relation, id] of Object.entries(filter.related)) {
    const column = relationColumns[relation as keyof typeof relationColumns]
    conditions.push(sql`${sql(column)} = ${id}`)
  }
  if (filter.actorId !== undefined) conditions.push(sql`actor_id = ${filter.actorId}`)
  if (filter.createdAfter !== undefined) conditions.push(sql`event_at > ${date(filter.createdAfter)}`)
  if (filter.earliest !== undefined) conditions.push(sql`id >= ${filter.earliest}`)
  if (filter.createdBefore !== undefined) conditions.push(sql`event_at < ${date(filter.createdBefore)}`)
  if (filter.latest !== undefined) conditions.push(sql`id < ${filter.latest}`)
  return conditions
}

/**
 * The statement for a page of events, with one more row than fits on the page. `read` is a `select` without a `from`
 * clause. Each type, and each changed member of updates, is read from its own index range, so that rare ones don't need a
 * scan. Subjects other than users, orgs and actors have few events, so all of their events are read and filtered by type. An
 * IP address has few updates of each type, so these are filtered by their changed members.
 */
export const eventPage = (
  sql: SqlClient,
  read: Fragment,
  realmId: RealmId,
  filter: EventFilter,
  page: PageOf<"id">
): Fragment => {
  const conditions = commonConditions(sql, realmId, filter)
  const related = Object.keys(filter.related)
  const hasFewEvents = related.some((relation) => !busyRelations.has(relation))
  const namesMembers = filter.changed.length > 0
  const isUnfiltered =
    related.length === 0 && filter.actorId === undefined && filter.requestIp === undefined && !namesMembers
  const isEverything = isUnfiltered && filter.types.length === eventTypes.length
  if (isEverything) return sql`${read} from events ${keysetPage(sql, conditions, page)}`
  const ofAddress = filter.requestIp === undefined ? [] : [sql`request_ip = ${filter.requestIp}`]
  const withMembers = namesMembers ? [sql`changed && ${filter.changed}::text[]`] : []
  if (hasFewEvents) {
    const ofTypes = sql`event_type = any(${filter.types}::text[])`
    return sql`${read} from events ${keysetPage(sql, [...conditions, ...ofAddress, ofTypes, ...withMembers], page)}`
  }
  const ofType = [...conditions, sql`event_type = wanted.event_type`]
  const direction = sql.literal(page.direction)
  const readsChanges = namesMembers && filter.requestIp === undefined
  const types = namesMembers ? filter.types.filter(isUpdate) : filter.types
  const ids = readsChanges
    ? sql`select distinct e.id from unnest(${types}::text[]) as wanted (event_type)
        cross join unnest(${filter.changed}::text[]) as named (member)
        cross join lateral (
          select id from event_changes ${keysetPage(sql, [...ofType, sql`member = named.member`], page)}
        ) e`
    : sql`select e.id from unnest(${types}::text[]) as wanted (event_type)
        cross join lateral (select id from events ${keysetPage(sql, [...ofType, ...ofAddress, ...withMembers], page)}) e`
  // `offset 0` makes PostgreSQL look up each event by its id, which preserves the order of the page.
  return sql`${read} from (${ids} order by id ${direction} limit ${page.maxResults + 1}) page
    cross join lateral (select * from events where realm_id = ${realmId} and id = page.id offset 0) events
    order by page.id ${direction}`
}
