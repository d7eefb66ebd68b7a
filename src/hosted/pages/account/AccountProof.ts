import { Effect } from "effect"
import { AccountProofs } from "#core/account/AccountProofs"
import { BrowserSessions, type LoggedInVisitor } from "#core/sessions/BrowserSessions"
import { sessionSecretIn } from "../../cookies/SessionCookie.ts"
import type { FormValues } from "../../Form.ts"
import type { AppRequest } from "../../RequestShell.ts"

/**
 * Requires the password or a recent login before a sensitive change (SEC-90). A correct password also counts as proof for
 * later changes.
 */
export const accountProof = Effect.gen(function* () {
  const proofs = yield* AccountProofs
  const browsers = yield* BrowserSessions
  return Effect.fnUntraced(function* (request: AppRequest, browserUser: LoggedInVisitor, form: FormValues) {
    const byPassword = yield* proofs.prove(browserUser, form("current_password"))
    if (byPassword) yield* browsers.recordProof(request.app, sessionSecretIn(request))
  })
})
