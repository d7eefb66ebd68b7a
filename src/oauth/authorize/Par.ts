import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { AuthorizationRequests } from "#core/oauth/AuthorizationRequests"
import { sentParams } from "#domain/AuthorizationParams"
import { isConfidential } from "#domain/OAuthClient"
import { oauthRefused } from "#domain/OAuthProblem"
import { type ClientRequest, clientEndpoints } from "../ClientEndpoint.ts"
import { noStore } from "../Errors.ts"
import { openRequests } from "../OpenRequests.ts"
import { formText } from "../Params.ts"

/** The endpoint where clients push their authorization requests (RFC 9126). What is wrong with one is told as everywhere, in JSON. */
export const parEndpoint = Effect.gen(function* () {
  const clientEndpoint = yield* clientEndpoints
  const count = yield* openRequests
  const requests = yield* AuthorizationRequests

  const push = Effect.fnUntraced(function* (request: ClientRequest) {
    const { http, oauthClient } = request
    if (!isConfidential(oauthClient)) yield* count(request)
    // A client that authenticates by its header need not name itself in the form, too (RFC 9126 §2.1).
    const sent = { client_id: [oauthClient.id], ...sentParams(new URLSearchParams(yield* formText(http))) }
    const { requestUri, expiresIn } = yield* requests
      .push(oauthClient, sent)
      .pipe(Effect.catchTag("AuthorizationRefused", ({ reason }) => Effect.fail(oauthRefused(reason))))
    return HttpServerResponse.jsonUnsafe(
      { request_uri: requestUri, expires_in: expiresIn },
      { status: 201, headers: noStore }
    )
  })

  return clientEndpoint(push)
})
