import { Effect } from "effect"
import { PasswordResets } from "#core/login/PasswordResets"
import { withKnownProblems } from "#domain/KnownProblems"
import { formRefusalOf, withRefusalStatus } from "../../Errors.ts"
import { newPasswordIn } from "../../Form.ts"
import { type LinkPage, queryOf, showView } from "../../HostedPage.ts"
import { resetDoneView, resetView } from "./ResetView.ts"

const kindOf = (token: string) => (token.startsWith("kpw_") ? "kpw_" : "tpw:")

/** `…/reset` sets a new password, without logging the user in (C27). */
export const resetPage = Effect.gen(function* () {
  const resets = yield* PasswordResets
  const findReset = (token: string) => resets.preview(kindOf(token), token)
  const page: LinkPage = {
    show: (request) => {
      const token = queryOf(request)("token")
      return Effect.map(resets.open(kindOf(token), token), (seen) => showView(resetView(request.context, token, seen)))
    },
    submit: ({ context }, form) => {
      const token = form("token")
      return Effect.gen(function* () {
        const { password, problems } = newPasswordIn(form)
        const reset = { kind: kindOf(token), token, password, userId: undefined, logsIn: undefined } as const
        yield* withKnownProblems(problems, resets.reset(reset))
        return showView(resetDoneView(context))
      }).pipe(
        Effect.catchTag(["Rejected", "HashingBusy"], (failure) =>
          Effect.map(findReset(token), (seen) => {
            const refusal = formRefusalOf(context, failure)
            return showView(withRefusalStatus(refusal, resetView(context, token, seen, refusal.errors)))
          })
        ),
        Effect.withSpan("Reset.submit")
      )
    }
  }
  return page
})
