import { Effect, Match } from "effect"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { AccountSettings } from "#core/account/AccountSettings"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { returnPageOf } from "#domain/HostedPaths"
import type { OrgId } from "#domain/Ids"
import type { LoggedIn, LoginOutcome } from "#domain/Login"
import { type LoginState, nextStep, type VerificationSent } from "#domain/NextStep"
import { RedirectRefused, resolveReturnUrl } from "#domain/ReturnUrl"
import { carriesSignupNotice, remainingNotice, type SignupNotice } from "#domain/SignupNotice"
import { noDemands } from "#domain/StepUp"
import { hasDeclinedPasskey } from "../cookies/PasskeyOfferCookie.ts"
import { sessionSecretIn } from "../cookies/SessionCookie.ts"
import { type FlowParams, pageUrl, returnTargetOf } from "../FlowParams.ts"
import type { FormValues } from "../Form.ts"
import { type PageResult, showView } from "../HostedPage.ts"
import { emailSentView } from "../markup/EmailSentView.ts"
import { PASSKEY_SUPPORT } from "../markup/PasskeyForm.ts"
import type { AppRequest } from "../RequestShell.ts"
import { type SecondFactorPage, secondFactorForm } from "./SecondStep.ts"

const hasOrgs = ({ context }: AppRequest): boolean => context.realm.orgMode === "multi_user"

/** The return URL of a login, and what its token contains. */
export const loginDestination = (request: AppRequest, flow: FlowParams) => ({
  ...returnTargetOf(flow),
  memberships: hasOrgs(request),
  selectsOnlyOrg: hasOrgs(request)
})

/** The number of orgs that a user who has just logged in can choose from. */
export const orgsToChoose = (request: AppRequest, outcome: LoginOutcome): number =>
  hasOrgs(request) && outcome._tag === "LoggedIn"
    ? outcome.login.memberships.filter(({ org }) => org !== null).length
    : 0

/** How a login continues. Defaults: the page that `flow` names, no org to choose, no passkey to offer. */
export interface Continuation extends Partial<Omit<LoginState, "outcome">> {
  /** The parameters of the next page. */
  readonly flow: FlowParams
  /** The path of the pages, relative to the current page. Default: both are in the same folder. */
  readonly base?: string
  /** The form for a second factor. Default: that of the login page. */
  readonly secondFactor?: SecondFactorPage
}

/** A login that is complete, or still needs a second factor or a verified email. */
type Outcome = LoginOutcome | VerificationSent

/** Decides what comes next in a login (`nextStep`), and shows that page or redirects to it. */
const takeStep = Effect.gen(function* () {
  const askSecondFactor = yield* secondFactorForm
  return Effect.fnUntraced(function* (
    request: AppRequest,
    outcome: LoginState["outcome"],
    { flow, base = "", secondFactor = { page: "login", flow }, ...state }: Continuation
  ) {
    const step = nextStep({
      outcome,
      page: returnPageOf(flow["next"] ?? ""),
      orgCount: 0,
      mayOfferPasskey: false,
      lacksSecondFactor: false,
      ...state
    })
    const { next: _, ...rest } = flow
    const to = (page: string, params: FlowParams, more?: FlowParams) =>
      Effect.succeed<PageResult>({ redirect: base + pageUrl(page, params, more) })
    const ask = ({ token }: { readonly token: string }) =>
      Effect.map(askSecondFactor(request, secondFactor, token), showView)
    const result = yield* Match.valueTags(step, {
      VerifyEmail: ({ email }) =>
        Effect.succeed(showView(emailSentView(request.context, { flow, kind: "preverify", to: email }))),
      SecondFactor: ask,
      Enrolment: ask,
      PasskeyOffer: () => to("passkey", flow, { offer: "1" }),
      Authorization: () => to("authorize", rest),
      Page: ({ page }) => to(page, rest),
      OrgChoice: () => to("accounts", flow),
      StepUp: () => to("login", flow),
      App: ({ url }) => Effect.succeed<PageResult>({ redirect: url }),
      Profile: () => to("profile", flow)
    })
    /** What the app still has to be told of a sign-up, once the browser has taken the step. */
    const notice: SignupNotice = step._tag === "App" ? remainingNotice(returnTargetOf(flow)) : "due"
    return { step, result, notice }
  })
})

