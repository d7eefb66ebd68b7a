import { Effect, Result } from "effect"
import { HttpRouter } from "effect/http"
import { AuthorizationRequests } from "#core/oauth/AuthorizationRequests"
import { type AppPageName, appPagePath, appPages, linkPages, pageMethods } from "#domain/HostedPaths"
import { LoginsOff } from "#domain/Login"
import { checkState, RedirectRefused } from "#domain/ReturnUrl"
import { RequestedLevel } from "#domain/StepUp"
import { authorizationIn } from "../cookies/AuthorizationCookie.ts"
import { type AppPageError, appPageFailureView } from "../Errors.ts"
import {
  authorizationFlow,
  demandsOf,
  type FlowParams,
  flowParamsIn,
  pageUrl,
  requireDemands,
  returnTargetOf
} from "../FlowParams.ts"
import { type FormValues, isRepeated, requireSameOrigin } from "../Form.ts"
import {
  type AppPage,
  type Dispatch,
  dispatch,
  type HostedPage,
  type PageResult,
  rateLimitedResult,
  showView
} from "../HostedPage.ts"
import { withBackToApp } from "../markup/Links.ts"
import { problemView } from "../markup/Notices.ts"
import { inLocales } from "../PageContext.ts"
import { pageResponse, unavailableResponse, viewResponse } from "../PageResponse.ts"
import { accountsPage } from "../pages/accounts/AccountsPage.ts"
import { authorizePage } from "../pages/authorize/AuthorizePage.ts"
import { codePage } from "../pages/code/CodePage.ts"
import { deletionPage } from "../pages/deletion/DeletionPage.ts"
import { devicePage } from "../pages/device/DevicePage.ts"
import { forgotPage } from "../pages/forgot/ForgotPage.ts"
import { invitationPage } from "../pages/invitation/InvitationPage.ts"
import { loginPage } from "../pages/login/LoginPage.ts"
import { logoutPage } from "../pages/logout/LogoutPage.ts"
import { passkeyPage } from "../pages/passkey/PasskeyPage.ts"
import { profilePage } from "../pages/profile/ProfilePage.ts"
import { resetPage } from "../pages/reset/ResetPage.ts"
import { securityPage } from "../pages/security/SecurityPage.ts"
import { signupPage } from "../pages/signup/SignupPage.ts"
import { teamPage } from "../pages/team/TeamPage.ts"
import { verifyPage } from "../pages/verify/VerifyPage.ts"
import { rateLimiter } from "../RateLimit.ts"
import { type AppRequest, isRead, requestFinders, serve } from "../RequestShell.ts"
import { addRoute } from "./BrowserRoutes.ts"

/** The pages that work even if the realm is inactive (C19). */
const alwaysOpen: ReadonlySet<AppPageName> = new Set(["deletion", "logout", "verify"])

/** Returns the assurance level that the app requires for the login. */
const levelOf = ({ context }: AppRequest) => demandsOf(context.flow ?? {})?.level ?? "aal1"

/** The pages opened by links in emails, which a login may need before it continues. */
const emailLinkPages: ReadonlySet<string> = new Set(linkPages)

/** The pages on which a login starts. */
const loginStartPages: ReadonlySet<AppPageName> = new Set(["login", "signup", "forgot", "code"])

/** The pages whose forms send an email that continues the login. */
const emailSendingPages: ReadonlySet<AppPageName> = new Set(["signup", "forgot", "code"])

/** Reads the flow parameters. Rejects repeated parameters, because two parties may interpret them differently (SEC-33). */
const readFlow = Effect.fnUntraced(function* (request: AppRequest, values: FormValues) {
  if (isRead(request.http)) {
    if (isRepeated(request.http, "redirect_uri")) return yield* new RedirectRefused({ why: "redirect_refused" })
    if (isRepeated(request.http, "state")) return yield* new RedirectRefused({ why: "state_refused" })
    if (isRepeated(request.http, "max_age") || isRepeated(request.http, "acr_values"))
      return yield* new RedirectRefused({ why: "demands_refused" })
  }
  const flow = flowParamsIn(values)
  const refusal = checkState(returnTargetOf(flow).state)
  if (refusal !== undefined) return yield* refusal
  yield* requireDemands(request.context.realm, flow)
  return flow
})

/**
 * Adds the flow parameters to requests for a page. Links in emails have no flow parameters, so they continue with the
 * authorization request that the browser was logging in for (C188).
 */
