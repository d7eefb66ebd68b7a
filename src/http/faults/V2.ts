import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { FaultsApi } from "#api/faults/Api"
import { Faults } from "#platform/Faults"
import { CurrentRequestContext } from "#platform/RequestContext"
import { AccessLayer } from "../Access.ts"
import { ErrorResponsesLayer } from "../ErrorResponses.ts"
import { invalid, methodNotAllowed } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { unknownMembers } from "../UnknownMembers.ts"

const PATH = "/v2/test/faults"

const members = ["fail", "times"]

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
          const problems = unknownMembers(others, members)
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
