import { Effect } from "effect"
import { PasswordResets } from "#core/login/PasswordResets"
import type { Door } from "../../Door.ts"
import { refusalOf, refused } from "../../Errors.ts"
import { passwordIn } from "../../Form.ts"
import { resetDonePage, resetPage } from "./ResetView.ts"

const kindOf = (token: string) => (token.startsWith("kpw_") ? "kpw_" : "tpw:")

/** `…/reset`: sets a new password, and logs nobody in (decision 27). */
export const reset = Effect.gen(function* () {
  const resets = yield* PasswordResets
  const look = (token: string) => resets.look(kindOf(token), token)
  const door: Door = {
    show: (visit, { token }) => Effect.map(look(token), (seen) => resetPage(visit, token, seen)),
    act: (visit, { token }, form) =>
      Effect.gen(function* () {
        const password = yield* passwordIn(form)
        yield* resets.reset({ kind: kindOf(token), token, password, userId: undefined, logsIn: undefined })
        return resetDonePage(visit)
      }).pipe(
        Effect.catchTag(["Rejected", "HashingBusy"], (word) =>
          Effect.map(look(token), (seen) =>
            refused(refusalOf(visit, word), (errors) => resetPage(visit, token, seen, errors))
          )
        ),
        Effect.withSpan("Reset.act")
      )
  }
  return door
})
