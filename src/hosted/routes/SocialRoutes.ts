import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest } from "effect/http"
import { type HostedPath, type SocialStep, socialPath, socialPaths } from "#domain/HostedPaths"
import { type SocialFailure, socialFailureView } from "../Errors.ts"
import { requireSameOrigin } from "../Form.ts"
import { dispatch } from "../HostedPage.ts"
import { withBackToApp } from "../markup/Links.ts"
import { pageResponse, unavailableResponse, viewResponse } from "../PageResponse.ts"
import { providerFailure } from "../pages/social/ProviderFailure.ts"
import { type SocialRequest, socialPages } from "../pages/social/SocialPages.ts"
import { rateLimiter } from "../RateLimit.ts"
import { requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "./BrowserRoutes.ts"

type Route = HostedPath & { readonly step: SocialStep }

/** The routes of logins with external providers, on the hosts of connected apps (`v1.hosted.social`). */
export const SocialRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { findApp } = yield* requestFinders
    const rateLimit = yield* rateLimiter
    const pages = yield* socialPages
    const showFailure = yield* providerFailure

    /** Only providers post to the callback, from their own sites. All other forms are on our own pages. */
    const beforeForm = (step: SocialStep) => (request: SocialRequest) =>
      step === "callback"
        ? Effect.void
        : Effect.andThen(requireSameOrigin(request.http, request.origin), rateLimit(request))

    const withFlow = (request: SocialRequest) => Effect.succeed(request)

    const find = Effect.fnUntraced(function* (http: HttpServerRequest.HttpServerRequest) {
      const { provider = "" } = yield* HttpRouter.params
      const request: SocialRequest = { ...(yield* findApp(http)), provider }
      return request
    })

    const handler = serve({
      find,
      handle: (request, { step, methods }: Route) =>
        dispatch(pages[step], request, { methods, beforeForm: beforeForm(step), withFlow }).pipe(
          Effect.catchTag("ExternalLoginRefused", (refusal) => showFailure(request, refusal, step)),
          Effect.map((result) => pageResponse(request, result))
        ),
      failed: ({ context, provider }, failure: SocialFailure, { methods }) => {
        const startUrl = socialPath("start", encodeURIComponent(provider))
        return viewResponse(context, {
          ...withBackToApp(context, socialFailureView(context, startUrl, failure)),
          allow: methods
        })
      },
      missing: (context, failure) => viewResponse(context, socialFailureView(context, undefined, failure)),
      unavailable: unavailableResponse
    })

    for (const route of socialPaths) yield* addRoute(router, route.path, handler(route))
  })
)
