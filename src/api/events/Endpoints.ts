import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { deliveryStates } from "#domain/Delivery"
import { Answer, RequiredLevel, Resource, requireTenantAccess, TenantAccess } from "../Access.ts"
import { beside, inRealm, listOf, MaybeTime, paging, Several, Text, TimeNumeral } from "../Wire.ts"

const MaybeId = Schema.optionalKey(Schema.String)

const MaybeText = Schema.NullOr(Schema.String)

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

const fields = {
  id: Schema.String,
  object: Schema.Literal("event"),
  event_type: Schema.String,
  event_at: Schema.Finite,
  realm_id: Schema.NullOr(Schema.String),
  user_id: MaybeId,
  org_id: MaybeId,
  membership_id: MaybeId,
  invitation_id: MaybeId,
  session_id: MaybeId,
  auth_provider_id: MaybeId,
  app_hook_id: MaybeId,
  hook_id: MaybeId,
  login_policy_id: MaybeId,
  client_app_id: MaybeId,
  token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  request: Schema.Struct({ ip: MaybeText, client: MaybeText })
}

/** An event, with the id of each related resource (decision 35). */
export const EventBody = Schema.Struct(fields).annotate({ identifier: "Event" })

/** The same with what was made of it for hooks: a single read under `/v2`. */
export const EventWithNotifications = Schema.Struct({
  ...fields,
  notifications: Schema.Array(NotificationBody)
}).annotate({ identifier: "EventWithNotifications" })

const id = Schema.optionalKey(Text())

const list = HttpApiEndpoint.get("list", "/", {
  disableCodecs: true,
  query: {
    ...paging(["id"]),
    event_type: Schema.optionalKey(Several),
    created_at_after: Schema.optionalKey(TimeNumeral),
    user_id: id,
    org_id: id,
    membership_id: id,
    invitation_id: id,
    session_id: id,
    auth_provider_id: id,
    app_hook_id: id,
    hook_id: id,
    login_policy_id: id,
    client_app_id: id
  },
  success: listOf(EventBody)
}).annotate(RequiredLevel, "read")

const path = { event_id: Schema.String }

const notification = <const Operation extends "retry" | "cancel">(operation: Operation) =>
  HttpApiEndpoint.post(operation, `/:event_id/notifications/:notification_id/${operation}`, {
    disableCodecs: true,
    params: { ...path, notification_id: Schema.String },
    payload: Schema.Struct(beside),
    success: NotificationBody
  }).annotate(RequiredLevel, "admin_realm")

/** The journal under v1's names (decisions 16, 35). */
export const EventsV1 = HttpApiGroup.make("v1.events")
  .add(
    list,
    HttpApiEndpoint.get("get", "/:event_id", {
      disableCodecs: true,
      params: path,
      query: inRealm,
      success: EventBody
    }).annotate(RequiredLevel, "read")
  )
  .prefix("/v1/events")
  .annotateEndpoints(Resource, "event")
  .middleware(TenantAccess)
  .middleware(Answer)

/** The journal under v2's names, and what hooks get of it (decisions 16, 35, 37). */
export const EventsV2 = HttpApiGroup.make("v2.events")
  .add(
    list,
    HttpApiEndpoint.get("get", "/:event_id", {
      disableCodecs: true,
      params: path,
      query: inRealm,
      success: EventWithNotifications
    }).annotate(RequiredLevel, "read"),
    notification("retry"),
    notification("cancel")
  )
  .prefix("/v2/events")
  .annotateEndpoints(Resource, "event")
  .pipe(requireTenantAccess)
