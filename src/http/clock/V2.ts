import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { TestApi } from "#api/clock/Api"
import { Caller } from "#domain/Caller"
import { type Problem, problem } from "#domain/Rejected"
import { secondsOfStep } from "#domain/TestClock"
import { CurrentRequestContext } from "#platform/RequestContext"
import { TestClock } from "#platform/TestClock"
import { AccessLayer } from "../Access.ts"
import { ErrorResponsesLayer } from "../ErrorResponses.ts"
import { invalid, methodNotAllowed, wireErrors } from "../Errors.ts"
import { eventBody } from "../events/Bodies.ts"
import { handlerGroup } from "../RequestServices.ts"
import { timeT, utcFromTimeT } from "../WireMapping.ts"

const PATH = "/v2/test/clock"

/** Members accepted in every body (C4, C8). */
const anywhere: ReadonlySet<string> = new Set(["realm_id", "request"])

/** Limits for reports of unknown members: their number, and the length of each reported name in characters. */
const MAX_REPORTED = 20
const MAX_NAME_LENGTH = 64

/** Returns the problems for members that the clock endpoint does not know. */
const unknownMembers = (others: object): Array<Problem> =>
  Object.keys(others)
    .filter((member) => !anywhere.has(member))
    .slice(0, MAX_REPORTED)
    .map((name) => {
      const member = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
      return problem(member, "unknown_step", { member })
    })

const refused = (method: "PUT" | "PATCH" | "DELETE") =>
  HttpRouter.add(
    method,
    PATH,
    Effect.map(CurrentRequestContext, (context) => methodNotAllowed(method, ["GET", "HEAD", "POST"], context))
  )

/** Rejects the methods that the clock endpoint does not support. */
const otherMethods = Layer.mergeAll(refused("PUT"), refused("PATCH"), refused("DELETE"))

const handlers = handlerGroup(
  TestApi,
  "v2.test",
  Effect.fn(function* (handlers) {
    const time = yield* TestClock
    const { ClockBackwards, AlreadyAdvancing } = wireErrors

    return handlers.handleAll({
      read: () => Effect.map(time.now, (now) => ({ object: "clock" as const, now: timeT(now) })),
      advance: ({ payload: { advance, advance_to, ...others } }) =>
        Effect.gen(function* () {
          const by = advance ?? undefined
          const to = advance_to ?? undefined
          const problems = unknownMembers(others)
          if (by !== undefined && to !== undefined) problems.push(problem("advance_to", "advance_and_to"))
          if (by === undefined && to === undefined && problems.length === 0)
            problems.push(problem("advance", "advance_or_to"))
          if (problems.length > 0) return yield* invalid(problems)
          const events = yield* to === undefined
            ? time.advanceBy(secondsOfStep(by ?? 0) ?? 0)
            : time.advanceTo(utcFromTimeT(to))
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
  Layer.provide([AccessLayer, ErrorResponsesLayer]),
  Layer.merge(otherMethods)
)
