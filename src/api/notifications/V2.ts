import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { hookTypes } from "#domain/AppHook"
import { deliveryStates } from "#domain/Delivery"
import { AccountAccess, ErrorResponses, NullRealm, RequiredLevel, Resource, TenantAccess } from "../Access.ts"
import { describe, refer } from "../Description.ts"
import { NotificationBody } from "../events/V2.ts"
import { Choice, listOf, pageQuery, realmQuery } from "../Wire.ts"

const itemFields = {
  ...NotificationBody.fields,
  realm_id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the event's realm; null for events of hooks and API keys for all realms."
  ),
  event_id: describe(Schema.String, "The event's ID."),
  event_type: refer(Schema.String, "EventType"),
  event_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, at which the event happened.")
}

/** A notification in a list. */
export const NotificationItem = Schema.Struct(itemFields).annotate({ identifier: "NotificationItem" })

/** The request sent to a webhook, without its signature. */
const WebhookRequest = Schema.Struct({
  method: describe(Schema.Literal("POST"), "The method: always `POST`."),
  url: describe(Schema.String, "The hook's destination."),
  headers: describe(
    Schema.Record(Schema.String, Schema.String),
    "The headers, without `webhook-signature`. `webhook-timestamp` is the time of this response."
  ),
  body: describe(
    Schema.String,
    "The body, as JSON with the names of the hook's version. The event's token is null for keys below level `write`, or if it can no longer be used."
  )
}).annotate({ identifier: "WebhookRequest" })

/** A complete notification, with the request that was sent. */
export const NotificationWithRequest = Schema.Struct({
  ...itemFields,
  request: describe(
    Schema.NullOr(WebhookRequest),
    "The request that an attempt would send now, with the hook's current settings. Null for an email hook; `POST /v2/hooks/preview` shows its email."
  )
}).annotate({ identifier: "NotificationWithRequest" })

const { after, max_results, direction } = pageQuery(["id"])
const page = { after, max_results, direction, ...realmQuery }

/** Notifications of `/v2`: the deliveries of events to hooks (C35, C205). */
export class NotificationsV2 extends HttpApiGroup.make("v2.notifications")
  .add(
    HttpApiEndpoint.get("list", "/v2/notifications", {
      disableCodecs: true,
      query: {
        ...page,
        state: Schema.optionalKey(Choice(["failed"])),
        hook_type: Schema.optionalKey(Choice(hookTypes))
      },
      success: listOf(NotificationItem)
    }).middleware(TenantAccess),
    HttpApiEndpoint.get("listOfHook", "/v2/hooks/:hook_id/notifications", {
      disableCodecs: true,
      params: { hook_id: Schema.String },
      query: { ...page, state: Schema.optionalKey(Choice(deliveryStates)) },
      success: listOf(NotificationItem)
    })
      .middleware(AccountAccess)
      .annotate(NullRealm, true),
    HttpApiEndpoint.get("get", "/v2/hooks/:hook_id/notifications/:notification_id", {
      disableCodecs: true,
      params: { hook_id: Schema.String, notification_id: Schema.String },
      success: NotificationWithRequest
    })
      .middleware(AccountAccess)
      .annotate(NullRealm, true)
  )
  .annotateEndpoints(RequiredLevel, "read")
  .annotateEndpoints(Resource, "notification")
  .middleware(ErrorResponses) {}
