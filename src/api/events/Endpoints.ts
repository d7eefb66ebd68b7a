import { Schema, Struct } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { domainProblems } from "#domain/DomainProof"
import { eventResults } from "#domain/Event"
import { actorTypes } from "#domain/EventActor"
import { loginFailures } from "#domain/LoginFailure"
import { loginMethods } from "#domain/LoginMethod"
import { operatorRoles } from "#domain/OperatorRole"
import { resettableResources } from "#domain/RealmReset"
import { sessionEnds } from "#domain/Session"
import { RequiredLevel } from "../Access.ts"
import { describe, objectType, refer } from "../Description.ts"
import { Choice, pageQuery, QueryList, QueryTime, RecordedRequest, Text } from "../Wire.ts"

/** The ID of a related resource. */
const related = (description: string) =>
  describe(Schema.optionalKey(Schema.String), `${description} Missing if the event is not about one.`)

/** The actor of an event. */
const Actor = Schema.Struct({
  type: describe(
    Schema.Literals(actorTypes),
    "The type of actor: an API key (`api_key`), an operator in the console (`operator`), a user who was logged in or authenticated in that request (`user`), an unidentified visitor on the pages of a connected app (`client_app`), or the service itself (`system`)."
  ),
  id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the key, operator, user or connected app, or the name of the background job, such as `ExpireMemberships`. Null for the pages of a realm without an app, and for the start of the service."
  ),
  email: describe(Schema.optionalKey(Schema.String), "Only for an operator: the email at the time of the event.")
}).annotate({ identifier: "EventActor" })

const count = (description: string) => describe(Schema.Finite, description, { type: "integer", minimum: 0 })

/** Formats a list of all reasons with their meanings. */
const reasonsText = (reasons: Readonly<Record<string, string>>): string =>
  Object.entries(reasons)
    .map(([reason, text]) => `${text} (\`${reason}\`)`)
    .join("; ")

/** The outcome of an import, with the numbers in the last line of its response. */
const ImportOutcome = Schema.Struct({
  complete: describe(
    Schema.Boolean,
    "Whether all rows were processed. If not, send the same rows again to continue the import."
  ),
  rows: count("The number of processed rows: the sum of the next four."),
  created: count("The number of users created."),
  updated: count("The number of users who were changed, or who got credentials or memberships."),
  unchanged: count("The number of users who already matched their rows."),
  refused: count("The number of rejected rows."),
  orgs_created: count("The number of orgs created.")
}).annotate({ identifier: "ImportOutcome" })

/** The operator that an event is about. */
const OperatorOfEvent = Schema.Struct({
  email: describe(Schema.String, "The operator's email."),
  role: describe(Schema.Literals(operatorRoles), "The operator's role."),
  realm_id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the realm that the operator is locked to; null for all realms."
  )
}).annotate({ identifier: "OperatorOfEvent" })

/** The domain that an event is about. */
const DomainOfEvent = Schema.Struct({
  id: describe(Schema.String, "The domain's ID."),
  name: describe(Schema.String, "The domain, in lower case and ASCII."),
  problem: describe(
    Schema.optionalKey(Schema.Literals(domainProblems)),
    "Only on `domain.check_failed` and `domain.lost`: the reason, as the `code` of the domain's `problem`."
  )
}).annotate({ identifier: "DomainOfEvent" })

