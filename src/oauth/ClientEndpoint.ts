import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { ActiveClients } from "#core/oauth/ActiveClients"
import { ClientAuthentication } from "#core/oauth/ClientAuthentication"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { identifyClient } from "#domain/EventActor"
import type { RateLimited } from "#domain/Limit"
import { type OAuthRefused, oauthErrorOf } from "#domain/oauth/OAuthProblem"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { clientOrigin, preflight } from "./Cors.ts"
import type { OAuthHandler, OAuthRequest } from "./Endpoint.ts"
import { rateLimitedResponse, refusalResponse } from "./Errors.ts"
import { formParams, type OAuthParams } from "./Params.ts"

type HttpResponse = HttpServerResponse.HttpServerResponse

/** A back-channel request of an authenticated client. */
export interface ClientRequest extends OAuthRequest {
  readonly params: OAuthParams
  readonly oauthClient: OAuthClient
}

export type ClientHandler = (
  request: ClientRequest
) => Effect.Effect<HttpResponse, OAuthRefused | RateLimited | RealmNotFound, CurrentRealm>

/** Returns a challenge with the client's scheme if the client failed to authenticate in the header (RFC 6749 §5.2). */
const challengeFor = (refused: OAuthRefused, authorization: string | undefined, issuer: string) =>
  oauthErrorOf(refused).error === "invalid_client" && authorization !== undefined
    ? { "www-authenticate": `Basic realm="${issuer}", charset="UTF-8"` }
    : {}

/**
 * Builds the handlers of back-channel endpoints. A handler reads the form, authenticates the client and acts on its behalf. It
 * also allows the pages of browser-based clients to read the response.
 */
export const clientEndpoints = Effect.gen(function* () {
  const authentication = yield* ClientAuthentication
  const clients = yield* ActiveClients

  /** The CORS headers that allow a client's page to read the response, whether the request succeeds or fails. */
  const originHeaders = (params: OAuthParams, origin: string | undefined) =>
    origin === undefined
      ? Effect.succeed({})
      : Effect.map(
          Effect.catch(clients.find(params.get("client_id") ?? ""), () => Effect.succeed(undefined)),
          (found) => clientOrigin(found, origin)
        )

  return (handler: ClientHandler): OAuthHandler =>
    Effect.fnUntraced(function* (request: OAuthRequest) {
      const { http, realm, client } = request
      if (http.method === "OPTIONS") return preflight("POST")
      const params = yield* formParams(http)
      const { authorization, origin } = http.headers
      const headers = yield* originHeaders(params, origin)
      return yield* authentication.authenticate({ authorization, params, client }).pipe(
        Effect.tap(({ id }) => identifyClient(id)),
        Effect.flatMap((oauthClient) => handler({ ...request, params, oauthClient })),
        Effect.map((response) => HttpServerResponse.setHeaders(response, headers)),
        Effect.catchTags({
          OAuthRefused: (refused) =>
            Effect.succeed(refusalResponse(refused, { ...headers, ...challengeFor(refused, authorization, realm.id) })),
          RateLimited: (limited) => Effect.succeed(rateLimitedResponse(limited, headers))
        })
      )
    })
})
