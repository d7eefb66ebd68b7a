import { Effect } from "effect"
import { AccountSettings } from "#core/users/AccountSettings"
import { RecoveryCodeSets } from "#core/users/RecoveryCodeSets"
import { showView } from "../../HostedPage.ts"
import type { AccountAction } from "../account/AccountPage.ts"
import { newRecoveryCodesView, recoveryCodesSection } from "./RecoveryCodesView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

/** The recovery codes of users who have a second factor. */
export const recoveryCodes = Effect.gen(function* () {
  const account = yield* AccountSettings
  const sets = yield* RecoveryCodeSets

  const create: AccountAction = Effect.fnUntraced(function* (request, browserUser) {
    yield* account.requireRecentProof(browserUser)
    return showView(newRecoveryCodesView(request.context, yield* sets.create(browserUser.user)))
  })

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }) {
      const { needed, left } = yield* sets.look(user)
      return needed || left !== undefined ? recoveryCodesSection(context, left) : undefined
    }),
    actions: { recovery_codes: create }
  }
  return section
})
