import { Effect } from "effect"
import { StepUps } from "#core/hosted/StepUps"
import { DeviceAuthorizations } from "#core/oauth/DeviceAuthorizations"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { noLoginRequirements } from "#domain/StepUp"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { pageUrl } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { codeView, decidedView, deviceConsentView, wrongCode } from "./DeviceViews.ts"

const decisions = { allow: "approved", deny: "denied" } as const

/**
 * `/device` lets a logged-in user enter the code of a device and decide whether the device may log in (RFC 8628 §3.3). A link
 * can contain the code, but the user still has to submit the form.
 */
export const devicePage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const devices = yield* DeviceAuthorizations
  const stepUps = yield* StepUps

  /** Returns the user of the browser, or undefined if the session lacks the second factor that the realm requires (SEC-132). */
  const visitorOf = Effect.fnUntraced(function* (request: AppRequest) {
    const visitor = yield* browsers.find(request.app, sessionSecretIn(request))
    return (yield* stepUps.missing(visitor, noLoginRequirements)) === "nothing" ? visitor : undefined
  })

  const login = ({ context }: AppRequest): PageResult => ({
    redirect: pageUrl("login", { ...context.flow, next: "device" })
  })

  const by = ({ app, client }: AppRequest, visitor: LoggedInVisitor) => ({ app, visitor, address: client.key })

  const show = Effect.fn("Device.show")(function* (request: AppRequest) {
    const visitor = yield* visitorOf(request)
    return visitor === undefined ? login(request) : showView(codeView(request.context, queryOf(request)("user_code")))
  })

  const submit = Effect.fn("Device.submit")(function* (request: AppRequest, form: FormValues) {
    const { context } = request
    const visitor = yield* visitorOf(request)
    if (visitor === undefined) return login(request)
    const [way, typed] = [form("way"), form("user_code")]
    if (way === "allow" || way === "deny") {
      const decided = yield* devices.decide(by(request, visitor), typed, decisions[way])
      return showView(
        decided === undefined ? codeView(context, "", wrongCode(context.texts)) : decidedView(context, decisions[way])
      )
    }
    const waiting = yield* devices.enterCode(by(request, visitor), typed)
    return showView(
      waiting === undefined
        ? codeView(context, typed, wrongCode(context.texts))
        : deviceConsentView(context, waiting, visitor.user)
    )
  })

  const page: AppPage = { show, submit }
  return page
})
