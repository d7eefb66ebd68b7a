import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { deliveryStates } from "#domain/Delivery"
import { RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { EmptyBody, MaybeText, MaybeTime } from "../Wire.ts"
import { eventFields, getEvent, listEvents, path } from "./Endpoints.ts"

/** The delivery of an event to a hook (C35). */
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

/** An event with its notifications, as a single read of `/v2` shows it. */
export const EventWithNotifications = Schema.Struct({
  ...eventFields,
  notifications: Schema.Array(NotificationBody)
}).annotate({ identifier: "EventWithNotifications" })

const notification = <const Operation extends "retry" | "cancel">(operation: Operation) =>
  HttpApiEndpoint.post(operation, `/:event_id/notifications/:notification_id/${operation}`, {
    disableCodecs: true,
    params: { ...path, notification_id: Schema.String },
    payload: EmptyBody,
    success: NotificationBody
  }).annotate(RequiredLevel, "admin_realm")

/** Events of `/v2`, under the names of that version, and their notifications (C16, C35, C37). */
export class EventsV2 extends HttpApiGroup.make("v2.events")
  .add(listEvents, getEvent(EventWithNotifications), notification("retry"), notification("cancel"))
  .prefix("/v2/events")
  .annotateEndpoints(Resource, "event")
  .pipe(requireTenantAccess) {}
