import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { AccountAccess } from "#api/Access"
import { MailboxAccess } from "#api/mailbox/Access"
import { normalizeQuery } from "../Access.ts"
import { HeaderNames } from "../Authentication.ts"
import { ConsoleRequest } from "../ConsoleRequest.ts"
import { LocalRequests } from "../LocalRequest.ts"
import { queryParameters, requireKnown } from "../QueryParameters.ts"
import { readBody } from "../RequestBody.ts"

/**
 * Restricts the mailbox to callers on the service's own machine and to API keys of the endpoint's level. Callers on the
 * machine need no key, but if they send one, it must have that level too (C98, SEC-248).
 */
export const MailboxAccessLayer = Layer.effect(
  MailboxAccess,
  Effect.gen(function* () {
    const account = yield* AccountAccess
    const { apiKey } = yield* HeaderNames
    const { isLocal } = yield* LocalRequests
    return (handler, options) => {
      const parameters = queryParameters(options.endpoint)
      const local = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const sent = yield* HttpServerRequest.ParsedSearchParams
        yield* requireKnown(parameters, parameters.unknownIn(sent))
        const body = request.method === "DELETE" ? yield* readBody(request) : undefined
        const query = normalizeQuery(sent, body, request.method)
        return yield* Effect.updateContext(handler, (beneath: Context.Context<never>) =>
          Context.add(beneath, HttpServerRequest.ParsedSearchParams, query)
        )
      })
      return Effect.gen(function* () {
        const isFromConsole = (yield* ConsoleRequest) !== undefined
        const request = yield* HttpServerRequest.HttpServerRequest
        const { authorization = "", [apiKey]: named = "" } = request.headers
        const needsNoKey = !isFromConsole && authorization + named === "" && isLocal(request)
        return yield* needsNoKey ? local : account(handler, options)
      })
    }
  })
)
