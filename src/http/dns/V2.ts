import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { DnsApi } from "#api/dns/Api"
import { MAX_RECORDS } from "#domain/DnsAnswer"
import { MAX_DNS_NAMES } from "#domain/DnsPlan"
import { problem } from "#domain/Rejected"
import { CurrentRequestContext } from "#platform/RequestContext"
import { TestDns } from "#platform/TestDns"
import { AccessLayer } from "../Access.ts"
import { ErrorResponsesLayer } from "../ErrorResponses.ts"
import { invalid, methodNotAllowed } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { unknownMembers } from "../UnknownMembers.ts"

const PATH = "/v2/test/dns"

const members = ["name", "txt", "failure"]

const refused = (method: "POST" | "PATCH") =>
  HttpRouter.add(
    method,
    PATH,
    Effect.map(CurrentRequestContext, (context) => methodNotAllowed(method, ["GET", "HEAD", "PUT", "DELETE"], context))
  )

const handlers = handlerGroup(
  DnsApi,
  "v2.test_dns",
  Effect.fn(function* (handlers) {
    const plan = yield* TestDns
    const body = () => ({ object: "dns" as const, records: plan.entries })

    return handlers.handleAll({
      read: () => Effect.sync(body),
      set: ({ payload: { name, txt, failure, ...others } }) =>
        Effect.gen(function* () {
          const problems = [...unknownMembers(others, members)]
          if (name.trim() === "") problems.push(problem("name", "blank"))
          if ((txt?.length ?? 0) > MAX_RECORDS) problems.push(problem("txt", "too_many", { most: MAX_RECORDS }))
          if (problems.length > 0) return yield* invalid(problems)
          if (plan.set(name.trim(), txt ?? [], failure ?? null)) return body()
          return yield* invalid([problem("name", "too_many", { most: MAX_DNS_NAMES })])
        }),
      clear: () => Effect.sync(() => plan.clear())
    })
  })
)

/** `/v2/test/dns`, in test mode only. */
export const DnsRoutes = HttpApiBuilder.layer(DnsApi).pipe(
  Layer.provide(handlers),
  Layer.provide([AccessLayer, ErrorResponsesLayer]),
  Layer.merge(Layer.mergeAll(refused("POST"), refused("PATCH")))
)
