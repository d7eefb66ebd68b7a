import { Effect } from "effect"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { type AppPage, showView } from "../../HostedPage.ts"
import { loggedOutView, logoutView } from "./LogoutView.ts"

/** `/logout`: ends the session of the browser. */
export const logoutPage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const page: AppPage = {
    show: (request) =>
      browsers.find(request.app, sessionSecretIn(request)).pipe(
        Effect.map(({ user }) => showView(logoutView(request.context, { name: user.name }))),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(showView(loggedOutView(request.context))))
      ),
    submit: Effect.fn("Logout.submit")(function* (request) {
      yield* browsers.end(request.app, sessionSecretIn(request))
      return { ...showView(loggedOutView(request.context)), session: "ended" }
    })
  }
  return page
})
