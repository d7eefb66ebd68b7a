import { Effect } from "effect"
import { MemberInvites } from "#core/invitations/MemberInvites"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { TokenNotFound } from "#domain/Login"
import type { CurrentRealm } from "#domain/Realm"
import { nonBlank } from "#domain/Text"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import { formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import type { FormValues } from "../../Form.ts"
import { type AppPage, type PageResult, queryOf, showView } from "../../HostedPage.ts"
import type { FieldErrors } from "../../markup/Fields.ts"
import type { AppRequest } from "../../RequestShell.ts"
import { acceptInvitationPage } from "./AcceptInvitationPage.ts"
import { appInvitationHost } from "./AppInvitationHost.ts"
import { invitationSentView, inviteView } from "./InviteView.ts"
import { cannotInviteView, usedInvitationView } from "./UsedInvitationView.ts"

/** `/invitation` invites other people or, with a token from an email, accepts an invitation (C40a). */
export const invitationPage = Effect.gen(function* () {
  const browsers = yield* BrowserSessions
  const inviting = yield* MemberInvites
  const accept = yield* acceptInvitationPage(yield* appInvitationHost)

  const cannotInvite = ({ app, context }: AppRequest): PageResult =>
    showView(cannotInviteView(context, app.allowInvitations && context.realm.orgMode !== "single_user"))

  /** Returns the invitation form, or undefined if the user is not allowed to invite people. */
  const invite = Effect.fnUntraced(function* (request: AppRequest, form: FormValues, errors?: FieldErrors) {
    const { user, orgId } = yield* browsers.find(request.app, sessionSecretIn(request))
    const offer = yield* inviting.offer(request.app, user)
    if (offer === undefined) return undefined
    const values = { email: form("email"), org_id: nonBlank(form("org_id")) ?? orgId ?? "" }
    const orgs = offer._tag === "Orgs" ? offer.orgs.map(({ id, name }) => ({ id, name })) : undefined
    return inviteView(request.context, { orgs, values }, errors)
  })

  /** If a link no longer works, shows logged-in users a page that links to the app instead of the login. */
  const withUsedInvitationPage = <E>(
    request: AppRequest,
    result: Effect.Effect<PageResult, E | TokenNotFound, CurrentRealm>
  ) =>
    Effect.catchIf(
      result,
      (failure): failure is Extract<E | TokenNotFound, TokenNotFound> => failure instanceof TokenNotFound,
      (failure) =>
        browsers.find(request.app, sessionSecretIn(request)).pipe(
          Effect.as(showView(usedInvitationView(request.context))),
          Effect.catchTag("SessionNotFound", () => Effect.fail(failure))
        )
    )

  const page: AppPage = {
    show: Effect.fn("Invitation.show")(function* (request) {
      if (queryOf(request)("token") !== "") return yield* withUsedInvitationPage(request, accept.show(request))
      const view = yield* invite(request, () => "")
      return view === undefined ? cannotInvite(request) : showView(view)
    }),
    submit: Effect.fn("Invitation.submit")(function* (request, form) {
      if (form("token") !== "") return yield* withUsedInvitationPage(request, accept.submit(request, form))
      const { context } = request
      const { user } = yield* browsers.find(request.app, sessionSecretIn(request))
      const invited = { email: form("email"), orgId: form("org_id") }
      return yield* inviting.invite(request.app, user, invited).pipe(
        Effect.map(() => showView(invitationSentView(context, { email: invited.email.trim() }))),
        Effect.catchTag("InvitingNotAllowed", () => Effect.succeed(cannotInvite(request))),
        Effect.catchTag("Rejected", (failure) => {
          const refusal = formRefusalOf(context, failure)
          return Effect.map(invite(request, form, refusal.errors), (view) =>
            view === undefined ? cannotInvite(request) : showView(withRefusalStatus(refusal, view))
          )
        })
      )
    })
  }
  return page
})
