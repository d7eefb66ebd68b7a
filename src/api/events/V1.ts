import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ErrorResponses, RequiredLevel, Resource, TenantAccess } from "../Access.ts"
import { listOf, realmQuery } from "../Wire.ts"
import { EventBody, eventsQuery, getEvent } from "./Endpoints.ts"

const listEvents = HttpApiEndpoint.get("list", "/", {
  disableCodecs: true,
  query: eventsQuery,
  success: listOf(EventBody)
}).annotate(RequiredLevel, "read")

/** Events of `/v1`, with the names of that version (C16, C35). */
export class EventsV1 extends HttpApiGroup.make("v1.events")
  .add(listEvents, getEvent(EventBody, realmQuery))
  .prefix("/v1/events")
  .annotateEndpoints(Resource, "event")
  .middleware(TenantAccess)
  .middleware(ErrorResponses) {}
