import { Effect } from "effect"
import { EmailVerifications } from "#core/login/EmailVerifications"
import type { Door } from "./Door.ts"
import { refusalOf, refused } from "./Errors.ts"
import { verifiedPage, verifyPage } from "./pages/Verify.ts"

/** `…/verify`: proves an e-mail address, the user's own or the one it is to become. */
export const verification = Effect.gen(function* () {
  const verifications = yield* EmailVerifications
  const door: Door = {
    show: (visit, token) => Effect.map(verifications.look(token), (email) => verifyPage(visit, token, email)),
    act: Effect.fn("Verification.act")(function* (visit, token) {
      const email = yield* verifications.look(token)
      return yield* verifications.verify(token, undefined).pipe(
        Effect.map(() => verifiedPage(visit, email)),
        Effect.catchTag("Rejected", (word) =>
          Effect.succeed(refused(refusalOf(visit, word), (errors) => verifyPage(visit, token, email, errors)))
        )
      )
    })
  }
  return door
})
