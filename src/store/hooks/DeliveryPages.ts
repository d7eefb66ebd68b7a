import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type HookType, hookTypes } from "#domain/AppHook"
import { type DeliveryOfEvent, type DeliveryState, deliveryStates } from "#domain/Delivery"
import type { EventType } from "#domain/Event"
import type { NotificationId, RealmId } from "#domain/Ids"
import type { PageOf } from "#domain/Page"
import { mergedPage } from "../statements/MergedPage.ts"
import { utc } from "../statements/Rows.ts"
import { storedRealm } from "./AppHookRows.ts"
import type { HookKey } from "./AppHooksRepo.ts"
import { type DeliveryRow, deliveryFromRow } from "./DeliveryRows.ts"

/** The filters for lists of failed deliveries of a realm's own hooks. `hookType` is undefined for any type. */
export interface FailedFilter {
  readonly realmId: RealmId
  readonly hookType: HookType | undefined
}

/** A delivery's row, with the event fields that lists show. */
export interface DeliveryOfEventRow extends DeliveryRow {
  readonly event_type: EventType
  readonly event_at: Date
}

/** Converts a row to a delivery with event fields. */
export const deliveryOfEventFromRow = (row: DeliveryOfEventRow): DeliveryOfEvent => ({
  ...deliveryFromRow(row),
  eventType: row.event_type,
  eventAt: utc(row.event_at)
})

const source = {
  columns: `d.realm_id, d.id, d.event_id, d.hook_realm_id, d.hook_id, d.hook_type, d.state, d.attempts, d.created_at,
    d.due_at, d.addressed_to, d.language, d.last_attempt_at, d.last_destination, d.last_result, e.event_type, e.event_at`,
  from: "deliveries d join events e on e.realm_id = d.realm_id and e.id = d.event_id"
}

const byId = { id: "d.id" }

const ofHook = (sql: SqlClient, { realmId, id }: HookKey) =>
  sql`d.hook_realm_id = ${storedRealm(realmId)} and d.hook_id = ${id}`

/** The statement for a page of a hook's deliveries, with one more row than fits on the page. */
export const hookPage = (
  sql: SqlClient,
  key: HookKey,
  state: DeliveryState | undefined,
  page: PageOf<"id">
): Fragment => {
  const states = { "d.state": state === undefined ? deliveryStates : [state] }
  return mergedPage(sql, source, states, [ofHook(sql, key)], page, byId)
}

/** The statement for a single delivery of a hook. */
export const deliveryOfHook = (sql: SqlClient, key: HookKey, id: NotificationId): Fragment =>
  sql`select ${sql.literal(source.columns)} from ${sql.literal(source.from)} where ${ofHook(sql, key)} and d.id = ${id}`

/** The statement for a page of failed deliveries of a realm's own hooks, with one more row than fits on the page. */
export const failedPage = (sql: SqlClient, { realmId, hookType }: FailedFilter, page: PageOf<"id">): Fragment => {
  const types = { "d.hook_type": hookType === undefined ? hookTypes : [hookType] }
  const failed = sql`d.realm_id = ${realmId} and d.hook_realm_id = ${realmId} and d.state = 'failed'`
  return mergedPage(sql, source, types, [failed], page, byId)
}
