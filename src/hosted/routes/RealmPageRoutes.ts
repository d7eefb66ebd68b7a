import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { type LinkPageName, linkPages, pageMethods, realmPagePath } from "#domain/HostedPaths"
import { pageFailureView } from "../Errors.ts"
import { requireSameOrigin } from "../Form.ts"
import { dispatch, type LinkPage, rateLimitedResult, showView } from "../HostedPage.ts"
import { pageResponse, unavailableResponse, viewResponse } from "../PageResponse.ts"
import { realmCodePage } from "../pages/code/CodePage.ts"
import { deletionLinkPage } from "../pages/deletion/DeletionPage.ts"
import { acceptInvitationPage, type InvitationHost } from "../pages/invitation/AcceptInvitationPage.ts"
import { acceptInvitationView, invitationAcceptedView } from "../pages/invitation/AcceptInvitationView.ts"
import { resetPage } from "../pages/reset/ResetPage.ts"
import { verifyPage } from "../pages/verify/VerifyPage.ts"
import { rateLimiter } from "../RateLimit.ts"
import { type HostedRequest, requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "./BrowserRoutes.ts"

/** In a realm without an app, accepting an invitation leads to a welcome page. */
const welcome: InvitationHost<HostedRequest, never> = {
  visitor: () => Effect.succeed(undefined),
  returnUrl: () => Effect.succeed(null),
  finish: ({ context }, { seen, by }) =>
    Effect.succeed(
      showView(invitationAcceptedView(context, seen, by === "signup" ? seen.invitation.email : undefined))
    ),
  leave: ({ context }, { seen, token, login: { user } }) =>
    Effect.succeed(showView(acceptInvitationView(context, token, { ...seen, isMember: true }, { way: "accept", user })))
}

/** The pages opened by links in emails, for a realm without an app (C38). `publicUrl` is the URL of the service. */
export const RealmPageRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { origin } = new URL(publicUrl)
      const { findRealm } = yield* requestFinders
      const rateLimit = yield* rateLimiter

      /** Counts each submitted form against the limits. The rate limit notice links back to the form. */
      const limited = (name: LinkPageName, page: LinkPage): LinkPage => ({
        ...page,
        submit: (request, form) =>
          Effect.andThen(rateLimit(request), page.submit(request, form)).pipe(
            Effect.catchTag("RateLimited", (failure) => Effect.succeed(rateLimitedResult(request, name, form, failure)))
          )
      })

      const pages: Readonly<Record<LinkPageName, LinkPage>> = {
        verify: limited("verify", yield* verifyPage),
        reset: limited("reset", yield* resetPage),
        code: yield* realmCodePage,
        deletion: limited("deletion", yield* deletionLinkPage),
        invitation: limited("invitation", yield* acceptInvitationPage(welcome))
      }

      const realmDispatch = {
        methods: pageMethods,
        beforeForm: (request: HostedRequest) => requireSameOrigin(request.http, origin),
        withFlow: (request: HostedRequest) => Effect.succeed(request)
      }

      const handler = serve({
        find: (http) =>
          Effect.flatMap(HttpRouter.params, ({ realm_id: realmId = "" }) => findRealm(http, realmId, origin)),
        handle: (request, name: LinkPageName) =>
          Effect.map(dispatch(pages[name], request, realmDispatch), (result) => pageResponse(request, result)),
        failed: ({ context }, failure, name) => viewResponse(context, pageFailureView(context, name, failure)),
        missing: (context, failure, name) => viewResponse(context, pageFailureView(context, name, failure)),
        unavailable: unavailableResponse
      })

      for (const name of linkPages) yield* addRoute(router, realmPagePath(":realm_id", name), handler(name))
    })
  )
