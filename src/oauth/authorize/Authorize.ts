import { Effect } from "effect"
import { Issuer } from "#core/keys/Issuer"
import { AuthorizationRequests } from "#core/oauth/AuthorizationRequests"
import { ClientDocuments } from "#core/oauth/ClientDocuments"
import { paramsIn } from "#domain/oauth/AuthorizationParams"
import type { AuthorizationRefused } from "#domain/oauth/AuthorizationRequest"
import { authorizationResponse } from "#domain/oauth/AuthorizationResponse"
import { oauthErrorOf, oauthRefused } from "#domain/oauth/OAuthProblem"
import type { OAuthHandler, OAuthRequest } from "../Endpoint.ts"
import { openRequestLimiter, redirectToPages } from "../Endpoint.ts"
import { HtmlResponse } from "../HtmlResponse.ts"
import { formText, queryText } from "../Params.ts"

/** The authorization endpoint (RFC 6749 §3.1). It stores the request and redirects to the login app's pages. */
export const authorizeEndpoint = Effect.gen(function* () {
  const count = yield* openRequestLimiter
  const documents = yield* ClientDocuments
  const issuer = yield* Issuer
  const pages = yield* HtmlResponse
  const requests = yield* AuthorizationRequests

  const refusedResponse = ({ http, realm }: OAuthRequest, refused: AuthorizationRefused) => {
    const { reason, target } = refused
    if (target === null) return pages.refused(http, realm, refused)
    const { error, description } = oauthErrorOf(oauthRefused(reason))
    const answer = { error, error_description: description }
    return pages.respond(http, realm, authorizationResponse(issuer.of(realm.id), target, answer))
  }

  const handler: OAuthHandler = (request) => {
    const { http, realm, client } = request
    return Effect.gen(function* () {
      yield* count(request)
      const text = http.method === "POST" ? yield* formText(http) : queryText(http)
      const params = new URLSearchParams(text)
      yield* documents.refresh(params.get("client_id") ?? undefined, client)
      const location = yield* requests.begin(paramsIn(params))
      return redirectToPages(location)
    }).pipe(
      Effect.catchTags({
        OAuthRefused: (refused) => Effect.succeed(pages.refused(http, realm, refused)),
        RateLimited: ({ retryAfterSeconds }) => Effect.succeed(pages.limited(http, realm, retryAfterSeconds)),
        AuthorizationRefused: (refused) => Effect.succeed(refusedResponse(request, refused))
      })
    )
  }
  return handler
})
