import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { hookTypes } from "#domain/AppHook"
import { deliveryStates } from "#domain/Delivery"
import { NullRealm, RequiredLevel, Resource, requireTenantAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { EmptyBody, expandQuery, listOf, MaybeText, MaybeTime, realmQuery } from "../Wire.ts"
import { eventFields, eventsQuery, getEvent, path } from "./Endpoints.ts"

/** The delivery of an event to a hook (C35). */
export const NotificationBody = Schema.Struct({
  id: describe(
    Schema.String,
    "The notification's ID, which begins with `ent_`. It is also the `webhook-id` of the requests."
  ),
  object: objectType("notification"),
  state: describe(
    Schema.Literals(deliveryStates),
    "The state of the delivery: waiting for its first or next attempt (`in_progress`), delivered (`completed`), failed permanently after nine attempts (`failed`), or canceled (`canceled`)."
  ),
  attempts: describe(Schema.Finite, "The number of attempts so far.", { type: "integer" }),
  next_attempt_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, of the earliest next attempt, after the hook's `delay`, the wait after a failure, or an email limit. During an attempt, the time at which the attempt counts as lost. Null unless `in_progress`."
  ),
  hook_id: describe(Schema.String, "The hook's ID."),
  hook_type: describe(
    Schema.String,
    "The type of the hook, which sends either requests (`webhook`) or emails (`email`).",
    {
      enum: hookTypes
    }
  ),
  last_attempt_at: describe(
    MaybeTime,
    "Unix time in seconds, with up to three decimals, of the last attempt; null if there was none."
  ),
  last_destination: describe(MaybeText, "The URL or address of the last attempt; null if there was none."),
  last_result: describe(
    MaybeText,
    "The result of the last attempt: the response's status and the first 1 KB of its body, or a sentence. Null if there was none."
  )
}).annotate({ identifier: "Notification" })

const notifications = Schema.Array(NotificationBody)

const notificationsText =
  "The deliveries of the event to hooks. Deliveries to hooks for all realms are only included for keys of level `admin_all_realms`."

const displayNames = {
  display_names: describe(
    Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    "The current names of the event's resources and actor, by ID: of users, orgs and apps their name, of invitations the email, of webhooks the destination. Deleted resources have none. Names of API keys are only included for keys of level `admin_realm`. Only with `expand=display_names`."
  )
}

/** A complete event of `/v2`, with its notifications. */
export const EventWithNotifications = Schema.Struct({
  ...eventFields,
  ...displayNames,
  notifications: describe(notifications, notificationsText)
}).annotate({ identifier: "EventWithNotifications" })

/** An event in a list of `/v2`. */
export const EventItem = Schema.Struct({
  ...eventFields,
  ...displayNames,
  notifications: describe(Schema.optionalKey(notifications), `${notificationsText} Only with \`expand=notifications\`.`)
}).annotate({ identifier: "EventItem" })

const listEvents = HttpApiEndpoint.get("list", "/", {
  disableCodecs: true,
  query: { ...eventsQuery, ...expandQuery("notifications", "display_names") },
  success: listOf(EventItem)
})
  .annotate(RequiredLevel, "read")
  .annotate(NullRealm, true)

const notification = <const Operation extends "retry" | "cancel">(operation: Operation) =>
  HttpApiEndpoint.post(operation, `/:event_id/notifications/:notification_id/${operation}`, {
    disableCodecs: true,
    params: { ...path, notification_id: Schema.String },
    payload: EmptyBody,
    success: NotificationBody
  }).annotate(RequiredLevel, "admin_realm")

/** Events of `/v2` and their notifications, with the names of that version (C16, C35, C37). */
export class EventsV2 extends HttpApiGroup.make("v2.events")
  .add(
    listEvents,
    getEvent(EventWithNotifications, { ...realmQuery, ...expandQuery("notifications", "display_names") }).annotate(
      NullRealm,
      true
    ),
    notification("retry"),
    notification("cancel")
  )
  .prefix("/v2/events")
  .annotateEndpoints(Resource, "event")
  .pipe(requireTenantAccess) {}
