import { Effect, Option } from "effect"
import { HttpRouter, type HttpServerResponse } from "effect/http"
import { ConsoleSessions } from "#core/access/ConsoleSessions"
import { type OperatorPageName, operatorPagePath, operatorPages, pageMethods } from "#domain/HostedPaths"
import { LoginDomains } from "#platform/LoginDomains"
import { consoleCookie } from "../cookies/ConsoleCookie.ts"
import { type AppPageError, appPageFailureView } from "../Errors.ts"
import { flowParamsIn } from "../FlowParams.ts"
import { type FormValues, requireSameOrigin } from "../Form.ts"
import { type AppPage, type Dispatch, dispatch, showView } from "../HostedPage.ts"
import { problemView } from "../markup/Notices.ts"
import { pageResponse, unavailableResponse, viewResponse } from "../PageResponse.ts"
import { forgotPage } from "../pages/forgot/ForgotPage.ts"
import { loginPage } from "../pages/login/LoginPage.ts"
import { logoutPage } from "../pages/logout/LogoutPage.ts"
import { operatorInvitationPage } from "../pages/operators/OperatorInvitationPage.ts"
import { passkeyPage } from "../pages/passkey/PasskeyPage.ts"
import { profilePage } from "../pages/profile/ProfilePage.ts"
import { resetPage } from "../pages/reset/ResetPage.ts"
import { securityPage } from "../pages/security/SecurityPage.ts"
import { verifyPage } from "../pages/verify/VerifyPage.ts"
import { rateLimiter } from "../RateLimit.ts"
import { type AppRequest, requestFinders, serve } from "../RequestShell.ts"
import { withLoginRedirect } from "./AppPageRoutes.ts"
import { addRoute } from "./BrowserRoutes.ts"

/** Only `next` is a parameter of the operators' pages. They lead to no app and serve no OAuth client. */
const withFlow = (request: AppRequest, values: FormValues) => {
  const { next } = flowParamsIn(values)
  return Effect.succeed({ ...request, context: { ...request.context, flow: next === undefined ? {} : { next } } })
}

const operatorDispatch: Dispatch<AppRequest, AppPageError> = {
  methods: pageMethods,
  beforeForm: ({ http, origin }) => requireSameOrigin(http, origin),
  withFlow
}

/** The pages on which operators log in to the console, at the public URL (C302). */
export const OperatorPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { findConsole } = yield* requestFinders
    const rateLimit = yield* rateLimiter
    const consoleSessions = yield* ConsoleSessions
    const cookie = consoleCookie(yield* LoginDomains)

    /** Deletes the console's cookie if its session has ended. A session of an API key continues after a logout here. */
    const forgetConsole = Effect.fnUntraced(function* (
      request: AppRequest,
      response: HttpServerResponse.HttpServerResponse
    ) {
      const secret = cookie.read(request)
      if (secret === undefined || Option.isSome(yield* Effect.option(consoleSessions.find(secret)))) return response
      return cookie.write(request.origin, "", 0)(response)
    })

    /** Counts each submitted form against the limits before it is processed. */
    const limited = (page: AppPage): AppPage => ({
      ...page,
      submit: (request, form) => Effect.andThen(rateLimit(request), page.submit(request, form))
    })

    const pages: Readonly<Record<OperatorPageName, AppPage>> = {
      login: yield* loginPage,
      logout: yield* logoutPage,
      forgot: yield* forgotPage,
      reset: limited(yield* resetPage),
      verify: limited(yield* verifyPage),
      profile: yield* profilePage,
      security: yield* securityPage,
      passkey: yield* passkeyPage,
      invitation: limited(yield* operatorInvitationPage)
    }

    const handler = serve({
      find: findConsole,
      handle: (request, name: OperatorPageName) =>
        Effect.flatMap(dispatch(withLoginRedirect(name, pages[name]), request, operatorDispatch), (result) => {
          const response = pageResponse(request, result)
          return result.session === "ended" ? forgetConsole(request, response) : Effect.succeed(response)
        }),
      failed: (request, failure: AppPageError, name) =>
        pageResponse(request, showView(appPageFailureView(request.context, name, failure))),
      missing: (context) => viewResponse(context, problemView(context.texts, "no_app", 404)),
      unavailable: unavailableResponse
    })

    for (const name of operatorPages) yield* addRoute(router, operatorPagePath(name), handler(name))
  })
)
