import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { LogoutRequests } from "#core/oauth/LogoutRequests"
import type { OAuthHandler } from "../Endpoint.ts"
import { openRequests } from "../Endpoint.ts"
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
  const count = yield* openRequests
  const pages = yield* ErrorPage
  const requests = yield* LogoutRequests

  const handler: OAuthHandler = (request) => {
    const { http, realm } = request
    return Effect.gen(function* () {
      yield* count(request)
      const params = yield* http.method === "POST" ? formParams(http) : queryParams(http)
      const location = yield* requests.begin(params)
      return HttpServerResponse.redirect(location, { status: 303, headers: onward })
    }).pipe(
      Effect.catchTags({
        OAuthRefused: (refused) => Effect.succeed(pages.refused(http, realm, refused)),
        RateLimited: ({ retryAfterSeconds }) => Effect.succeed(pages.limited(http, realm, retryAfterSeconds))
      })
    )
  }
  return handler
})
