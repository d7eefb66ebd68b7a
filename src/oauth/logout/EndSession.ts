import { Effect } from "effect"
import { LogoutRequests } from "#core/oauth/LogoutRequests"
import type { OAuthHandler } from "../Endpoint.ts"
import { openRequestLimiter, redirectToPages } from "../Endpoint.ts"
import { HtmlResponse } from "../HtmlResponse.ts"
import { formParams, queryParams } from "../Params.ts"

/**
 * The end session endpoint (OpenID Connect RP-Initiated Logout). It stores the logout request and redirects to the pages of
 * the login app, where the browser is logged in.
 */
export const endSessionEndpoint = Effect.gen(function* () {
  const count = yield* openRequestLimiter
  const pages = yield* HtmlResponse
  const requests = yield* LogoutRequests

  const handler: OAuthHandler = (request) => {
    const { http, realm } = request
    return Effect.gen(function* () {
      yield* count(request)
      const params = yield* http.method === "POST" ? formParams(http) : queryParams(http)
      const location = yield* requests.begin(params)
      return redirectToPages(location)
    }).pipe(
      Effect.catchTags({
        OAuthRefused: (refused) => Effect.succeed(pages.refused(http, realm, refused)),
        RateLimited: ({ retryAfterSeconds }) => Effect.succeed(pages.limited(http, realm, retryAfterSeconds))
      })
    )
  }
  return handler
})
