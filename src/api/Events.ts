import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { Answer, RequiredLevel, Resource, TenantAccess } from "./Access.ts"
import { inRealm, listOf, paging, Several, Text, TimeNumeral } from "./Wire.ts"

const MaybeId = Schema.optionalKey(Schema.String)

/** An event, with the id of each related resource (decision 35). */
export const EventBody = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("event"),
  event_type: Schema.String,
  event_at: Schema.Finite,
  realm_id: Schema.String,
  user_id: MaybeId,
  org_id: MaybeId,
  membership_id: MaybeId,
  invitation_id: MaybeId,
  session_id: MaybeId,
  auth_provider_id: MaybeId,
  token: Schema.optionalKey(Schema.NullOr(Schema.String)),
  request: Schema.Struct({ ip: Schema.NullOr(Schema.String), client: Schema.NullOr(Schema.String) })
}).annotate({ identifier: "Event" })

const id = Schema.optionalKey(Text())

/** The journal, read under either version with its own names (decisions 16, 35). */
const events = <const Version extends "v1" | "v2">(version: Version) =>
  HttpApiGroup.make(`${version}.events`)
    .add(
      HttpApiEndpoint.get("list", "/", {
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
          auth_provider_id: id
        },
        success: listOf(EventBody)
      }).annotate(RequiredLevel, "read"),
      HttpApiEndpoint.get("get", "/:event_id", {
        disableCodecs: true,
        params: { event_id: Schema.String },
        query: inRealm,
        success: EventBody
      }).annotate(RequiredLevel, "read")
    )
    .prefix(`/${version}/events`)
    .annotateEndpoints(Resource, "event")
    .middleware(TenantAccess)
    .middleware(Answer)

export const EventsV1 = events("v1")
export const EventsV2 = events("v2")
