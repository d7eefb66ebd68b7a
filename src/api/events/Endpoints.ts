import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { RequiredLevel } from "../Access.ts"
import { describe, objectType, refer } from "../Description.ts"
import { listOf, pageQuery, QueryList, QueryTime, RecordedRequest, realmQuery, Text } from "../Wire.ts"

/** The ID of a resource that the event is about. */
const related = (description: string) =>
  describe(Schema.optionalKey(Schema.String), `${description} Only if the event is about one.`)

/** What every event shows. */
export const eventFields = {
  id: describe(Schema.String, "The event's ID, which begins with `ev_`."),
  object: objectType("event"),
  event_type: refer(Schema.String, "EventType"),
  event_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, at which it happened."),
  realm_id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the realm in which it happened; null for hooks of all realms."
  ),
  user_id: related("The user's ID."),
  org_id: related("The org's ID."),
  membership_id: related("The membership's ID."),
  invitation_id: related("The invitation's ID."),
  session_id: related("The session's ID."),
  auth_provider_id: related("The auth provider's ID."),
  app_hook_id: related("The hook's ID, as `/v1` calls it."),
  hook_id: related("The hook's ID, as `/v2` calls it."),
  login_policy_id: related("The connected app's ID, as `/v1` calls it."),
  client_app_id: related("The connected app's ID, as `/v2` calls it."),
  token: describe(
    Schema.optionalKey(Schema.NullOr(Schema.String)),
    "The token that the event carries, for types that carry one. Null once it was used or has expired, or below level `write`."
  ),
  request: describe(RecordedRequest, "The request attributes of the request that caused the event.")
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
