import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { deliveryStates } from "#domain/Delivery"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { beside, MaybeText, MaybeTime } from "../Wire.ts"
import { eventFields, getEvent, listEvents, path } from "./Endpoints.ts"

/** What was, or is to be, delivered of an event to a hook (decision 35). */
export const NotificationBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("notification"),
  state: Schema.Literals(deliveryStates),
  attempts: Schema.Finite,
  hook_id: Schema.String,
  hook_type: Schema.String,
  last_attempt_at: MaybeTime,
  last_destination: MaybeText,
  last_result: MaybeText
}).annotate({ identifier: "Notification" })

/** The same with what was made of it for hooks: a single read under `/v2`. */
export const EventWithNotifications = Schema.Struct({
  ...eventFields,
  notifications: Schema.Array(NotificationBody)
}).annotate({ identifier: "EventWithNotifications" })

const notification = <const Operation extends "retry" | "cancel">(operation: Operation) =>
  HttpApiEndpoint.post(operation, `/:event_id/notifications/:notification_id/${operation}`, {
    disableCodecs: true,
    params: { ...path, notification_id: Schema.String },
    payload: Schema.Struct(beside),
    success: NotificationBody
  }).annotate(RequiredLevel, "admin_realm")

/** The journal under v2's names, and what hooks get of it (decisions 16, 35, 37). */
export class EventsV2 extends HttpApiGroup.make("v2.events")
  .add(listEvents, getEvent(EventWithNotifications), notification("retry"), notification("cancel"))
  .prefix("/v2/events")
  .annotateEndpoints(Resource, "event")
  .pipe(requireTenantAccess) {}
