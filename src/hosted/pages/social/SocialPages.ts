import { Effect } from "effect"
import { type LinkResponse, ProviderLinks } from "#core/external/ProviderLinks"
import type {
  JoinRequired,
  PendingJoin,
  PendingSocialLogin,
  SocialLoggedIn,
  SocialLoginStart
} from "#core/hosted/SocialLogin"
import { SocialLoginFlow } from "#core/hosted/SocialLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { type ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import { returnPageOf, type SocialStep, socialPath } from "#domain/HostedPaths"
import { RedirectRefused, type ReturnTarget, resolveReturnUrl } from "#domain/ReturnUrl"
import { carriesSignupNotice } from "#domain/SignupNotice"
import { noLoginRequirements } from "#domain/StepUp"
import { nonBlank } from "#domain/Text"
import { oauthStatesIn, withLogin } from "../../cookies/OAuthStateCookie.ts"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { type SocialFailure, withRefusalStatus } from "../../Errors.ts"
import { demandsOf, flowParamsIn, flowParamsOf, pageUrl, requireDemands, returnTargetOf } from "../../FlowParams.ts"
import { type FormValues, isRepeated } from "../../Form.ts"
import { afterLogin, orgsToChoose } from "../../flow/AfterLogin.ts"
import { secondFactorEmail, secondFactorIn, secondStep, secondStepRefusal } from "../../flow/SecondStep.ts"
import { type HostedPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import { rateLimiter } from "../../RateLimit.ts"
import { type AppRequest, MethodNotAllowed } from "../../RequestShell.ts"
import { linkRefusedView } from "./LinkRefusedView.ts"
import { continuationParams, joinView, socialMfaView } from "./SocialView.ts"

/** A request for a step of a social login. */
export interface SocialRequest extends AppRequest {
  /** The ID or type of the provider, from the path. */
  readonly provider: string
}

export type SocialPage = HostedPage<SocialRequest, SocialFailure | ExternalLoginRefused>

/** The parameters that a provider adds when it redirects the browser back. */
const callbackParams = ["state", "code", "error", "iss"]

const notAllowed = () => Effect.fail(new MethodNotAllowed())

const returnUrlOf = ({ app }: Pick<AppRequest, "app">, target: ReturnTarget, isNew: boolean): string | undefined => {
  const url = resolveReturnUrl(app, target, isNew)
  return url instanceof RedirectRefused ? undefined : url
}

/** How a login continues from a page below `/auth`. */
const continuation = (request: SocialRequest, start: SocialLoginStart, loggedIn: SocialLoggedIn) => ({
  flow: { ...flowParamsOf(start), ...continuationParams(start) },
  base: "/",
  orgCount: orgsToChoose(request, loggedIn)
})

/** The URL of the invitation page, which tells members that the invitation is for someone else (C104). */
const invitationUrl = (join: PendingJoin): string =>
  `/${pageUrl("invitation", { token: join.invitation }, flowParamsOf(join))}`

/** Reads the start of a login from a query or form. */
const startIn = (values: FormValues) => ({
  ...returnTargetOf(flowParamsIn(values)),
  level: demandsOf(flowParamsIn(values))?.level ?? "aal1",
  ownPage: returnPageOf(values("next")),
  authorization: flowParamsIn(values)["request"] ?? null,
  invitation: nonBlank(values("invitation")) ?? undefined
})

/** The pages of a login with an external provider, in a browser (`v1.hosted.social`). */
export const socialPages = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const logins = yield* SocialLoginFlow
  const links = yield* ProviderLinks
  const browsers = yield* BrowserSessions
  const stepUps = yield* StepUps
  const secondStepOf = yield* secondStep
  const sendSecondCode = yield* secondFactorEmail
  const { take, finish: proceed } = yield* afterLogin

  /** Continues the login, or asks whether to accept an invitation that was sent to a different email. */
  const finish = Effect.fnUntraced(function* (
    request: SocialRequest,
    start: SocialLoginStart,
    outcome: SocialLoggedIn | JoinRequired
  ) {
    const { session: begun, user } = outcome.login
    const secret = sessionSecretIn(request)
    if (outcome._tag === "LoggedIn") {
      const { joinedOrgId: orgId, isNew } = outcome
      const result = yield* proceed(request, outcome, { ...continuation(request, start, outcome), orgId, isNew })
      return { ...result, status: 302 as const }
    }
    const { join } = outcome
    const session = yield* browsers.store(request.app, begun, secret, { signupNotice: join.isNew ? "due" : null })
    const details = yield* logins.joinDetails(join, user)
    if (details.isLeftToInvitee) return { redirect: invitationUrl(join), status: 302 as const, session }
    const view = joinView(request.context, { join, user, details }, returnUrlOf(request, join, join.isNew))
    return { ...showView(view), session }
  })

  const codeForm = Effect.fnUntraced(function* (
    { app, context }: SocialRequest,
    pending: PendingSocialLogin,
    chosen?: string,
    errors?: FieldErrors
  ) {
    const factors = yield* secondStepOf(pending.login, chosen)
    return socialMfaView(context.texts, pending, factors, returnUrlOf({ app }, pending, false), errors)
  })

  /** `/auth/:provider` redirects to the provider. */
  const start: SocialPage = {
    show: Effect.fnUntraced(function* (request) {
      yield* rateLimit(request)
      if (isRepeated(request.http, "redirect_uri")) return yield* new RedirectRefused({ why: "redirect_refused" })
      if (isRepeated(request.http, "state")) return yield* new RedirectRefused({ why: "state_refused" })
      yield* requireDemands(request.context.realm, flowParamsIn(queryOf(request)))
      const { url, secret } = yield* logins.start(request.app, request.provider, startIn(queryOf(request)))
      return { redirect: url, status: 302, oauthStates: withLogin(request, secret) }
    }),
    submit: notAllowed
  }

  /** Connects the provider account for the user who started this on the security page, and returns there. */
  const finishLink = (request: SocialRequest, back: LinkResponse) =>
    Effect.gen(function* () {
      const { login } = yield* browsers.find(request.app, sessionSecretIn(request))
      const { used, target } = yield* links.finish(request.app, request.provider, back, login)
      const result: PageResult = {
        redirect: `/${pageUrl("security", flowParamsOf(target), { saved: "linked" })}`,
        status: 302,
        oauthStates: { ended: [used] }
      }
      return result
    }).pipe(
      Effect.catchTag(
        ["SessionNotFound", "StateNotFound", "Rejected", "LinkRefused", "ExternalLoginRefused"],
        (failure) => Effect.succeed(showView(linkRefusedView(request.context, failure)))
      )
    )

  /** `/auth/:provider/callback`, where the provider redirects the browser back. */
  const callback: SocialPage = {
    show: Effect.fnUntraced(function* (request) {
      const query = queryOf(request)
      const secrets = oauthStatesIn(request)
      const issuer = nonBlank(query("iss"))
      const back = { state: query("state"), code: query("code"), error: query("error"), issuer, secrets }
      // A rejected code leaves the state usable, so each attempt calls the provider again.
      yield* rateLimit(request)
      if (yield* links.isLink(request.app, back.state)) return yield* finishLink(request, back)
      const { outcome, start, isInvitee, used } = yield* logins.finish(request.app, request.provider, back)
      const result =
        outcome._tag === "MfaRequired"
          ? showView(yield* codeForm(request, { ...start, login: outcome.token, isInvitee }))
          : yield* finish(request, start, outcome)
      return { ...result, oauthStates: { ended: [used] } }
    }),
    /**
     * Browsers don't send cookies with a form posted by another site, but they do with the redirect that follows (SEC-280).
     * The name that Apple posts is kept with the state, so that it doesn't appear in URLs.
     */
    submit: ({ app, provider }, form) => {
      const query = new URLSearchParams(Object.fromEntries(callbackParams.map((one) => [one, form(one)])))
      const redirect = `${socialPath("callback", encodeURIComponent(provider))}?${query}`
      return Effect.as(logins.keepName(app, { state: form("state"), user: form("user") }), { redirect })
    }
  }

  /** `/auth/:provider/code` accepts the second factor. */
  const code: SocialPage = {
    show: notAllowed,
    submit: (request, form) => {
      const pending: PendingSocialLogin = {
        ...startIn(form),
        login: form("login"),
        isInvitee: form("invited") === "true"
      }
      if (form("way") === "factor") {
        return Effect.andThen(rateLimit(request), sendSecondCode(form)).pipe(
          Effect.andThen(codeForm(request, pending, form("by"))),
          Effect.map(showView)
        )
      }
      return secondFactorIn(form).pipe(
        Effect.flatMap((code) => logins.complete(request.app, pending, code)),
        Effect.flatMap((outcome) => finish(request, pending, outcome)),
        Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) => {
          return Effect.gen(function* () {
            const { by } = yield* secondStepOf(pending.login, form("by"))
            const refusal = secondStepRefusal(request.context, failure, by)
            return showView(withRefusalStatus(refusal, yield* codeForm(request, pending, by, refusal.errors)))
          })
        })
      )
    }
  }

  /**
   * `/auth/:provider/join` accepts the user's decision, which is required for an invitation sent to a different email
   * (SEC-92).
   */
  const join: SocialPage = {
    show: notAllowed,
    submit: Effect.fnUntraced(function* (request, form) {
      const secret = sessionSecretIn(request)
      const browserUser = yield* Effect.catchTag(browsers.find(request.app, secret), "SessionNotFound", () =>
        Effect.fail(new StateNotFound())
      )
      // A different user has logged in since the page was shown.
      if (form("user") !== browserUser.user.id) return yield* new StateNotFound()
      const start = startIn(form)
      if ((yield* stepUps.missing(browserUser, noLoginRequirements)) !== "nothing") {
        return { redirect: `/${pageUrl("login", flowParamsOf(start))}` }
      }
      const isNew = carriesSignupNotice(browserUser.signupNotice, start)
      const pending = { ...start, invitation: form("invitation"), isNew }
      const accepts = form("way") === "join"
      const isLeft = accepts && (yield* logins.joinDetails(pending, browserUser.user)).isLeftToInvitee
      if (isLeft) return { redirect: invitationUrl(pending) }
      const loggedIn = yield* logins.join(request.app, browserUser, pending, accepts)
      const { joinedOrgId } = loggedIn
      if (joinedOrgId !== null) yield* browsers.selectOrg(request.app, secret, joinedOrgId)
      const { result, notice } = yield* take(request, loggedIn, continuation(request, pending, loggedIn))
      if (isNew) yield* browsers.setSignupNotice(request.app, secret, notice)
      return result
    })
  }

  const pages: Readonly<Record<SocialStep, SocialPage>> = { start, callback, code, join }
  return pages
})
