import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { RequestOrigin, userAgentOf } from "#domain/Event"
import { type Client, ClientAddress } from "#platform/ClientAddress"

/** Finds the browsers that send requests to the console. */
export const browserOrigins = Effect.map(ClientAddress, (addresses) => {
  const clientOf = ({ peerAddress, headers }: HttpServerRequest.HttpServerRequest): Client =>
    addresses.of({ peer: Option.getOrUndefined(peerAddress), forwardedFor: headers["x-forwarded-for"] })
  const originOf = (request: HttpServerRequest.HttpServerRequest): RequestOrigin => ({
    ip: clientOf(request).ip,
    client: userAgentOf(request.headers["user-agent"])
  })
  return {
    clientOf,
    originOf,
    /** Runs a handler whose events record the browser. */
    withOrigin: <A, E, R>(handler: Effect.Effect<A, E, R>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.provideService(handler, RequestOrigin, originOf(request))
      )
  }
})
