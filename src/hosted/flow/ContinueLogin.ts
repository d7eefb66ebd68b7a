import { Effect } from "effect"
import { AccountSettings } from "#core/account/AccountSettings"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import type { ProvedUser } from "#core/sessions/BrowserSessions"
import { type FlowParams, returnTargetOf } from "../FlowParams.ts"
import type { AppRequest } from "../RequestShell.ts"
import { appReturn } from "./AppReturn.ts"
import { nextPage } from "./NextPage.ts"

/** Where a user who is logged in goes on: at the page that asked for the login, at the choice of an org, or at the app. */
export const continueLogin = Effect.gen(function* () {
  const logins = yield* PasswordLoginFlow
  const account = yield* AccountSettings
  const returnToApp = yield* appReturn
  return Effect.fnUntraced(function* (request: AppRequest, browserUser: ProvedUser, flow: FlowParams) {
    const hasOrgs = request.context.realm.orgMode === "multi_user"
    const orgs = hasOrgs ? yield* account.orgs(browserUser.user) : []
    const chosen = orgs.length === 1 ? orgs[0] : orgs.find(({ id }) => id === browserUser.orgId)
    const orgId = chosen?.id
    const next = nextPage(flow, chosen === undefined ? orgs.length : 1)
    if (next === undefined) return yield* returnToApp(request, browserUser, flow, orgId)
    yield* logins.continueSession(request.app, browserUser, { ...returnTargetOf(flow), orgId })
    return next
  })
})