const appDispatch = Effect.gen(function* () {
  const requests = yield* AuthorizationRequests

  const openOf = Effect.fnUntraced(function* (
    { app, http }: AppRequest,
    name: AppPageName,
    flow: FlowParams,
    cookieSecret?: string
  ) {
    const secret = flow["request"] ?? cookieSecret
    if (secret === undefined) return undefined
    const open = yield* Effect.result(requests.find(app, secret))
    if (Result.isSuccess(open)) return open.success
    // Users should not type a password for a login that can't be completed (C276).
    const isOver = open.failure.reason === "request_expired" && flow["next"] === "authorize"
    return isOver && isRead(http) && loginStartPages.has(name) ? yield* open.failure : undefined
  })

  return (name: AppPageName): Dispatch<AppRequest, AppPageError> => ({
    methods: pageMethods,
    beforeForm: ({ http, origin }) => requireSameOrigin(http, origin),
    withFlow: Effect.fnUntraced(function* (request: AppRequest, values: FormValues) {
      const flow = yield* readFlow(request, values)
      const isMailed = emailLinkPages.has(name) && values("token") !== "" && flow["next"] === undefined
      const cookieSecret = isMailed ? authorizationIn(request) : undefined
      // The `/authorize` page looks up the request itself.
      const open = name === "authorize" ? undefined : yield* openOf(request, name, flow, cookieSecret)
      if (open !== undefined && emailSendingPages.has(name) && !isRead(request.http)) yield* requests.awaitMail(open)
      const resumed =
        open !== undefined && cookieSecret !== undefined
          ? { ...flow, ...authorizationFlow(cookieSecret, open.request.uiLocales) }
          : flow
      const context = inLocales(request.context, request.http.headers["accept-language"], resumed["ui_locales"])
      return { ...request, context: { ...context, flow: resumed, client: open?.request.client } }
    })
  })
})

/**
 * Renders the views of a flow in the language that its client prefers. If an OAuth client requested the login, forms can lead
 * to that client (SEC-31).
 */
const withClientContext =
  ({ context }: AppRequest) =>
  (result: PageResult): PageResult => {
    if (!("view" in result)) return result
    const view = context.client === undefined ? result.view : { ...result.view, forms: "app" as const }
    return { context, ...result, view }
  }

/**
 * Redirects to the login if the page requires one; the login returns to the page. After a submitted form, the login page
 * explains that the session has ended (C105). A rate limit notice links back to the form.
 */
export const withLoginRedirect = (name: AppPageName, page: AppPage): HostedPage<AppRequest, AppPageError> => {
  const login = ({ context, http }: AppRequest): PageResult => ({
    redirect: pageUrl("login", { ...context.flow, next: name }, isRead(http) ? {} : { why: "ended" }),
    session: "ended"
  })
  return {
    show: (request) =>
      page.show(request).pipe(
        Effect.catchTag("SessionNotFound", () => Effect.succeed(login(request))),
        Effect.map(withClientContext(request))
      ),
    submit: (request, form) =>
      page.submit(request, form).pipe(
        Effect.provideService(RequestedLevel, levelOf(request)),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(login(request))),
        Effect.catchTag("RateLimited", (failure) => Effect.succeed(rateLimitedResult(request, name, form, failure))),
        Effect.map(withClientContext(request))
      )
  }
}

/** The pages on the hosts of connected apps (C40, C40a). */
export const AppPageRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { findApp } = yield* requestFinders
    const rateLimit = yield* rateLimiter
    const dispatchOf = yield* appDispatch

    /** Counts each submitted form against the limits before it is processed. */
    const limited = (page: AppPage): AppPage => ({
      ...page,
      submit: (request, form) => Effect.andThen(rateLimit(request), page.submit(request, form))
    })

    const pages: Readonly<Record<AppPageName, AppPage>> = {
      login: yield* loginPage,
      signup: limited(yield* signupPage),
      logout: yield* logoutPage,
      forgot: yield* forgotPage,
      reset: limited(yield* resetPage),
      verify: limited(yield* verifyPage),
      code: yield* codePage,
      deletion: yield* deletionPage,
      profile: yield* profilePage,
      security: yield* securityPage,
      team: yield* teamPage,
      passkey: yield* passkeyPage,
      accounts: yield* accountsPage,
      invitation: limited(yield* invitationPage),
      authorize: yield* authorizePage,
      device: yield* devicePage
    }

    const answer = Effect.fnUntraced(function* (request: AppRequest, name: AppPageName) {
      const isClosed = request.context.realm.state === "inactive" && !alwaysOpen.has(name)
      if (isClosed) return yield* new LoginsOff({ why: "realm_inactive" })
      return yield* dispatch(withLoginRedirect(name, pages[name]), request, dispatchOf(name))
    })

    const handler = serve({
      find: findApp,
      handle: (request, name: AppPageName) =>
        Effect.map(answer(request, name), (result) => pageResponse(request, result)),
      failed: (request, failure: AppPageError, name) =>
        pageResponse(
          request,
          showView(withBackToApp(request.context, appPageFailureView(request.context, name, failure)))
        ),
      missing: (context) => viewResponse(context, problemView(context.texts, "no_app", 404)),
      unavailable: unavailableResponse
    })

    for (const name of appPages) yield* addRoute(router, appPagePath(name), handler(name))
  })
)
