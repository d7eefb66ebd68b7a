import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { RateLimits } from "#core/limits/RateLimits"
import { LogoutRequests } from "#core/oauth/LogoutRequests"
import type { OAuthHandler } from "../Endpoint.ts"
import { ErrorPage } from "../ErrorPage.ts"
import { noStore } from "../Errors.ts"
import { formParams, queryParams } from "../Params.ts"

/** The answer to a browser that goes on to the pages: with GET, whatever it came with, and without telling where from. */
const onward = { ...noStore, "referrer-policy": "no-referrer" }

/**
 * The end session endpoint (OpenID Connect RP-Initiated Logout): takes in a request and leads on to the pages of the login app, where
 * the browser is logged in.
 */
export const endSessionEndpoint = Effect.gen(function* () {
  const pages = yield* ErrorPage
  const rateLimits = yield* RateLimits
  const requests = yield* LogoutRequests

  const handler: OAuthHandler = ({ http, realm, client }) =>
    Effect.gen(function* () {
      yield* rateLimits.take("oauth", `${realm.id} end_session ${client.key}`, realm.limits)
      const params = yield* http.method === "POST" ? formParams(http) : queryParams(http)
      const location = yield* requests.begin(params)
      return HttpServerResponse.redirect(location, { status: 303, headers: onward })
    }).pipe(
      Effect.catchTags({
        OAuthRefused: ({ reason }) => Effect.succeed(pages.refused(http, realm, reason)),
        RateLimited: ({ retryAfterSeconds }) => Effect.succeed(pages.limited(http, realm, retryAfterSeconds))
      })
    )
  return handler
})
