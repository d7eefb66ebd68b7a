import { Effect } from "effect"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { sessionIn } from "../../cookies/SessionCookie.ts"
import { refusalOf, refused } from "../../Errors.ts"
import type { Filled } from "../../Form.ts"
import { type AppPage, type Errors, type PageCall, shows, type Turn } from "../../HostedPage.ts"
import { address } from "../../markup/Fields.ts"
import { appCalls } from "../../RequestShell.ts"
import { invitation } from "./AcceptInvitationPage.ts"
import { invitedPage, invitePage } from "./InviteView.ts"

const home = ({ visit }: PageCall): Turn => ({ to: address("profile", visit.carried) })

/** `/invitation`: invites others; by the link of a mail, accepts an invitation (decision 40a). */
export const invite = Effect.gen(function* () {
  const { counted } = yield* appCalls
  const browsers = yield* BrowserSessions
  const inviting = yield* MemberInvites
  const landing = yield* invitation

  const shown = Effect.fnUntraced(function* (call: PageCall, form: Filled, errors?: Errors) {
    const { user } = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
    const offer = yield* inviting.offer(user)
    const values = { email: form("email"), org_id: form("org_id") }
    const orgs = offer?._tag === "Orgs" ? offer.orgs.map(({ id, name }) => ({ id, name })) : undefined
    return offer === undefined ? undefined : invitePage(call.visit, { orgs, values }, errors)
  })

  const shownOrAway = (call: PageCall, form: Filled, errors?: Errors) =>
    Effect.map(shown(call, form, errors), (page) => (page === undefined ? home(call) : shows(page)))

  const page: AppPage = {
    show: Effect.fn("Invite.show")(function* (call) {
      const token = call.query("token")
      if (token === "") return yield* shownOrAway(call, () => "")
      return shows(yield* landing.show(call.visit, { token, holder: undefined }, call.query))
    }),
    act: Effect.fn("Invite.act")(function* (call, form) {
      const token = form("token")
      yield* counted(call)
      if (token !== "") return shows(yield* landing.act(call.visit, { token, holder: undefined }, form))
      const { user } = yield* browsers.find(call.app, sessionIn(call.request, call.origin))
      const asked = { email: form("email"), orgId: form("org_id") }
      return yield* inviting.invite(user, asked).pipe(
        Effect.map(() => shows(invitedPage(call.visit, { email: asked.email.trim() }))),
        Effect.catchTag("NotInviting", () => Effect.succeed(home(call))),
        Effect.catchTag("Rejected", (word) => {
          const refusal = refusalOf(call.visit, word)
          return Effect.map(shown(call, form, refusal.errors), (again) =>
            again === undefined ? home(call) : shows(refused(refusal, () => again))
          )
        })
      )
    })
  }
  return page
})
