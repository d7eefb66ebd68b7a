import { Effect } from "effect"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import { redirectTo } from "../../HostedPage.ts"
import { type AccountAction, redirectToSavedOn } from "../account/AccountPage.ts"
import { passkeysSection } from "./PasskeysView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section with the user's passkeys, where users rename and remove them. */
export const passkeys = Effect.gen(function* () {
  const account = yield* AccountPasskeys

  const rename: AccountAction = (request, { user }, form) =>
    account.rename(user, form("passkey"), form("passkey_name")).pipe(
      Effect.as(redirectToSaved(request, "passkey_renamed")),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(redirectTo(request, "security")))
    )

  const remove: AccountAction = (request, browserUser, form) =>
    account.remove(browserUser, form("passkey")).pipe(
      Effect.as(redirectToSaved(request, "passkey_removed")),
      Effect.catchTag("CredentialNotFound", () => Effect.succeed(redirectTo(request, "security")))
    )

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }, refused) {
      const own = yield* account.list(user)
      if (own === undefined) return undefined
      const form = refused && {
        id: refused.form("passkey"),
        way: refused.way,
        name: refused.form("passkey_name")
      }
      return passkeysSection(context, { passkeys: own, refused: form }, refused?.errors ?? [])
    }),
    actions: { passkey_rename: rename, passkey_remove: remove }
  }
  return section
})
