import { Effect, Match } from "effect"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { AccountSettings } from "#core/account/AccountSettings"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { CONSOLE_HOME, returnPageOf } from "#domain/HostedPaths"
import { CONSOLE_APP, type OrgId } from "#domain/Ids"
import type { LoggedIn, LoginOutcome } from "#domain/Login"
import { type LoginState, nextStep, type VerificationSent } from "#domain/NextStep"
import { RedirectRefused, resolveReturnUrl } from "#domain/ReturnUrl"
import { carriesSignupNotice, remainingNotice, type SignupNotice } from "#domain/SignupNotice"
import { noLoginRequirements } from "#domain/StepUp"
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

/** The return URL of a login, and the contents of its token. */
export const loginDestination = (request: AppRequest, flow: FlowParams) => ({
  ...returnTargetOf(flow),
  memberships: hasOrgs(request),
  selectsOnlyOrg: hasOrgs(request)
})

/** Returns the number of orgs that a user who has just logged in can choose from. */
export const orgsToChoose = (request: AppRequest, outcome: LoginOutcome): number =>
  hasOrgs(request) && outcome._tag === "LoggedIn"
    ? outcome.login.memberships.filter(({ org }) => org !== null).length
    : 0

/**
 * How a login continues. By default, it continues on the page named by `flow`, with no org to choose and no passkey to offer.
 */
export interface Continuation extends Partial<Omit<LoginState, "outcome">> {
  /** The parameters of the next page. */
  readonly flow: FlowParams
  /** The path of the pages, relative to the current page. By default, they are in the same folder. */
  readonly base?: string
  /** The page for the second factor. Defaults to the login page. */
  readonly secondFactor?: SecondFactorPage
}

/** A completed login, or a login that still needs a second factor or a verified email. */
type Outcome = LoginOutcome | VerificationSent

/** Decides the next step of a login (`nextStep`), and shows its page or redirects to it. */
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
      isDeletionScheduled: false,
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
      DeletionNotice: () => to("deletion", flow),
      PasskeyOffer: () => to("passkey", flow, { offer: "1" }),
      Authorization: () => to("authorize", rest),
      Page: ({ page }) => to(page, rest),
      OrgChoice: () => to("accounts", flow),
      StepUp: () => to("login", flow),
      App: ({ url }) => Effect.succeed<PageResult>({ redirect: url }),
      Profile: () =>
        request.app.id === CONSOLE_APP ? Effect.succeed<PageResult>({ redirect: CONSOLE_HOME }) : to("profile", flow)
    })
    /** Whether the app still has to be notified of a sign-up after this step. */
    const notice: SignupNotice = step._tag === "App" ? remainingNotice(returnTargetOf(flow)) : "due"
    return { step, result, notice }
  })
})

/** The data that a completed login stores in the browser, besides the session. */
interface Completion extends Continuation {
  /** The org that the user has just joined. It becomes the selected org in this browser. */
  readonly orgId?: OrgId | null
  /** Whether the user has just signed up. */
  readonly isNew?: boolean
  /** The form of the login, set if a passkey may be offered after it. */
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

  /**
   * Returns whether to offer a passkey: the browser can create one, and the user neither has one nor declined one in this
   * browser (C138).
   */
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

  /** Takes the next step after a login or a sign-up. If the login is complete, stores the session in the browser. */
  const finish = Effect.fnUntraced(function* (request: AppRequest, outcome: Outcome, completion: Completion) {
    const { orgId = null, isNew = false, form, ...continuation } = completion
    const isLoggedIn = outcome._tag === "LoggedIn"
    const offers = isLoggedIn && form !== undefined && (yield* mayOfferPasskey(request, outcome, form))
    const { result, notice } = yield* take(request, outcome, {
      ...continuation,
      isDeletionScheduled: isLoggedIn && outcome.login.user.deletionAt !== null,
      mayOfferPasskey: offers
    })
    if (!isLoggedIn) return result
    const details = { orgId, signupNotice: isNew ? notice : null }
    const session = yield* browsers.store(request.app, outcome.login.session, sessionSecretIn(request), details)
    return { ...result, session }
  })

  /**
   * Takes the next step for a user who is already logged in, with a new token for the app. Notifies the app of a sign-up if
   * that has not happened yet (C124). `chosen` is the org that the user has just chosen.
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
    const lacksSecondFactor = (yield* stepUps.missing(browserUser, noLoginRequirements)) !== "nothing"
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
