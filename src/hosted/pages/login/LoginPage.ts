import { DateTime, Effect } from "effect"
import { PasskeyLoginFlow } from "#core/hosted/PasskeyLoginFlow"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { assuranceOf } from "#domain/Authentication"
import type { LoginOutcome } from "#domain/Login"
import { isFreshProof } from "#domain/Reauthentication"
import { canCompleteLogin, firstOffer } from "#domain/SecondFactor"
import { higherLevel, noLoginRequirements, RenewedLogin, RequestedLevel } from "#domain/StepUp"
import type { User } from "#domain/User"
import type { Html } from "#platform/Html"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { formRefusal, formRefusalOf, missingNameRefusal, passkeyRefusal, withRefusalStatus } from "../../Errors.ts"
import {
  demandsOf,
  type FlowParams,
  flowParamsIn,
  hasDemands,
  returnTargetOf,
  withoutDemands
} from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { afterLogin, loginDestination, orgsToChoose } from "../../flow/AfterLogin.ts"
import { useIn } from "../../flow/PasskeyAnswer.ts"
import {
  secondFactorEmail,
  secondFactorForm,
  secondFactorIn,
  secondStep,
  secondStepRefusal,
  trustOffer
} from "../../flow/SecondStep.ts"
import { type AppPage, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import { enrolmentDueView } from "../../markup/EnrolmentView.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import { mfaCodeView } from "../../markup/MfaCodeView.ts"
import { passkeySupportIn } from "../../markup/PasskeyForm.ts"
import { unknownSignal } from "../../markup/PasskeySignals.ts"
import { trustsIn } from "../../markup/TrustField.ts"
import { rateLimiter } from "../../RateLimit.ts"
import { type AppRequest, continuesWithoutAsking } from "../../RequestShell.ts"
import { loginOffer } from "./LoginOffer.ts"
import { loginReason, reasonIn } from "./LoginReason.ts"
import { continueView, loginView } from "./LoginView.ts"

/**
 * Returns whether the app repeats a login that has just happened, now with its own `state`. Apps do this if a login arrives
 * without a `state` (C106).
 */
const isOwnLogin = ({ provedAt }: LoggedInVisitor, flow: FlowParams) =>
  Effect.map(DateTime.now, (now) => returnTargetOf(flow).state !== null && isFreshProof(provedAt, now))

/** The flow of a login form, and the reason why a page redirected to it. */
interface LoginFormState {
  readonly flow: FlowParams
  readonly why: FlowParams
}

/** `/login` logs in by password, passkey and second factor, or continues with the logged-in user. */
export const loginPage = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const logins = yield* PasswordLoginFlow
  const browsers = yield* BrowserSessions
  const offerOf = yield* loginOffer
  const stepUps = yield* StepUps
  const secondStepOf = yield* secondStep
  const sendSecondCode = yield* secondFactorEmail
  const passkeyLogins = yield* PasskeyLoginFlow
  const askSecondFactor = yield* secondFactorForm
  const { finish, resume } = yield* afterLogin

  const returnUrlOf = ({ app }: AppRequest, flow: FlowParams) => logins.returnUrlOf(app, returnTargetOf(flow), false)

  /** Returns the logged-in user of the browser if they were asked to log in again. */
  const personOf = ({ app, http, origin }: AppRequest, { why }: FlowParams) =>
    why === "again" || why === "proof"
      ? browsers.find(app, sessionSecretIn({ http, origin })).pipe(
          Effect.map(({ user }): User | undefined => user),
          Effect.catchTag("SessionNotFound", () => Effect.succeed(undefined))
        )
      : Effect.succeed(undefined)

  const loginForm = Effect.fnUntraced(function* (
    request: AppRequest,
    { flow, why }: LoginFormState,
    name: string,
    errors?: FieldErrors,
    signals?: Html
  ) {
    const returnUrl = yield* returnUrlOf(request, flow)
    const reason = loginReason(request.context.texts, flow, why)
    const person = yield* personOf(request, why)
    const offer = { ...(yield* offerOf(request)), flow, why, name, reason, person, signals }
    return withRedirectTarget(returnUrl, loginView(request.context, offer, errors))
  })

  const secondFactorPage = ({ flow, why }: LoginFormState, form: FormValues) =>
    ({ page: "login", flow: { ...flow, ...why, ...passkeySupportIn(form) }, trusts: trustsIn(form) }) as const

  /** Continues after a password, a code or a passkey. */
  const proceed = (request: AppRequest, asked: LoginFormState, outcome: LoginOutcome, form: FormValues) =>
    finish(request, outcome, {
      flow: withoutDemands(asked.flow),
      secondFactor: secondFactorPage(asked, form),
      orgCount: orgsToChoose(request, outcome),
      form
    })

  /** Returns the logged-in user of the browser, and the app's requirements that their login does not meet. */
  const visitorOf = Effect.fnUntraced(function* (request: AppRequest, flow: FlowParams, secret?: string) {
    const visitor = yield* Effect.catchTag(browsers.find(request.app, secret), "SessionNotFound", () =>
      Effect.succeed(undefined)
    )
    const demands = demandsOf(flow) ?? noLoginRequirements
    return visitor === undefined ? undefined : { visitor, missing: yield* stepUps.missing(visitor, demands) }
  })

  /**
   * Makes a login renew the browser's existing login if the existing one does not meet the requirements. The level can't
   * decrease.
   */
  const renewingLogin = <A, E, R>(request: AppRequest, flow: FlowParams, login: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const found = yield* visitorOf(request, flow, sessionSecretIn(request))
      if (found === undefined || found.missing === "nothing") return yield* login
      const { login: renewed, authentication } = found.visitor
      const level = higherLevel(yield* RequestedLevel, assuranceOf(authentication?.methods ?? []))
      return yield* login.pipe(
        Effect.provideService(RenewedLogin, renewed),
        Effect.provideService(RequestedLevel, level)
      )
    })

  /** Asks a logged-in user to present or set up the second factor. The login token is issued when the form is submitted. */
  const stepUpForm = Effect.fnUntraced(function* (
    request: AppRequest,
    asked: LoginFormState,
    visitor: LoggedInVisitor
  ) {
    const returnUrl = yield* returnUrlOf(request, asked.flow)
    const all = yield* stepUps.offers(visitor)
    const asksPasskey = firstOffer(all) === "passkey"
    const passkey = asksPasskey ? yield* passkeyLogins.optionsOf(visitor.user, request.origin) : undefined
    const offers = asksPasskey && passkey === undefined ? all.filter((factor) => factor !== "passkey") : all
    const step = { page: "login", flow: asked.flow, login: "", restart: "login", passkey, person: visitor.user }
    const view = canCompleteLogin(offers)
      ? mfaCodeView(request.context, { ...step, trust: trustOffer(request.context), by: firstOffer(offers), offers })
      : enrolmentDueView(request.context, step)
    return withRedirectTarget(returnUrl, view)
  })

  /** Returns the token of the pending login: the form's token, or a new one if the form starts a step-up. */
  const pendingToken = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    if (form("login") !== "") return form("login")
    const found = yield* visitorOf(request, flow, sessionSecretIn(request))
    if (found?.missing !== "second_factor") return ""
    return (yield* stepUps.begin(found.visitor)).token
  })

  const byPassword = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const { context } = request
    const asked = { flow, why: reasonIn(form) }
    const name = form("name")
    if (name.trim() === "") {
      const missing = missingNameRefusal(context)
      return showView(withRefusalStatus(missing, yield* loginForm(request, asked, name, missing.errors)))
    }
    yield* rateLimit(request)
    // A trusted device doesn't replace the second factor if an app or a page has asked for a new proof.
    const acceptsTrustedDevice = !hasDemands(flow) && (asked.why["why"] ?? "ended") === "ended"
    const login = { ...loginDestination(request, flow), name, password: form("password"), acceptsTrustedDevice }
    return yield* renewingLogin(request, flow, logins.logIn(request.app, login)).pipe(
      Effect.flatMap((outcome) => proceed(request, asked, outcome, form)),
      Effect.catchTag(["Rejected", "WrongPassword", "Blocked", "HashingBusy"], (failure) => {
        const refusal = formRefusalOf(context, failure)
        const view = loginForm(request, asked, name, refusal.errors)
        return Effect.map(view, (view) => showView(withRefusalStatus(refusal, view)))
      })
    )
  })

  const byCode = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const { context } = request
    yield* rateLimit(request)
    const asked = { flow, why: reasonIn(form) }
    const token = yield* pendingToken(request, form, flow)
    const destination = { ...loginDestination(request, flow), name: undefined, token, trustsDevice: trustsIn(form) }
    return yield* secondFactorIn(form).pipe(
      Effect.flatMap((code) => renewingLogin(request, flow, logins.complete(request.app, { ...destination, code }))),
      Effect.flatMap((outcome) =>
        Effect.map(proceed(request, asked, outcome, form), (result) => ({ ...result, trustedDevice: outcome.trusted }))
      ),
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) => {
        return Effect.gen(function* () {
          const { by } = yield* secondStepOf(token, form("by"))
          const refusal = secondStepRefusal(context, failure, by)
          const view = yield* askSecondFactor(request, secondFactorPage(asked, form), token, by, refusal.errors)
          return showView(withRefusalStatus(refusal, view))
        })
      }),
      Effect.catchTag("TokenNotFound", () => {
        const lapsed = formRefusal(context.texts.invitation.lapsed)
        const view = loginForm(request, asked, "", lapsed.errors)
        return Effect.map(view, (view) => showView(withRefusalStatus(lapsed, view)))
      })
    )
  })

  /** Switches to another second factor. If that is a code by email, sends the code. */
  const byFactor = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    yield* rateLimit(request)
    const token = yield* pendingToken(request, form, flow)
    yield* sendSecondCode((name) => (name === "login" ? token : form(name)))
    const page = secondFactorPage({ flow, why: reasonIn(form) }, form)
    return showView(yield* askSecondFactor(request, page, token, form("by")))
  })

  const byPasskey = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    yield* rateLimit(request)
    const asked = { flow, why: reasonIn(form) }
    const login = { ...loginDestination(request, flow), token: form("token"), use: useIn(form("response")) }
    return yield* renewingLogin(request, flow, passkeyLogins.logIn(request.app, login)).pipe(
      Effect.flatMap((outcome) => proceed(request, asked, outcome, form)),
      Effect.catchTag(["Rejected", "PasskeyRefused", "TokenNotFound", "Blocked"], (failure) => {
        const refusal = passkeyRefusal(request.context, failure)
        const unknown = failure._tag === "PasskeyRefused" ? failure.unknown : undefined
        const view = loginForm(request, asked, "", refusal.errors, unknown && unknownSignal(unknown))
        return Effect.map(view, (view) => showView(withRefusalStatus(refusal, view)))
      })
    )
  })

  /** Asks for the factor that the browser's login lacks. Returns undefined if it lacks none. */
  const stepUp = Effect.fnUntraced(function* (request: AppRequest, flow: FlowParams) {
    const found = yield* visitorOf(request, flow, sessionSecretIn(request))
    if (found === undefined || found.missing === "nothing") return undefined
    const { visitor, missing } = found
    const { email, username } = visitor.user
    const asked = { flow, why: { why: "again" } }
    if (missing === "second_factor") return showView(yield* stepUpForm(request, asked, visitor))
    return showView(yield* loginForm(request, asked, email ?? username ?? ""))
  })

  const confirmed = Effect.fnUntraced(function* (request: AppRequest, _: FormValues, flow: FlowParams) {
    const visitor = yield* browsers.find(request.app, sessionSecretIn(request))
    return (yield* stepUp(request, flow)) ?? (yield* resume(request, visitor, flow))
  })

  type Action = (
    request: AppRequest,
    form: FormValues,
    flow: FlowParams
  ) => ReturnType<typeof byPassword | typeof byCode | typeof byPasskey | typeof confirmed | typeof byFactor>

  const actions = new Map<string, Action>([
    ["code", byCode],
    ["factor", byFactor],
    ["passkey", byPasskey],
    ["continue", confirmed]
  ])

  const page: AppPage = {
    show: Effect.fn("Login.show")(function* (request) {
      const query = queryOf(request)
      const flow = flowParamsIn(query)
      const secret = query("way") === "login" ? undefined : sessionSecretIn(request)
      const browserUser = yield* Effect.catchTag(browsers.find(request.app, secret), "SessionNotFound", () =>
        Effect.succeed(undefined)
      )
      const returnUrl = yield* returnUrlOf(request, flow)
      if (browserUser === undefined) {
        return showView(yield* loginForm(request, { flow, why: reasonIn(query) }, query("login_hint")))
      }
      const lacking = yield* stepUp(request, flow)
      if (lacking !== undefined) return lacking
      if (continuesWithoutAsking(request, yield* isOwnLogin(browserUser, flow)))
        return yield* resume(request, browserUser, flow)
      const view = continueView(request.context, { flow, name: browserUser.user.name })
      return showView(withRedirectTarget(returnUrl, view))
    }),
    submit: Effect.fn("Login.submit")(function* (request, form) {
      return yield* (actions.get(form("way")) ?? byPassword)(request, form, flowParamsIn(form))
    })
  }
  return page
})
