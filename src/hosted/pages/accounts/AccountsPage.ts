import { Effect } from "effect"
import { AccountSettings } from "#core/account/AccountSettings"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { flowParamsIn, returnTargetOf } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { afterLogin } from "../../flow/AfterLogin.ts"
import { type AppPage, queryOf, showView } from "../../HostedPage.ts"
import { withRedirectTarget } from "../../markup/Document.ts"
import { type AppRequest, continuesWithoutAsking } from "../../RequestShell.ts"
import { accountsView } from "./AccountsView.ts"

/** `/accounts` lets a user choose the org to log in to. */
export const accountsPage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const logins = yield* PasswordLoginFlow
  const account = yield* AccountSettings
  const { resume } = yield* afterLogin

  const choice = Effect.fn("Accounts.show")(function* (request: AppRequest, values: FormValues) {
    const flow = flowParamsIn(values)
    const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
    const { user } = browserUser
    const returnUrl = yield* logins.returnUrlOf(request.app, returnTargetOf(flow), false)
    const orgs = yield* account.orgs(user)
    const [only, ...others] = orgs
    const isOnly = only !== undefined && others.length === 0
    if (isOnly && continuesWithoutAsking(request)) return yield* resume(request, browserUser, flow, only.id)
    const view = accountsView(request.context, {
      flow,
      accounts: orgs.map(({ id, name }) => ({ orgId: id, name, isCurrent: id === browserUser.orgId }))
    })
    return showView(withRedirectTarget(returnUrl, view))
  })

  const page: AppPage = {
    show: (request) => choice(request, queryOf(request)),
    submit: Effect.fn("Accounts.submit")(function* (request, form) {
      const flow = flowParamsIn(form)
      const browserUser = yield* browsers.find(request.app, sessionSecretIn(request))
      const org = (yield* account.orgs(browserUser.user)).find(({ id }) => id === form("org_id"))
      // The user has left the org in the meantime, or the org was closed.
      if (org === undefined) return yield* choice(request, form)
      yield* browsers.selectOrg(request.app, sessionSecretIn(request), org.id)
      return yield* resume(request, browserUser, flow, org.id)
    })
  }
  return page
})
