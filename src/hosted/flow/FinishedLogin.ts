import { Effect } from "effect"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import type { LoggedIn } from "#domain/Login"
import { sessionSecretIn } from "../cookies/SessionCookie.ts"
import { type FlowParams, pageUrl, returnTargetOf, withoutDemands } from "../FlowParams.ts"
import type { FormValues } from "../Form.ts"
import type { PageResult } from "../HostedPage.ts"
import type { AppRequest } from "../RequestShell.ts"
import { nextPage, orgsToChoose } from "./NextPage.ts"
import { passkeyOffer } from "./PasskeyOffer.ts"

/** Where a login returns to, and what its token names. */
export const loginDestination = ({ context }: AppRequest, flow: FlowParams) => {
  const hasOrgs = context.realm.orgMode === "multi_user"
  return { ...returnTargetOf(flow), memberships: hasOrgs, selectsOnlyOrg: hasOrgs }
}

/**
 * Keeps the session of a login in the browser, and leads on: to the page that asked for the login, or to the app. `form`: of a
 * login with a password, after which a passkey may be offered.
 */
export const finishedLogin = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const offerPasskey = yield* passkeyOffer
  return Effect.fnUntraced(function* (request: AppRequest, flow: FlowParams, loggedIn: LoggedIn, form?: FormValues) {
    const { login, returnUrl } = loggedIn
    const session = yield* browsers.keep(request.app, login.session, sessionSecretIn(request))
    const rest = withoutDemands(flow)
    const offered = form === undefined ? undefined : yield* offerPasskey(request, login, form, rest)
    const redirect = offered ?? nextPage(rest, orgsToChoose(request, loggedIn)) ?? returnUrl ?? pageUrl("profile", rest)
    const result: PageResult = { redirect, session }
    return result
  })
})
