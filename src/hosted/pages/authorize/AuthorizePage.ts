import { Effect } from "effect"
import { Issuer } from "#core/keys/Issuer"
import { Authorization } from "#core/oauth/Authorization"
import { AuthorizationRequests, type OpenAuthorization } from "#core/oauth/AuthorizationRequests"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { isAdminApproved } from "#domain/clients/ClientRegistration"
import { AuthorizationRefused, type AuthorizationRequest } from "#domain/oauth/AuthorizationRequest"
import {
  type AuthorizationResult,
  authorizationResponse,
  type ResponseTarget
} from "#domain/oauth/AuthorizationResponse"
import { type AuthorizationStep, silentReasons } from "#domain/oauth/AuthorizationStep"
import { type OAuthReason, oauthErrorOf, oauthRefused } from "#domain/oauth/OAuthProblem"
import { sha256Text } from "#platform/Tokens"
import { authorizationIn } from "../../cookies/AuthorizationCookie.ts"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { authorizationFlow, type FlowParams, flowParamsIn, pageUrl } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { authorizationProblemView } from "../../markup/AuthorizationProblem.ts"
import { responseResult } from "../../OAuthPages.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { accountChoiceView, consentView } from "./AuthorizeViews.ts"

const noAnswers = { hasChosen: false, hasConsented: false }

/** The steps that take place on other pages. */
const loginSteps: ReadonlySet<AuthorizationStep> = new Set(["sign_up", "log_in", "switch_account", "second_factor"])

/** The flow parameters with which the login pages return to the request. */
const flowOf = ({ uiLocales }: AuthorizationRequest, secret: string): FlowParams => authorizationFlow(secret, uiLocales)

/** The request's requirements for the login. `max_age=0` requires a new login. */
const demandsOf = ({ prompts, maxAge, acr }: AuthorizationRequest, hasLevels: boolean): FlowParams => {
  const age = prompts.includes("login") ? 0 : maxAge
  return {
    ...(age === null ? {} : { max_age: String(age) }),
    ...(acr === null || !hasLevels ? {} : { acr_values: acr.level })
  }
}

/** `/authorize` takes a browser through an authorization request and back to the client. */
export const authorizePage = Effect.gen(function* () {
  const authorization = yield* Authorization
  const browsers = yield* BrowserSessions
  const issuer = yield* Issuer
  const requests = yield* AuthorizationRequests

  const respond = ({ context }: AppRequest, target: ResponseTarget, answer: AuthorizationResult): PageResult =>
    responseResult(context, authorizationResponse(issuer.of(context.realm.id), target, answer))

  const answerError = (request: AppRequest, target: ResponseTarget, reason: OAuthReason): PageResult => {
    const { error, description } = oauthErrorOf(oauthRefused(reason))
    return respond(request, target, { error, error_description: description })
  }

  /** Deletes the cookie when a request is finished, unless the cookie belongs to another request in the same browser. */
  const withoutAuthorizationCookie = (
    request: AppRequest,
    { id }: OpenAuthorization,
    result: PageResult
  ): PageResult => (sha256Text(authorizationIn(request) ?? "") === id ? { ...result, authorization: null } : result)

  const refusedResult = (request: AppRequest, refused: AuthorizationRefused): PageResult =>
    refused.target === null
      ? showView(authorizationProblemView(request.context.texts, refused))
      : answerError(request, refused.target, refused.reason)

  const visitorOf = (request: AppRequest) =>
    Effect.catchTag(browsers.find(request.app, sessionSecretIn(request)), "SessionNotFound", () =>
      Effect.succeed(undefined)
    )

  const loginUrl = (
    { context }: AppRequest,
    { request }: OpenAuthorization,
    secret: string,
    step: AuthorizationStep
  ): string => {
    const demands = demandsOf(request, context.realm.mfa !== "off")
    const more: FlowParams = {
      ...(request.loginHint === null ? {} : { login_hint: request.loginHint }),
      ...(step === "switch_account" ? { way: "login" } : {})
    }
    return pageUrl(step === "sign_up" ? "signup" : "login", { ...flowOf(request, secret), ...demands }, more)
  }

  /** Takes the next step. `visitor` is undefined if the next step is a login. */
  const proceed = Effect.fnUntraced(function* (
    request: AppRequest,
    open: OpenAuthorization,
    secret: string,
    {
      step,
      visitor,
      hasConsented
    }: {
      readonly step: AuthorizationStep
      readonly visitor: LoggedInVisitor | undefined
      readonly hasConsented: boolean
    }
  ) {
    const isSilent = open.request.prompts.includes("none")
    if (isSilent && step !== "issue") {
      yield* authorization.deny(open)
      const { client, redirectUri, responseMode, state } = open.request
      const target = isAdminApproved(client.registration) ? { redirectUri, responseMode, state } : null
      return refusedResult(request, new AuthorizationRefused({ reason: silentReasons[step], target }))
    }
    if (loginSteps.has(step) || visitor === undefined) {
      const result: PageResult = { redirect: loginUrl(request, open, secret, step), authorization: secret }
      return result
    }
    const shown = { flow: flowOf(open.request, secret), request: open.request, user: visitor.user }
    if (step === "select_account") return showView(accountChoiceView(request.context, shown))
    if (step === "consent") return showView(consentView(request.context, shown))
    const code = yield* authorization.issue(open, visitor, hasConsented)
    return withoutAuthorizationCookie(request, open, respond(request, open.request, { code }))
  })

  const show = Effect.fn("Authorize.show")(function* (request: AppRequest) {
    const secret = flowParamsIn(queryOf(request))["request"] ?? ""
    const open = yield* requests.find(request.app, secret)
    // Programs that check the target of a link must not use up a code.
    if (request.http.method === "HEAD") return { redirect: loginUrl(request, open, secret, "log_in") }
    const visitor = yield* visitorOf(request)
    const step = yield* authorization.next(open, visitor, noAnswers)
    return yield* proceed(request, open, secret, { step, visitor, hasConsented: false })
  })

  const submit = Effect.fn("Authorize.submit")(function* (request: AppRequest, form: FormValues) {
    const secret = flowParamsIn(form)["request"] ?? ""
    const open = yield* requests.find(request.app, secret)
    const visitor = yield* visitorOf(request)
    // False if a different user has logged in since the page was shown.
    const isAsked = visitor !== undefined && form("user") === visitor.user.id
    if (form("way") === "deny" && isAsked) {
      yield* authorization.deny(open)
      return withoutAuthorizationCookie(request, open, answerError(request, open.request, "access_denied"))
    }
    const hasConsented = isAsked && form("way") === "allow"
    const hasChosen = isAsked && (hasConsented || form("way") === "choose")
    const step = yield* authorization.next(open, visitor, { hasChosen, hasConsented })
    return yield* proceed(request, open, secret, { step, visitor, hasConsented })
  })

  const page: AppPage = {
    show: (request) =>
      Effect.catchTag(show(request), "AuthorizationRefused", (refused) =>
        Effect.succeed(refusedResult(request, refused))
      ),
    submit: (request, form) =>
      Effect.catchTag(submit(request, form), "AuthorizationRefused", (refused) =>
        Effect.succeed(refusedResult(request, refused))
      )
  }
  return page
})
