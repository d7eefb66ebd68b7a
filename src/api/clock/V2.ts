import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { isStepBack, MAX_STEP_SECONDS, STEP, secondsOfStep } from "#domain/TestClock"
import { AccountAccess, ErrorResponses, RequiredLevel, Resource } from "../Access.ts"
import { describe, KEYWORDS, objectType } from "../Description.ts"
import { EventBody } from "../events/Endpoints.ts"
import { maybe, TimeT } from "../Wire.ts"

/** The service's time, and the events recorded while the clock was advanced. */
export const ClockBody = Schema.Struct({
  object: objectType("clock"),
  now: describe(Schema.Finite, "The time of the service: Unix time in seconds, with up to three decimals."),
  events: describe(
    Schema.optionalKey(Schema.Array(EventBody)),
    "The events recorded while the clock was advanced, in order. Only in the response to advancing it."
  )
}).annotate({ identifier: "Clock" })

/** The duration by which to advance the clock. */
const Step = Schema.Union([Schema.Finite, Schema.String])
  .annotate({
    problem: { code: "not_step" },
    [KEYWORDS]: {
      anyOf: [
        { type: "number", minimum: 0, maximum: MAX_STEP_SECONDS },
        { type: "string", pattern: STEP.source }
      ]
    }
  })
  .check(
    Schema.makeFilter((step) => !isStepBack(step), { problem: { code: "clock_backwards" } }),
    Schema.makeFilter((step) => isStepBack(step) || secondsOfStep(step) !== undefined, {
      problem: { code: "not_step" }
    })
  )

/** The duration by which to advance the clock, or the time to set it to. Other members are reported as unknown. */
const Advance = Schema.StructWithRest(
  Schema.Struct({
    advance: describe(
      maybe(Step),
      'How far to advance the clock: a number of seconds, or text such as "30 days" (seconds, minutes, hours, days or weeks). At most 100 years.'
    ),
    advance_to: describe(maybe(TimeT), "The time to advance it to: Unix time in seconds, not before the current one.")
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

/** The clock in test mode. */
export class ClockV2 extends HttpApiGroup.make("v2.test")
  .add(
    HttpApiEndpoint.get("read", "/clock", { disableCodecs: true, success: ClockBody }).annotate(RequiredLevel, "read"),
    HttpApiEndpoint.post("advance", "/clock", {
      disableCodecs: true,
      payload: Advance,
      success: ClockBody
    }).annotate(RequiredLevel, "admin_all_realms")
  )
  .prefix("/v2/test")
  .annotateEndpoints(Resource, "clock")
  .middleware(AccountAccess)
  .middleware(ErrorResponses) {}
