import { Effect } from "effect"
import { AccountProofs } from "#core/account/AccountProofs"
import { RecoveryCodeSets } from "#core/account/RecoveryCodeSets"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { showView } from "../../HostedPage.ts"
import type { AccountAction } from "../account/AccountPage.ts"
import { newRecoveryCodesView, recoveryCodesSection } from "./RecoveryCodesView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

/** The section about recovery codes, for users with a second factor. */
export const recoveryCodes = Effect.gen(function* () {
  const proofs = yield* AccountProofs
  const browsers = yield* BrowserSessions
  const sets = yield* RecoveryCodeSets

  const create: AccountAction = Effect.fnUntraced(function* (request, browserUser) {
    const { user, login } = browserUser
    yield* proofs.requireRecent(browserUser)
    return showView(newRecoveryCodesView(request.context, yield* sets.create(user, browsers.requireLogin(login))))
  })

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }) {
      const { needed, left } = yield* sets.status(user)
      return needed || left !== undefined ? recoveryCodesSection(context, left) : undefined
    }),
    actions: { recovery_codes: create }
  }
  return section
})
