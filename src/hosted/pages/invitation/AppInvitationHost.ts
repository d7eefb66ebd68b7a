import { Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { StepUps } from "#core/hosted/StepUps"
import { BrowserSessions, type BrowserUser } from "#core/sessions/BrowserSessions"
import { noLoginRequirements } from "#domain/StepUp"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import type { AppPageFailure } from "../../Errors.ts"
import { pageUrl, returnTargetOf, withoutDemands } from "../../FlowParams.ts"
import { afterLogin } from "../../flow/AfterLogin.ts"
import type { AppRequest } from "../../RequestShell.ts"
import type { InvitationHost } from "./AcceptInvitationPage.ts"

/** On the host of an app, accepting an invitation leads to the app, with the user logged in (C74). */
export const appInvitationHost = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const logins = yield* PasswordLoginFlow
  const stepUps = yield* StepUps
  const afterwards = yield* afterLogin

  const host: InvitationHost<AppRequest, AppPageFailure> = {
    visitor: (request) =>
      browsers.find(request.app, sessionSecretIn(request)).pipe(
        Effect.map((found): BrowserUser | undefined => found),
        Effect.catchTag("SessionNotFound", () => Effect.succeed(undefined))
      ),
    returnUrl: ({ app, context }, isNew) => logins.returnUrlOf(app, returnTargetOf(context.flow ?? {}), isNew),
    finish: Effect.fnUntraced(function* (request, { seen, user, session, authentication, by }) {
      const { flow = {}, realm } = request.context
      const hasOrgs = realm.orgMode === "multi_user"
      const orgId = hasOrgs ? seen.invitation.orgId : null
      const secret = sessionSecretIn(request)
      const isNew = by === "signup"
      if (by === "visitor") {
        if (orgId !== null) yield* browsers.selectOrg(request.app, secret, orgId)
        const visitor = yield* browsers.find(request.app, secret)
        if ((yield* stepUps.missing(visitor, noLoginRequirements)) !== "nothing")
          return { redirect: pageUrl("login", flow) }
      }
      const next = withoutDemands(flow)
      const loggedIn = yield* logins.continueSession(
        request.app,
        { user, session, authentication },
        {
          ...returnTargetOf(flow),
          orgId: orgId ?? undefined,
          selectsOnlyOrg: hasOrgs,
          isNew
        }
      )
      return by === "visitor"
        ? (yield* afterwards.take(request, loggedIn, { flow: next })).result
        : yield* afterwards.finish(request, loggedIn, { flow: next, orgId, isNew })
    }),
    /** Logs the user in and redirects to the invitation page, which shows the notice. */
    leave: Effect.fnUntraced(function* (request, { token, login }) {
      const session = yield* browsers.store(request.app, login.session, sessionSecretIn(request))
      return { redirect: pageUrl("invitation", { token }, request.context.flow), session }
    })
  }
  return host
})
