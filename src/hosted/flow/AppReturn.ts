import { Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { BrowserSessions, type ProvedUser } from "#core/sessions/BrowserSessions"
import type { OrgId } from "#domain/Ids"
import { remainingNotice, tellsOfSignup } from "#domain/SignupNotice"
import { noDemands } from "#domain/StepUp"
import { sessionSecretIn } from "../cookies/SessionCookie.ts"
import { type FlowParams, pageUrl, returnTargetOf } from "../FlowParams.ts"
import type { AppRequest } from "../RequestShell.ts"

/**
 * The URL at which a user who is logged in goes on to the app, which is told of a sign-up that it has not heard of (C124); the
 * profile where the app has no login handler. The login page where the realm requires a second factor that was not shown
 * (SEC-132).
 */
export const appReturn = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const logins = yield* PasswordLoginFlow
  const stepUps = yield* StepUps
  return Effect.fnUntraced(function* (
    request: AppRequest,
    browserUser: ProvedUser,
    flow: FlowParams,
    orgId: OrgId | undefined
  ) {
    if ((yield* stepUps.missing(browserUser, noDemands)) !== "nothing") return pageUrl("login", flow)
    const target = returnTargetOf(flow)
    const isNew = tellsOfSignup(browserUser.signupNotice, target)
    const { returnUrl } = yield* logins.continueSession(request.app, browserUser, { ...target, orgId, isNew })
    if (returnUrl === null) return pageUrl("profile", flow)
    if (isNew) yield* browsers.setSignupNotice(request.app, sessionSecretIn(request), remainingNotice(target))
    return returnUrl
  })
})