/** The members that every event has. */
export const eventFields = {
  id: describe(Schema.String, "The event's ID, which begins with `ev_`."),
  object: objectType("event"),
  event_type: refer(Schema.String, "EventType"),
  event_at: describe(Schema.Finite, "Unix time in seconds, with up to three decimals, of the event."),
  realm_id: describe(
    Schema.NullOr(Schema.String),
    "The ID of the event's realm; null for events of hooks and API keys for all realms."
  ),
  user_id: related("The user's ID."),
  org_id: related("The org's ID."),
  membership_id: related("The membership's ID."),
  invitation_id: related("The invitation's ID."),
  session_id: related("The session's ID."),
  auth_provider_id: related("The auth provider's ID."),
  app_hook_id: related("The hook's ID, under its `/v1` name."),
  hook_id: related("The hook's ID, under its `/v2` name."),
  login_policy_id: related("The connected app's ID, under its `/v1` name."),
  client_app_id: related("The connected app's ID, under its `/v2` name."),
  api_key_id: related("The API key's ID."),
  actor: describe(Actor, "The actor who caused the event."),
  changed: describe(
    Schema.optionalKey(Schema.Array(Schema.String)),
    "The names of the changed members, in alphabetical order, without their values. Only on types that end in `.updated`; empty if the update changed nothing."
  ),
  reason: describe(
    Schema.optionalKey(
      Schema.Literals([
        ...Struct.keys(sessionEnds),
        ...Struct.keys(loginFailures).filter((reason) => reason !== "user_inactive")
      ])
    ),
    `On \`session.deleted\`: why the session was ended. It was ${reasonsText(sessionEnds)}. On \`user.login.failed\`: why the login failed: ${reasonsText(loginFailures)}.`
  ),
  methods: describe(
    Schema.optionalKey(Schema.Array(Schema.Literals(loginMethods))),
    "Only on `user.login.succeeded`: how the user logged in, in the order used, such as `password` and `totp`. `email` is an emailed code or link. External providers have their `provider_type`, or `external` if it is no longer known because a second factor was added to an earlier login. Missing on events of earlier releases."
  ),
  attempts: describe(
    Schema.optionalKey(Schema.Finite),
    "Only on `user.login.failed` events that are recorded once a minute, for example for a blocked user, for unknown names, or if this login method is turned off: the number of attempts within that minute.",
    { type: "integer", minimum: 1 }
  ),
  names: describe(
    Schema.optionalKey(Schema.Array(Schema.String)),
    "Only on `user.login.failed` for unknown names, if the realm has `record_unknown_names`: the first 20 of these names, as typed. Names are truncated to 200 characters, and control characters are replaced by spaces.",
    { maxItems: 20 }
  ),
  import: describe(Schema.optionalKey(ImportOutcome), "Only on `realm.imported`: the result of the import."),
  reset: describe(
    Schema.optionalKey(Schema.Array(Schema.Literals(resettableResources))),
    "Only on `realm.reset`: the kinds of resources to delete."
  ),
  operator: describe(
    Schema.optionalKey(OperatorOfEvent),
    "Only on `operator.*`: the operator after the change, or before the removal."
  ),
  domain: describe(Schema.optionalKey(DomainOfEvent), "Only on `domain.*`: the domain."),
  token: describe(
    Schema.optionalKey(Schema.NullOr(Schema.String)),
    "The token, for types that have one. Null if it was used or has expired, and for keys below level `write`."
  ),
  request: describe(RecordedRequest, "The request attributes of the request that caused the event.")
}

/** An event, with the IDs of its related resources (C35). */
export const EventBody = Schema.Struct(eventFields).annotate({ identifier: "Event" })

const id = Schema.optionalKey(Text())

/** The query parameters for listing events. */
export const eventsQuery = {
  ...pageQuery(["id"]),
  event_type: Schema.optionalKey(QueryList),
  created_at_after: Schema.optionalKey(QueryTime),
  created_at_before: Schema.optionalKey(QueryTime),
  result: Schema.optionalKey(Choice(eventResults)),
  request_ip: id,
  actor_id: id,
  changed: Schema.optionalKey(QueryList),
  user_id: id,
  org_id: id,
  membership_id: id,
  invitation_id: id,
  session_id: id,
  auth_provider_id: id,
  app_hook_id: id,
  hook_id: id,
  login_policy_id: id,
  client_app_id: id,
  api_key_id: id
}

export const path = { event_id: Schema.String }

/** The endpoint that returns one event. `query` contains its query parameters. */
export const getEvent = <Body extends Schema.Top, Query extends HttpApiEndpoint.QueryConstraint>(
  body: Body,
  query: Query
) =>
  HttpApiEndpoint.get("get", "/:event_id", {
    disableCodecs: true,
    params: path,
    query,
    success: body
  }).annotate(RequiredLevel, "read")
