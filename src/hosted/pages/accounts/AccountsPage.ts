import { Effect } from "effect"
import { PasswordLoginFlow } from "#core/hosted/PasswordLoginFlow"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { AccountSettings } from "#core/users/AccountSettings"
import { sessionIn } from "../../cookies/SessionCookie.ts"
import { type AppPage, carriedIn, leadingTo, shows, wayBackOf } from "../../HostedPage.ts"
import { address } from "../../markup/Fields.ts"
import { accountsPage } from "./AccountsView.ts"

/** `/accounts`: in the name of which org somebody goes on. */
export const accounts = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const logins = yield* PasswordLoginFlow
  const inviting = yield* MemberInvites
  const own = yield* AccountSettings
  const page: AppPage = {
    show: Effect.fn("Accounts.show")(function* (call) {
      const carried = carriedIn(call.query)
      const { user } = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
      const place = yield* logins.placeOf(call.app, wayBackOf(carried), false)
      const orgs = yield* own.orgs(user)
      const choice = {
        carried,
        accounts: orgs.map(({ id, name }) => ({ orgId: id, name })),
        invites: (yield* inviting.offer(user)) !== undefined
      }
      return shows(leadingTo(place, accountsPage(call.visit, choice)))
    }),
    act: Effect.fn("Accounts.act")(function* (call, form) {
      const carried = carriedIn(form)
      const who = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
      const org = (yield* own.orgs(who.user)).find(({ id }) => id === form("org_id"))
      // It was left or closed meanwhile: the choice once more.
      if (org === undefined) return yield* page.show({ ...call, query: form })
      const { url } = yield* logins.handOver(call.app, who, { ...wayBackOf(carried), orgId: org.id })
      return { to: url ?? address("profile", carried) }
    })
  }
  return page
})
