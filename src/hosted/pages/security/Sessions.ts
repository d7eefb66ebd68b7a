import { Effect } from "effect"
import { OwnSessions } from "#core/sessions/OwnSessions"
import { redirectTo } from "../../HostedPage.ts"
import { type AccountAction, redirectToSavedOn, userGone } from "../account/AccountPage.ts"
import type { SecuritySection } from "./SecuritySection.ts"
import { sessionsSection } from "./SessionsView.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section with the user's sessions. Empty if the realm's sessions are unmanaged. */
export const sessions = Effect.gen(function* () {
  const own = yield* OwnSessions

  const end: AccountAction = (request, { user, session: current }, form) =>
    form("session") === current?.id
      ? Effect.succeed(redirectTo(request, "security"))
      : own.end(user, form("session")).pipe(
          Effect.as(redirectToSaved(request, "session_ended")),
          // The session has ended in the meantime, or belongs to another user.
          Effect.catchTag("SessionNotFound", () => Effect.succeed(redirectTo(request, "security"))),
          Effect.catchTag("RealmNotFound", userGone)
        )

  const endOthers: AccountAction = (request, { user, session: current }) =>
    current === undefined
      ? Effect.succeed(redirectTo(request, "security"))
      : Effect.as(own.endOthers(user, current.id), redirectToSaved(request, "others_ended")).pipe(
          Effect.catchTag("RealmNotFound", userGone)
        )

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user, session: current }) {
      return current === undefined
        ? undefined
        : sessionsSection(context, { ...(yield* own.list(user)), current: current.id })
    }),
    actions: { end_session: end, end_others: endOthers }
  }
  return section
})
