import { Effect } from "effect"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { RedirectRefused, resolveLogoutUrl } from "#domain/ReturnUrl"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { flowParamsIn, returnTargetOf } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { loggedOutView, logoutView } from "./LogoutView.ts"

/** Where a logout goes on. Null: at no other place, since the app has asked for none. */
const logoutUrlOf = Effect.fnUntraced(function* ({ app }: AppRequest, values: FormValues) {
  const url = resolveLogoutUrl(app, returnTargetOf(flowParamsIn(values)))
  return url instanceof RedirectRefused ? yield* url : url
})

const loggedOut = ({ context }: AppRequest, url: string | null): PageResult =>
  url === null ? showView(loggedOutView(context)) : { redirect: url }

/** `/logout`: ends the session of the browser, and goes on to the app where the app has asked for it (C65). */
export const logoutPage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const page: AppPage = {
    show: Effect.fn("Logout.show")(function* (request) {
      const url = yield* logoutUrlOf(request, queryOf(request))
      return yield* browsers.find(request.app, sessionSecretIn(request)).pipe(
        Effect.map(({ user }) => showView(withRedirectTarget(url, logoutView(request.context, { name: user.name })))),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(loggedOut(request, url)))
      )
    }),
    submit: Effect.fn("Logout.submit")(function* (request, form) {
      const url = yield* logoutUrlOf(request, form)
      yield* browsers.end(request.app, sessionSecretIn(request))
      return { ...loggedOut(request, url), session: "ended" }
    })
  }
  return page
})
