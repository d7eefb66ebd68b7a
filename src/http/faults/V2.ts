import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { FaultsApi } from "#api/faults/Api"
import { nearestName } from "#domain/NearestName"
import { type Problem, problem } from "#domain/Rejected"
import { Faults } from "#platform/Faults"
import { CurrentRequestContext } from "#platform/RequestContext"
import { AccessLayer } from "../Access.ts"
import { ErrorResponsesLayer } from "../ErrorResponses.ts"
import { invalid, methodNotAllowed } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"

const PATH = "/v2/test/faults"

const members = ["fail", "times"]

/** Members accepted in every body (C4, C8). */
const anywhere: ReadonlySet<string> = new Set(["realm_id", "request"])

/** Limits for reports of unknown members: their number, and the length of each reported name in characters. */
const MAX_REPORTED = 20
const MAX_NAME_LENGTH = 64

const unknownMembers = (others: object): ReadonlyArray<Problem> =>
  Object.keys(others)
    .filter((member) => !anywhere.has(member))
    .slice(0, MAX_REPORTED)
    .map((name) => {
      const member = name.slice(0, MAX_NAME_LENGTH).toWellFormed()
      const nearest = nearestName(name, members)
      const known = members.join(", ")
      return problem(member, "unknown_member", { member, known, ...(nearest === undefined ? {} : { nearest }) })
    })

const refused = (method: "PUT" | "PATCH") =>
  HttpRouter.add(
    method,
    PATH,
    Effect.map(CurrentRequestContext, (context) => methodNotAllowed(method, ["GET", "HEAD", "POST", "DELETE"], context))
  )

const handlers = handlerGroup(
  FaultsApi,
  "v2.test_faults",
  Effect.fn(function* (handlers) {
    const plan = yield* Faults
    const body = () => ({ object: "faults" as const, ...plan.pending })

    return handlers.handleAll({
      read: () => Effect.sync(body),
      fail: ({ payload: { fail, times, ...others } }) =>
        Effect.gen(function* () {
          const problems = unknownMembers(others)
          if (problems.length > 0) return yield* invalid(problems)
          plan.failNext(fail, times ?? 1)
          return body()
        }),
      clear: () => Effect.sync(() => plan.clear())
    })
  })
)

/** `/v2/test/faults`, in test mode only. */
export const FaultRoutes = HttpApiBuilder.layer(FaultsApi).pipe(
  Layer.provide(handlers),
  Layer.provide([AccessLayer, ErrorResponsesLayer]),
  Layer.merge(Layer.mergeAll(refused("PUT"), refused("PATCH")))
)
