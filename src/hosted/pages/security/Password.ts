import { Effect } from "effect"
import { AccountProofs } from "#core/account/AccountProofs"
import { AccountSettings } from "#core/account/AccountSettings"
import { PasswordUpdates } from "#core/login/PasswordUpdates"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { withKnownProblems } from "#domain/KnownProblems"
import { newPasswordIn } from "../../Form.ts"
import { type AccountAction, redirectToSavedOn, userGone } from "../account/AccountPage.ts"
import { passwordSection } from "./PasswordView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section about the user's password. */
export const password = Effect.gen(function* () {
  const account = yield* AccountSettings
  const proofs = yield* AccountProofs
  const browsers = yield* BrowserSessions
  const passwords = yield* PasswordUpdates

  const change: AccountAction = (request, { user, session }, form) =>
    Effect.gen(function* () {
      const { password, problems } = newPasswordIn(form)
      const update = { currentPassword: form("current_password"), password, keptSessions: session?.id }
      yield* withKnownProblems(problems, passwords.update(user.id, update))
      return { ...redirectToSaved(request, "password"), knownBrowser: yield* browsers.remember(user) }
    }).pipe(Effect.catchTag(["UserNotFound", "UserInactive"], userGone))

  const set: AccountAction = (request, browserUser, form) =>
    Effect.gen(function* () {
      const { password, problems } = newPasswordIn(form)
      yield* proofs.requireRecent(browserUser)
      const guard = browsers.requireLogin(browserUser.login)
      yield* withKnownProblems(problems, passwords.set(browserUser.user.id, password, guard))
      return redirectToSaved(request, "password_set")
    }).pipe(Effect.catchTag(["UserNotFound", "UserInactive"], userGone))

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }, refused) {
      const { hasPassword, passwordsEnabled, passwordRequirements } = yield* account.overview(user)
      if (!passwordsEnabled) return undefined
      return passwordSection(context, { user, hasPassword, passwordRequirements }, refused?.errors ?? [])
    }),
    actions: { password: change, set_password: set }
  }
  return section
})
