import { Effect } from "effect"
import { AccountDeletions } from "#core/account/AccountDeletions"
import { AccountProofs } from "#core/account/AccountProofs"
import { rejection } from "#domain/Rejected"
import { redirectTo, showView } from "../../HostedPage.ts"
import { type AccountAction, redirectToSavedOn, userGone } from "../account/AccountPage.ts"
import { accountProof } from "../account/AccountProof.ts"
import { deletedView, deletionSection } from "./DeletionView.ts"
import type { SecuritySection } from "./SecuritySection.ts"

const redirectToSaved = redirectToSavedOn("security")

/** The section where users delete their accounts, if the realm allows it, or keep them until the date of the deletion. */
export const deletion = Effect.gen(function* () {
  const deletions = yield* AccountDeletions
  const proofs = yield* AccountProofs
  const requireProof = yield* accountProof

  const requestDeletion: AccountAction = (request, browserUser, form) =>
    Effect.gen(function* () {
      if (form("confirm") !== "yes") return yield* rejection("confirm", "deletion_unconfirmed")
      yield* requireProof(request, browserUser, form)
      const at = yield* deletions.request(browserUser)
      if (at !== undefined) return redirectTo(request, "security")
      return { ...showView(deletedView(request.context)), session: "ended" as const }
    }).pipe(
      // The section explains what has changed in the meantime.
      Effect.catchTag(["AccountDeletionOff", "OrgsNeedOwner"], () => Effect.succeed(redirectTo(request, "security")))
    )

  const keep: AccountAction = (request, { user }) =>
    deletions
      .cancel(user.id)
      .pipe(Effect.as(redirectToSaved(request, "kept")), Effect.catchTag("UserNotFound", userGone))

  const section: SecuritySection = {
    show: Effect.fnUntraced(function* ({ context }, { user }, refused) {
      const offer = yield* deletions.offer(user)
      const asksPassword = offer !== undefined && (yield* proofs.acceptsPassword(user))
      const username = user.email ?? user.username ?? ""
      return deletionSection(context, { scheduledAt: user.deletionAt, offer, asksPassword, username }, refused?.errors)
    }),
    actions: { delete_account: requestDeletion, keep_account: keep }
  }
  return section
})
