import { HttpApiGroup } from "effect/http-api"
import { ErrorResponses, Resource, TenantAccess } from "../Access.ts"
import { EventBody, getEvent, listEvents } from "./Endpoints.ts"

/** Events of `/v1`, under the names of that version (C16, C35). */
export class EventsV1 extends HttpApiGroup.make("v1.events")
  .add(listEvents, getEvent(EventBody))
  .prefix("/v1/events")
  .annotateEndpoints(Resource, "event")
  .middleware(TenantAccess)
  .middleware(ErrorResponses) {}
