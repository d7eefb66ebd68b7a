import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { AuthorizationRequests } from "#core/oauth/AuthorizationRequests"
import { ClientAuthentication } from "#core/oauth/ClientAuthentication"
import { sentParams } from "#domain/AuthorizationParams"
import { oauthRefused } from "#domain/OAuthProblem"
import type { OAuthHandler } from "../Endpoint.ts"
import { noStore } from "../Errors.ts"
import { formText, paramsOf } from "../Params.ts"

/** The endpoint where clients push their authorization requests (RFC 9126). What is wrong with one is told as everywhere, in JSON. */
export const parEndpoint = Effect.gen(function* () {
  const clients = yield* ClientAuthentication
  const requests = yield* AuthorizationRequests

  const handler: OAuthHandler = Effect.fnUntraced(function* ({ http, client }) {
    const form = new URLSearchParams(yield* formText(http))
    const params = yield* paramsOf(form)
    const authorization = http.headers["authorization"]
    const authenticated = yield* clients.authenticate({ authorization, params, client })
    // A client that authenticates by its header need not name itself in the form, too (RFC 9126 §2.1).
    const sent = { client_id: [authenticated.id], ...sentParams(form) }
    const { requestUri, expiresIn } = yield* requests
      .push(authenticated, sent)
      .pipe(Effect.catchTag("AuthorizationRefused", ({ reason }) => Effect.fail(oauthRefused(reason))))
    return HttpServerResponse.jsonUnsafe(
      { request_uri: requestUri, expires_in: expiresIn },
      { status: 201, headers: noStore }
    )
  })
  return handler
})
