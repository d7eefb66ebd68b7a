import { Effect } from "effect"
import { EmailConfirmations } from "#core/login/EmailConfirmations"
import type { Comer, Door } from "../../Door.ts"
import { type Refusal, refusalOf, refused } from "../../Errors.ts"
import { complaint } from "../../HostedPage.ts"
import type { Visit } from "../../PageContext.ts"
import { possessionPage, resetInsteadPage, verifiedPage, verifyPage } from "./VerifyView.ts"

/** `…/verify`: proves an e-mail address, the user's own or the one it is to become. */
export const verification = Effect.gen(function* () {
  const confirmations = yield* EmailConfirmations

  const shown = Effect.fnUntraced(function* (visit: Visit, { token, holder }: Comer, errors?: Refusal["errors"]) {
    const { email, offer } = yield* confirmations.look(token, holder)
    return offer === undefined
      ? verifyPage(visit, token, email, errors)
      : possessionPage(visit, { token, email, offer }, errors)
  })

  const again = (visit: Visit, comer: Comer, refusal: Refusal) =>
    Effect.map(shown(visit, comer, refusal.errors), (page) => refused(refusal, () => page))

  const confirm = Effect.fn("Verification.confirm")(function* (visit: Visit, comer: Comer, password: string) {
    const { email } = yield* confirmations.look(comer.token, comer.holder)
    return yield* confirmations.confirm(comer.token, { holder: comer.holder, password }).pipe(
      Effect.map(() => verifiedPage(visit, email)),
      Effect.catchTags({
        WrongPassword: () => again(visit, comer, complaint(visit.texts.verify.wrongPassword, "password")),
        PossessionUnproved: () => again(visit, comer, complaint(visit.texts.verify.unproved)),
        Rejected: (word) => again(visit, comer, refusalOf(visit, word)),
        Blocked: (word) => again(visit, comer, refusalOf(visit, word)),
        HashingBusy: (word) => again(visit, comer, refusalOf(visit, word))
      })
    )
  })

  const door: Door = {
    show: (visit, comer) => shown(visit, comer),
    act: (visit, comer, form) =>
      form("way") === "reset"
        ? Effect.map(confirmations.resetInstead(comer.token), ({ email }) => resetInsteadPage(visit, email))
        : confirm(visit, comer, form("password"))
  }
  return door
})
