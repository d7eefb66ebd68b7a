import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { AccountAccess, ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { EventBody } from "../events/Endpoints.ts"
import { maybe, TimeT } from "../Wire.ts"

/** The time of the service, and the events that happened while it was advanced. */
export const ClockBody = Schema.Struct({
  object: Schema.Literal("clock"),
  now: Schema.Finite,
  events: Schema.optionalKey(Schema.Array(EventBody))
}).annotate({ identifier: "Clock" })

/** The clock of a service in test mode. `advance` is in seconds, `advance_to` a Unix timestamp. */
export class ClockV2 extends HttpApiGroup.make("v2.test")
  .add(
    HttpApiEndpoint.get("read", "/clock", { disableCodecs: true, success: ClockBody }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("advance", "/clock", {
      disableCodecs: true,
      payload: Schema.Struct({ advance: maybe(TimeT), advance_to: maybe(TimeT) }),
      success: ClockBody
    }).annotate(RequiredLevel, "admin_all_realms")
  )
  .prefix("/v2/test")
  .annotateEndpoints(Resource, "clock")
  .middleware(AccountAccess)
  .middleware(ErrorResponses) {}
