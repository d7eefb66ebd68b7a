import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { AccountAccess } from "#api/Access"
import { MailboxAccess } from "#api/mailbox/Access"
import { isLocalRequest } from "../LocalRequest.ts"
import { queryParameters, requireKnown } from "../QueryParameters.ts"

/** Restricts the mailbox to callers on the service's own machine and to keys of the endpoint's level. */
export const MailboxAccessLayer = Layer.effect(
  MailboxAccess,
  Effect.map(AccountAccess, (account): MailboxAccess["Service"] => (handler, options) => {
    const parameters = queryParameters(options.endpoint)
    const local = Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) =>
      Effect.andThen(requireKnown(parameters, parameters.unknownIn(query)), handler)
    )
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ peerAddress, headers }) =>
      isLocalRequest(Option.getOrUndefined(peerAddress), headers) ? local : account(handler, options)
    )
  })
)
