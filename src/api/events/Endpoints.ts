import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { RequiredLevel } from "../Access.ts"
import { listOf, MaybeText, pageQuery, QueryList, QueryTime, realmQuery, Text } from "../Wire.ts"

const MaybeId = Schema.optionalKey(Schema.String)

/** What every event shows. */
export const eventFields = {
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

/** An event, with the id of each related resource (C35). */
export const EventBody = Schema.Struct(eventFields).annotate({ identifier: "Event" })

const id = Schema.optionalKey(Text())

/** The list of events: both versions have the same. */
export const listEvents = HttpApiEndpoint.get("list", "/", {
  disableCodecs: true,
  query: {
    ...pageQuery(["id"]),
    event_type: Schema.optionalKey(QueryList),
    created_at_after: Schema.optionalKey(QueryTime),
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

export const path = { event_id: Schema.String }

/** The read of one event, as a version shows it. */
export const getEvent = <Body extends Schema.Top>(body: Body) =>
  HttpApiEndpoint.get("get", "/:event_id", {
    disableCodecs: true,
    params: path,
    query: realmQuery,
    success: body
  }).annotate(RequiredLevel, "read")
