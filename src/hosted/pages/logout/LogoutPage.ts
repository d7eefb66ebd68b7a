import { Effect } from "effect"
import { LogoutRequests, type OpenLogout } from "#core/oauth/LogoutRequests"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { logoutStep, logoutTarget } from "#domain/oauth/LogoutRequest"
import { RedirectRefused, resolveLogoutUrl } from "#domain/ReturnUrl"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { flowParamsIn, returnTargetOf } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import { type AppRequest, isForWindow } from "../../RequestShell.ts"
import { loggedOutView, logoutView } from "./LogoutView.ts"

/** A logout: the URL where it continues, and the OAuth client that requested it. */
interface Logout {
  /** Null if the logout does not continue anywhere. */
  readonly url: string | null
  /** The logout request of an OAuth client, with its secret, or undefined if the app or the user requested the logout. */
  readonly asked: { readonly secret: string; readonly open: OpenLogout } | undefined
}

const loggedOut = ({ context }: AppRequest, { url }: Logout): PageResult =>
  url === null ? showView(loggedOutView(context)) : { redirect: url }

/** `/logout` ends the browser's session and continues to the app (C65) or OAuth client (C181) that requested it. */
export const logoutPage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const requests = yield* LogoutRequests

  const logoutOf = Effect.fnUntraced(function* ({ app }: AppRequest, values: FormValues) {
    const secret = values("logout")
    const open = secret === "" ? undefined : yield* requests.find(app, secret)
    if (open !== undefined) return { url: logoutTarget(open.request), asked: { secret, open } }
    const url = resolveLogoutUrl(app, returnTargetOf(flowParamsIn(values)))
    return { url: url instanceof RedirectRefused ? yield* url : url, asked: undefined }
  })

  const complete = ({ asked }: Logout) => (asked === undefined ? Effect.void : requests.complete(asked.open.request))

  const end = Effect.fnUntraced(function* (request: AppRequest, logout: Logout) {
    yield* browsers.end(request.app, sessionSecretIn(request))
    yield* complete(logout)
    return { ...loggedOut(request, logout), session: "ended" as const }
  })

  const page: AppPage = {
    show: Effect.fn("Logout.show")(function* (request) {
      const logout = yield* logoutOf(request, queryOf(request))
      const found = yield* browsers
        .find(request.app, sessionSecretIn(request))
        .pipe(Effect.catchTag("SessionNotFound", () => Effect.succeed(undefined)))
      if (found === undefined) return yield* Effect.as(complete(logout), loggedOut(request, logout))
      const { user, sid } = found
      const { asked, url } = logout
      const step = asked === undefined ? "ask" : logoutStep(asked.open.request, { userId: user.id, sid })
      if (step === "end" && request.http.method === "GET" && isForWindow(request)) return yield* end(request, logout)
      const shown = { name: user.name, client: asked?.open.client?.name ?? null, secret: asked?.secret }
      return showView(withRedirectTarget(url, logoutView(request.context, shown)))
    }),
    submit: Effect.fn("Logout.submit")(function* (request, form) {
      return yield* end(request, yield* logoutOf(request, form))
    })
  }
  return page
})
