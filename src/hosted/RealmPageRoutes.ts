import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { type LinkPageName, linkPages, pageMethods, realmPagePath } from "#domain/HostedPaths"
import { pageFailureView } from "./Errors.ts"
import { requireSameOrigin } from "./Form.ts"
import { dispatch, type LinkPage, showView } from "./HostedPage.ts"
import { pageResponse, unavailableResponse, viewResponse } from "./PageResponse.ts"
import { acceptInvitationPage, type InvitationHost } from "./pages/invitation/AcceptInvitationPage.ts"
import { invitationAcceptedView } from "./pages/invitation/AcceptInvitationView.ts"
import { resetPage } from "./pages/reset/ResetPage.ts"
import { verifyPage } from "./pages/verify/VerifyPage.ts"
import { rateLimiter } from "./RateLimit.ts"
import { type HostedRequest, requestFinders, serve } from "./RequestShell.ts"

/** Where a realm has no app, an invitation ends with a page that welcomes the user. */
const welcome: InvitationHost<HostedRequest, never> = {
  visitor: () => Effect.succeed(undefined),
  returnUrl: () => Effect.succeed(null),
  finish: ({ context }, { seen, by }) =>
    Effect.succeed(showView(invitationAcceptedView(context, seen, by === "signup" ? seen.invitation.email : undefined)))
}

/** The pages that links in mails lead to while a realm has no app of its own (C38). `publicUrl`: of the service. */
export const RealmPageRoutes = ({ publicUrl }: { readonly publicUrl: string }) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { origin } = new URL(publicUrl)
      const { findRealm } = yield* requestFinders
      const rateLimit = yield* rateLimiter

      const pages: Readonly<Record<LinkPageName, LinkPage>> = {
        verify: yield* verifyPage,
        reset: yield* resetPage,
        invitation: yield* acceptInvitationPage(welcome)
      }

      const realmDispatch = {
        methods: pageMethods,
        beforeForm: (request: HostedRequest) =>
          Effect.andThen(requireSameOrigin(request.http, origin), rateLimit(request)),
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

      for (const name of linkPages) yield* router.add("*", realmPagePath(":realm_id", name), handler(name))
    })
  )