/** What a completed login stores in the browser, besides the session. */
interface Completion extends Continuation {
  /** The org that the user has just joined, which becomes the browser's choice. */
  readonly orgId?: OrgId | null
  /** Whether the user has just signed up. */
  readonly isNew?: boolean
  /** The form of the login, if a passkey may be offered after it. */
  readonly form?: FormValues
}

/** Continues logins on the pages of an app. */
export const afterLogin = Effect.gen(function* () {
  const take = yield* takeStep
  const browsers = yield* BrowserSessions
  const logins = yield* PasswordLoginFlow
  const account = yield* AccountSettings
  const passkeys = yield* AccountPasskeys
  const stepUps = yield* StepUps

  /** Whether the browser could create a passkey, and the user has none and has not declined one in this browser (C138). */
  const mayOfferPasskey = Effect.fnUntraced(function* (
    request: AppRequest,
    { login: { user } }: LoggedIn,
    form: FormValues
  ) {
    const isPossible = form(PASSKEY_SUPPORT) === "1" && user.userType === "human"
    if (!isPossible || hasDeclinedPasskey(request, user.id)) return false
    const own = yield* passkeys.list(user)
    return own?.length === 0
  })

  /** Takes the next step after a login or a sign-up. Stores the session in the browser if the login is complete. */
  const finish = Effect.fnUntraced(function* (request: AppRequest, outcome: Outcome, completion: Completion) {
    const { orgId = null, isNew = false, form, ...continuation } = completion
    const isLoggedIn = outcome._tag === "LoggedIn"
    const offers = isLoggedIn && form !== undefined && (yield* mayOfferPasskey(request, outcome, form))
    const { result, notice } = yield* take(request, outcome, { ...continuation, mayOfferPasskey: offers })
    if (!isLoggedIn) return result
    const kept = { orgId, signupNotice: isNew ? notice : null }
    const session = yield* browsers.store(request.app, outcome.login.session, sessionSecretIn(request), kept)
    return { ...result, session }
  })

  /**
   * Takes the next step of a user who is already logged in, with a new token for the app. The app is told of a sign-up that it has
   * not heard of (C124). `chosen`: the org that the user has just chosen.
   */
  const resume = Effect.fnUntraced(function* (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    flow: FlowParams,
    chosen?: OrgId
  ) {
    const orgs = hasOrgs(request) && chosen === undefined ? yield* account.orgs(browserUser.user) : []
    const current = orgs.length === 1 ? orgs[0] : orgs.find(({ id }) => id === browserUser.orgId)
    const orgId = chosen ?? current?.id
    const lacksSecondFactor = (yield* stepUps.missing(browserUser, noDemands)) !== "nothing"
    const target = returnTargetOf(flow)
    const tells = carriesSignupNotice(browserUser.signupNotice, target)
    const url = resolveReturnUrl(request.app, target, tells)
    const hasNoHandler = url instanceof RedirectRefused && url.why === "handler_missing"
    const state = {
      flow,
      orgCount: orgId === undefined ? orgs.length : 1,
      lacksSecondFactor,
      ...(chosen === undefined ? {} : { page: null })
    }
    const planned = yield* take(request, { _tag: "LoggedIn", returnUrl: hasNoHandler ? null : String(url) }, state)
    if (planned.step._tag === "StepUp") return planned.result
    const isNew = tells && planned.step._tag === "App"
    const loggedIn = yield* logins.continueSession(request.app, browserUser, { ...target, orgId, isNew })
    if (isNew) yield* browsers.setSignupNotice(request.app, sessionSecretIn(request), planned.notice)
    return (yield* take(request, loggedIn, state)).result
  })

  return { take, finish, resume }
})
