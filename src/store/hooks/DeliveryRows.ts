import type { HookType } from "#domain/AppHook"
import type { Delivery, DeliveryState } from "#domain/Delivery"
import type { EventId, HookId, NotificationId, RealmId } from "#domain/Ids"
import type { Locale } from "#domain/Locale"
import { date, utc, utcOrNull } from "../statements/Rows.ts"
import { realmOrNull, storedRealm } from "./AppHookRows.ts"

/** A row of a delivery. */
export interface DeliveryRow {
  readonly realm_id: RealmId
  readonly id: NotificationId
  readonly event_id: EventId
  readonly hook_realm_id: RealmId
  readonly hook_id: HookId
  readonly hook_type: HookType
  readonly state: DeliveryState
  readonly attempts: number
  readonly created_at: Date
  readonly due_at: Date
  readonly addressed_to: string | null
  readonly language: Locale | null
  readonly last_attempt_at: Date | null
  readonly last_destination: string | null
  readonly last_result: string | null
}

/** Converts a row to a delivery. */
export const deliveryFromRow = (row: DeliveryRow): Delivery => ({
  id: row.id,
  realmId: row.realm_id,
  eventId: row.event_id,
  hookId: row.hook_id,
  hookRealmId: realmOrNull(row.hook_realm_id),
  hookType: row.hook_type,
  state: row.state,
  attempts: row.attempts,
  createdAt: utc(row.created_at),
  dueAt: utc(row.due_at),
  addressedTo: row.addressed_to,
  language: row.language,
  lastAttemptAt: utcOrNull(row.last_attempt_at),
  lastDestination: row.last_destination,
  lastResult: row.last_result
})

/** A new delivery's columns, except its realm, as a JSON object. */
export const newDeliveryRow = (delivery: Delivery) => ({
  id: delivery.id,
  event_id: delivery.eventId,
  hook_realm_id: storedRealm(delivery.hookRealmId),
  hook_id: delivery.hookId,
  hook_type: delivery.hookType,
  state: delivery.state,
  attempts: delivery.attempts,
  created_at: date(delivery.createdAt),
  due_at: date(delivery.dueAt),
  addressed_to: delivery.addressedTo,
  language: delivery.language
})
