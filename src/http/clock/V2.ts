import { DateTime, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { TestApi } from "#api/clock/Api"
import { Caller } from "#domain/Caller"
import { problem } from "#domain/Rejected"
import { secondsOfStep } from "#domain/TestClock"
import { TestClock } from "#platform/TestClock"
import { AccessLayer } from "../Access.ts"
import { ErrorResponsesLayer } from "../ErrorResponses.ts"
import { invalid, wireErrors } from "../Errors.ts"
import { eventBody } from "../events/Bodies.ts"
import { handlerGroup } from "../RequestServices.ts"
import { timeT, utcFromTimeT } from "../WireMapping.ts"

const handlers = handlerGroup(
  TestApi,
  "v2.test",
  Effect.fn(function* (handlers) {
    const time = yield* TestClock
    const { ClockBackwards, AlreadyAdvancing } = wireErrors

    return handlers.handleAll({
      read: () => Effect.map(time.now, (now) => ({ object: "clock" as const, now: timeT(now) })),
      advance: ({ payload: { advance, advance_to } }) =>
        Effect.gen(function* () {
          const by = advance ?? undefined
          const to = advance_to ?? undefined
          if ((by === undefined) === (to === undefined)) return yield* invalid([problem("advance", "advance_or_to")])
          const seconds = secondsOfStep(by ?? 0) ?? 0
          const at = to === undefined ? DateTime.add(yield* time.now, { seconds }) : utcFromTimeT(to)
          const events = yield* time.advanceTo(at)
          const caller = yield* Caller
          return {
            object: "clock" as const,
            now: timeT(yield* time.now),
            events: events.map((event) => eventBody(event, "v2", caller))
          }
        }).pipe(Effect.catchTags({ ClockBackwards, AlreadyAdvancing }))
    })
  })
)

/** `/v2/test/clock`, in test mode only. */
export const TestClockRoutes = HttpApiBuilder.layer(TestApi).pipe(
  Layer.provide(handlers),
  Layer.provide([AccessLayer, ErrorResponsesLayer])
)
