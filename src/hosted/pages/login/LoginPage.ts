import { DateTime, Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { BrowserSessions, type ProvedUser } from "#core/sessions/BrowserSessions"
import { AccountSettings } from "#core/users/AccountSettings"
import { isFreshProof } from "#domain/Reauthentication"
import { appReturn } from "../../AppReturn.ts"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { formRefusal, formRefusalOf, missingNameRefusal, refusedView } from "../../Errors.ts"
import { finishedLogin, loginDestination } from "../../FinishedLogin.ts"
import { type FlowParams, flowParamsIn, returnTargetOf } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import { mfaCodeView } from "../../markup/MfaCodeView.ts"
import { nextPage } from "../../NextPage.ts"
import { rateLimiter } from "../../RateLimit.ts"
import { type AppRequest, continuesAtOnce } from "../../RequestShell.ts"
import { secondCodeMail, secondFactorCodeIn, secondStep, secondStepRefusal } from "../../SecondStep.ts"
import { loginOffer } from "./LoginOffer.ts"
import { loginReason, reasonIn } from "./LoginReason.ts"
import { continueView, loginView } from "./LoginView.ts"

/**
 * Whether a login that has just been made is begun once more by the app, with a `state` of its own: apps that meet a login
 * without one do so (C106).
 */
const isOwnLogin = ({ provedAt }: ProvedUser, flow: FlowParams) =>
  Effect.map(DateTime.now, (now) => returnTargetOf(flow).state !== null && isFreshProof(provedAt, now))

/** What a login is asked for with: the way on, and why a page has led to it. */
interface Asked {
  readonly flow: FlowParams
  readonly why: FlowParams
}

const redirectTo = (redirect: string): PageResult => ({ redirect })

/** `/login`: logs in by password and second factor, or continues with the user who is logged in. */
export const loginPage = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const logins = yield* PasswordLoginFlow
  const browsers = yield* BrowserSessions
  const account = yield* AccountSettings
  const offerOf = yield* loginOffer
  const secondStepOf = yield* secondStep
  const sendSecondCode = yield* secondCodeMail
  const returnToApp = yield* appReturn
  const finish = yield* finishedLogin

  const returnUrlOf = ({ app }: AppRequest, flow: FlowParams) => logins.returnUrlOf(app, returnTargetOf(flow), false)

  const loginForm = Effect.fnUntraced(function* (
    request: AppRequest,
    { flow, why }: Asked,
    name: string,
    errors?: FieldErrors
  ) {
    const returnUrl = yield* returnUrlOf(request, flow)
    const reason = loginReason(request.context.texts, flow, why)
    const offer = { ...(yield* offerOf(request)), flow, why, name, reason }
    return withRedirectTarget(returnUrl, loginView(request.context, offer, errors))
  })

  const codeForm = Effect.fnUntraced(function* (
    request: AppRequest,
    { flow, why }: Asked,
    token: string,
    chosen?: string,
    errors?: FieldErrors
  ) {
    const returnUrl = yield* returnUrlOf(request, flow)
    const factors = yield* secondStepOf(token, chosen)
    const step = { ...factors, page: "login", flow: { ...flow, ...why }, login: token, restart: "login" }
    return withRedirectTarget(returnUrl, mfaCodeView(request.context, step, errors))
  })

  const byPassword = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const { context } = request
    const asked = { flow, why: reasonIn(form) }
    const name = form("name")
    if (name.trim() === "") {
      const missing = missingNameRefusal(context)
      return showView(refusedView(missing, yield* loginForm(request, asked, name, missing.errors)))
    }
    yield* rateLimit(request)
    const login = { ...loginDestination(request, flow), name, password: form("password") }
    return yield* logins.logIn(request.app, login).pipe(
      Effect.flatMap((outcome) =>
        outcome._tag === "LoggedIn"
          ? finish(request, flow, outcome)
          : Effect.map(codeForm(request, asked, outcome.token), showView)
      ),
      Effect.catchTag(["Rejected", "WrongPassword", "Blocked", "HashingBusy"], (failure) => {
        const refusal = formRefusalOf(context, failure)
        const view = loginForm(request, asked, name, refusal.errors)
        return Effect.map(view, (view) => showView(refusedView(refusal, view)))
      })
    )
  })

  const byCode = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const { context } = request
    yield* rateLimit(request)
    const asked = { flow, why: reasonIn(form) }
    const token = form("login")
    const destination = { ...loginDestination(request, flow), name: undefined, token }
    return yield* secondFactorCodeIn(form).pipe(
      Effect.flatMap((code) => logins.complete(request.app, { ...destination, code })),
      Effect.flatMap((outcome) => finish(request, flow, outcome)),
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) => {
        return Effect.gen(function* () {
          const { by } = yield* secondStepOf(token, form("by"))
          const refusal = secondStepRefusal(context, failure, by)
          return showView(refusedView(refusal, yield* codeForm(request, asked, token, by, refusal.errors)))
        })
      }),
      Effect.catchTag("TokenNotFound", () => {
        const lapsed = formRefusal(context.texts.invitation.lapsed)
        const view = loginForm(request, asked, "", lapsed.errors)
        return Effect.map(view, (view) => showView(refusedView(lapsed, view)))
      })
    )
  })

  /** Asks for another second factor, and sends its code where that goes by mail. */
  const byFactor = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    yield* rateLimit(request)
    yield* sendSecondCode(form)
    return showView(yield* codeForm(request, { flow, why: reasonIn(form) }, form("login"), form("by")))
  })

  const proceed = Effect.fnUntraced(function* (request: AppRequest, browserUser: ProvedUser, flow: FlowParams) {
    const hasOrgs = request.context.realm.orgMode === "multi_user"
    const orgs = hasOrgs ? yield* account.orgs(browserUser.user) : []
    const chosen = orgs.length === 1 ? orgs[0] : orgs.find(({ id }) => id === browserUser.orgId)
    const orgId = chosen?.id
    const next = nextPage(flow, chosen === undefined ? orgs.length : 1)
    if (next === undefined) return redirectTo(yield* returnToApp(request, browserUser, flow, orgId))
    yield* logins.continueSession(request.app, browserUser, { ...returnTargetOf(flow), orgId })
    return redirectTo(next)
  })

  const confirmed = Effect.fnUntraced(function* (request: AppRequest, _: FormValues, flow: FlowParams) {
    return yield* proceed(request, yield* browsers.find(request.app, sessionSecretIn(request)), flow)
  })

  type Action = (
    request: AppRequest,
    form: FormValues,
    flow: FlowParams
  ) => ReturnType<typeof byPassword | typeof confirmed | typeof byFactor>

  const actions = new Map<string, Action>([
    ["code", byCode],
    ["factor", byFactor],
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
      if (browserUser === undefined) return showView(yield* loginForm(request, { flow, why: reasonIn(query) }, ""))
      if (continuesAtOnce(request, yield* isOwnLogin(browserUser, flow)))
        return yield* proceed(request, browserUser, flow)
      const view = continueView(request.context, { flow, name: browserUser.user.name })
      return showView(withRedirectTarget(returnUrl, view))
    }),
    submit: Effect.fn("Login.submit")(function* (request, form) {
      return yield* (actions.get(form("way")) ?? byPassword)(request, form, flowParamsIn(form))
    })
  }
  return page
})
