import { Effect } from "effect"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { sessionIn } from "../../cookies/SessionCookie.ts"
import { type AppPage, shows } from "../../HostedPage.ts"
import { loggedOutPage, logoutPage } from "./LogoutView.ts"

/** `/logout`: ends the session of the browser. */
export const logout = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const page: AppPage = {
    show: (call) =>
      browsers.find(call.app, sessionIn(call.request, call.origin)).pipe(
        Effect.map(({ user }) => shows(logoutPage(call.visit, { name: user.name }))),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(shows(loggedOutPage(call.visit))))
      ),
    act: Effect.fn("Logout.act")(function* (call) {
      yield* browsers.end(call.app, sessionIn(call.request, call.origin))
      return { ...shows(loggedOutPage(call.visit)), keeps: "none" }
    })
  }
  return page
})
