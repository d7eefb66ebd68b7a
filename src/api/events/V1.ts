import { HttpApiGroup } from "effect/http-api"
import { Answer, Resource, TenantAccess } from "../Access.ts"
import { EventBody, getEvent, listEvents } from "./Endpoints.ts"

/** The journal under v1's names (decisions 16, 35). */
export class EventsV1 extends HttpApiGroup.make("v1.events")
  .add(listEvents, getEvent(EventBody))
  .prefix("/v1/events")
  .annotateEndpoints(Resource, "event")
  .middleware(TenantAccess)
  .middleware(Answer) {}
