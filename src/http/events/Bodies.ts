import type { EventBody } from "#api/events/Endpoints"
import type { NotificationBody } from "#api/events/V2"
import type { Caller } from "#domain/Caller"
import type { Delivery } from "#domain/Delivery"
import type { EventWithToken, Version } from "#domain/Event"
import { eventRecord } from "#domain/EventRecord"
import { allows } from "#domain/Level"
import { timeTOrNull } from "../WireMapping.ts"

/** An event as the caller may see it. Its token grants access, so reading it requires level `write` (C6). */
export const eventBody = (event: EventWithToken, version: Version, caller: Caller["Service"]): typeof EventBody.Type =>
  eventRecord(event, version, allows(caller.level, "write"))

/** The delivery of an event to one hook. */
export const notificationBody = (delivery: Delivery): typeof NotificationBody.Type => ({
  id: delivery.id,
  object: "notification",
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: timeTOrNull(delivery.state === "in_progress" ? delivery.dueAt : null),
  hook_id: delivery.hookId,
  hook_type: delivery.hookType,
  last_attempt_at: timeTOrNull(delivery.lastAttemptAt),
  last_destination: delivery.lastDestination,
  last_result: delivery.lastResult
})
