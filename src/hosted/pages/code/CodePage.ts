import { Effect } from "effect"
import { EmailCodeFlow } from "#core/hosted/EmailCodeFlow"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { EmailCodes } from "#core/login/EmailCodes"
import { SelfServiceMails } from "#core/login/SelfServiceMails"
import type { LoginOutcome } from "#domain/Login"
import { missingNameRefusal, withRefusalStatus } from "../../Errors.ts"
import { type FlowParams, flowParamsIn, returnTargetOf, withoutDemands } from "../../FlowParams.ts"
import { codeIn, type FormValues } from "../../Form.ts"
import { afterLogin, loginDestination, orgsToChoose } from "../../flow/AfterLogin.ts"
import { secondStepRefusal } from "../../flow/SecondStep.ts"
import { type AppPage, type LinkPage, queryOf, showView } from "../../HostedPage.ts"
import { type View, withRedirectTarget } from "../../markup/Document.ts"
import { rateLimiter } from "../../RateLimit.ts"
import type { AppRequest, HostedRequest } from "../../RequestShell.ts"
import { codeEntryView, codeLinkView, codeRequestView, typeCodeView } from "./CodeView.ts"

/** `/code` emails a code, and logs in with the code or with the link in the email. */
export const codePage = Effect.gen(function* () {
  const rateLimit = yield* rateLimiter
  const mails = yield* SelfServiceMails
  const codes = yield* EmailCodes
  const logins = yield* EmailCodeFlow
  const passwordLogins = yield* PasswordLoginFlow
  const { finish } = yield* afterLogin

  /** A view whose form can lead to the app. */
  const withAppTarget = ({ app }: AppRequest, flow: FlowParams, view: View) =>
    Effect.map(passwordLogins.returnUrlOf(app, returnTargetOf(flow), false), (url) => withRedirectTarget(url, view))

  const proceed = (request: AppRequest, flow: FlowParams, outcome: LoginOutcome) =>
    finish(request, outcome, {
      flow: withoutDemands(flow),
      secondFactor: { page: "login", flow },
      orgCount: orgsToChoose(request, outcome)
    })

  const send = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const { context } = request
    const name = form("name").trim()
    if (name === "") {
      const missing = missingNameRefusal(context)
      return showView(withRefusalStatus(missing, codeRequestView(context, { flow, name }, missing.errors)))
    }
    yield* rateLimit(request)
    const login = yield* mails.loginCode(name)
    return showView(yield* withAppTarget(request, flow, codeEntryView(context, { flow, name, login })))
  })

  const enter = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    const { context, app } = request
    yield* rateLimit(request)
    const [name, login] = [form("name"), form("login")]
    return yield* codeIn(form).pipe(
      Effect.flatMap((code) => logins.logIn(app, { ...loginDestination(request, flow), name, token: login, code })),
      Effect.flatMap((outcome) => proceed(request, flow, outcome)),
      Effect.catchTag(["Rejected", "WrongCode", "Blocked"], (failure) => {
        const refusal = secondStepRefusal(context, failure, "email_code")
        const view = withAppTarget(request, flow, codeEntryView(context, { flow, name, login }, refusal.errors))
        return Effect.map(view, (view) => showView(withRefusalStatus(refusal, view)))
      })
    )
  })

  const open = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, flow: FlowParams) {
    yield* rateLimit(request)
    const outcome = yield* logins.open(request.app, form("token"), loginDestination(request, flow))
    return yield* proceed(request, flow, outcome)
  })

  const actions = new Map([
    ["enter", enter],
    ["link", open]
  ])

  const page: AppPage = {
    show: Effect.fn("Code.show")(function* (request) {
      const query = queryOf(request)
      const flow = flowParamsIn(query)
      const link = query("token")
      if (link === "") return showView(codeRequestView(request.context, { flow, name: "" }))
      const seen = yield* codes.preview(link)
      if (!seen.completes) return showView(typeCodeView(request.context))
      return showView(yield* withAppTarget(request, flow, codeLinkView(request.context, link, seen)))
    }),
    submit: Effect.fn("Code.submit")(function* (request, form) {
      return yield* (actions.get(form("way")) ?? send)(request, form, flowParamsIn(form))
    })
  }
  return page
})

/** `…/code` of a realm without an app. Without an app to log in to, the user has to type the code where it was requested. */
export const realmCodePage = Effect.map(EmailCodes, (codes) => {
  const show = (link: string, { context }: HostedRequest) =>
    Effect.map(codes.preview(link), () => showView(typeCodeView(context)))
  const page: LinkPage = {
    show: (request) => show(queryOf(request)("token"), request),
    submit: (request, form) => show(form("token"), request)
  }
  return page
})
