import { Effect } from "effect"
import { AccountDeletions } from "#core/account/AccountDeletions"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { flowParamsIn, returnTargetOf } from "../../FlowParams.ts"
import { afterLogin } from "../../flow/AfterLogin.ts"
import { type AppPage, type LinkPage, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import { rateLimiter } from "../../RateLimit.ts"
import { userGone } from "../account/AccountPage.ts"
import { keepLinkView, keptView, scheduledNoticeView } from "./DeletionView.ts"

/** `…/deletion?token=…` lets users keep an account that is scheduled for deletion, with a link in an email. */
export const deletionLinkPage = Effect.gen(function* () {
  const deletions = yield* AccountDeletions
  const page: LinkPage = {
    show: Effect.fnUntraced(function* (request) {
      const token = queryOf(request)("token")
      const { at } = yield* deletions.preview(token)
      return showView(keepLinkView(request.context, token, at))
    }),
    submit: Effect.fnUntraced(function* (request, form) {
      yield* deletions.cancelWith(form("token"))
      return showView(keptView(request.context))
    })
  }
  return page
})

/** `/deletion` also tells users who have just logged in that their account will be deleted. */
export const deletionPage = Effect.gen(function* () {
  const links = yield* deletionLinkPage
  const deletions = yield* AccountDeletions
  const browsers = yield* BrowserSessions
  const logins = yield* PasswordLoginFlow
  const rateLimit = yield* rateLimiter
  const { resume } = yield* afterLogin

  const page: AppPage = {
    show: Effect.fn("Deletion.show")(function* (request) {
      const values = queryOf(request)
      if (values("token") !== "") return yield* links.show(request)
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      const flow = flowParamsIn(values)
      const { deletionAt } = browserUser.user
      if (deletionAt === null) return yield* resume(request, browserUser, flow)
      const returnUrl = yield* logins.returnUrlOf(request.app, returnTargetOf(flow), false)
      return showView(withRedirectTarget(returnUrl, scheduledNoticeView(request.context, flow, deletionAt)))
    }),
    submit: Effect.fn("Deletion.submit")(function* (request, form) {
      yield* rateLimit(request)
      if (form("token") !== "") return yield* links.submit(request, form)
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      if (form("way") === "keep") {
        yield* deletions.cancel(browserUser.user.id).pipe(Effect.catchTag("UserNotFound", userGone))
      }
      return yield* resume(request, browserUser, flowParamsIn(form))
    })
  }
  return page
})
