import { Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { Signups } from "#core/hosted/Signups"
import { withKnownProblems } from "#domain/KnownProblems"
import type { LoginOutcome } from "#domain/Login"
import type { VerificationSent } from "#domain/NextStep"
import { problem } from "#domain/Rejected"
import { RedirectRefused } from "#domain/ReturnUrl"
import { asksForUsername, extraFieldsOf, resolveSignupFlow, type SignupForm } from "#domain/Signup"
import { nonBlank } from "#domain/Text"
import { formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { type FlowParams, flowParamsIn, pageUrl, returnTargetOf, withoutDemands } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { afterLogin, loginDestination } from "../../flow/AfterLogin.ts"
import { secondFactorForm, secondFactorIn, secondStepRefusal } from "../../flow/SecondStep.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import { emailSentView } from "../../markup/EmailSentView.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { loginOffer } from "../login/LoginOffer.ts"
import { preverifyView, requestAccessView, signupClosedView, signupView } from "./SignupView.ts"

const blankForm: FormValues = () => ""

/** `/signup` creates an account, sends an email for creating one, or requests an invitation (C40a, C41). */
export const signupPage = Effect.gen(function* () {
  const signups = yield* Signups
  const logins = yield* PasswordLoginFlow
  const askSecondFactor = yield* secondFactorForm
  const { finish } = yield* afterLogin
  const offerOf = yield* loginOffer

  const wayOf = ({ context, app }: AppRequest) => resolveSignupFlow(context.realm, app)

  const accountView = Effect.fnUntraced(function* (
    request: AppRequest,
    flow: FlowParams,
    form: FormValues,
    errors?: FieldErrors
  ) {
    const { context, app } = request
    const returnUrl = yield* logins.returnUrlOf(app, returnTargetOf(flow), true)
    const { providers } = yield* offerOf(request)
    const offer = {
      flow,
      values: {
        username: form("username"),
        email: form("email"),
        first_name: form("first_name"),
        last_name: form("last_name"),
        org_name: form("org_name")
      },
      usernames: asksForUsername(context.realm),
      passwordRequirements: yield* signups.passwordRequirements,
      confirmation: app.requirePasswordConfirmation,
      ...extraFieldsOf(context.realm, app),
      providers
    } as const
    return withRedirectTarget(returnUrl, signupView(context, offer, errors))
  })

  const viewOf = Effect.fnUntraced(function* (
    request: AppRequest,
    flow: FlowParams,
    form: FormValues,
    errors?: FieldErrors
  ) {
    const { context } = request
    const way = wayOf(request)
    if (way === "none") return signupClosedView(context, flow)
    const offer = { flow, values: { email: form("email") } }
    if (way === "request") return requestAccessView(context, offer, errors)
    return way === "preverify" ? preverifyView(context, offer, errors) : yield* accountView(request, flow, form, errors)
  })

  const signupForm = ({ app }: AppRequest, form: FormValues): SignupForm => ({
    username: form("username"),
    email: form("email"),
    emailConfirmation: undefined,
    password: form("password"),
    passwordConfirmation: app.requirePasswordConfirmation ? form("password_confirmation") : undefined,
    firstName: form("first_name"),
    lastName: form("last_name"),
    orgName: form("org_name")
  })

  const proceed = (request: AppRequest, flow: FlowParams, outcome: LoginOutcome | VerificationSent) =>
    finish(request, outcome, {
      flow: withoutDemands(flow),
      secondFactor: { page: "signup", flow },
      isNew: true
    })

  const signUp = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    // Without an email, nobody could recover the account. The pages require an email even if the realm doesn't.
    const problems = nonBlank(form("email")) === null ? [problem("email", "blank")] : []
    const selectsOnlyOrg = request.context.realm.orgMode === "multi_user"
    const target = { ...returnTargetOf(flow), selectsOnlyOrg }
    const outcome = yield* withKnownProblems(problems, signups.signUp(request.app, signupForm(request, form), target))
    if (outcome._tag === "SignupToken") {
      const { returnUrl } = outcome
      const result: PageResult = { redirect: returnUrl ?? (yield* new RedirectRefused({ why: "handler_missing" })) }
      return result
    }
    return yield* proceed(request, flow, outcome)
  })

  /** Accepts the second factor, which completes the login after a sign-up. */
  const byCode = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const token = form("login")
    const pending = { ...loginDestination(request, flow), name: undefined, token, isNew: true }
    return yield* secondFactorIn(form).pipe(
      Effect.flatMap((code) => logins.complete(request.app, { ...pending, code })),
      Effect.flatMap((outcome) => proceed(request, flow, outcome)),
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) => {
        const refusal = secondStepRefusal(request.context, failure, "totp")
        const view = askSecondFactor(request, { page: "signup", flow }, token, undefined, refusal.errors)
        return Effect.map(view, (view) => showView(withRefusalStatus(refusal, view)))
      }),
      Effect.catchTag("TokenNotFound", () => Effect.succeed<PageResult>({ redirect: pageUrl("login", flow) }))
    )
  })

  const requestAccess = Effect.fnUntraced(function* ({ context, app }: AppRequest, form: FormValues, flow: FlowParams) {
    yield* signups.request(app, form("email"))
    return showView(emailSentView(context, { flow, kind: "request", to: form("email").trim() }))
  })

  const page: AppPage = {
    show: (request) => Effect.map(viewOf(request, flowParamsIn(queryOf(request)), blankForm), showView),
    submit: Effect.fn("Signup.submit")(function* (request, form) {
      const flow = flowParamsIn(form)
      if (form("way") === "code") return yield* byCode(request, form, flow)
      const action = wayOf(request) === "request" ? requestAccess : signUp
      return yield* action(request, form, flow).pipe(
        Effect.catchTag(["Rejected", "HashingBusy"], (failure) => {
          const refusal = formRefusalOf(request.context, failure)
          const view = viewOf(request, flow, form, refusal.errors)
          return Effect.map(view, (view) => showView(withRefusalStatus(refusal, view)))
        }),
        Effect.catchTag("SignupClosed", () => Effect.map(viewOf(request, flow, form), showView))
      )
    })
  }
  return page
})
