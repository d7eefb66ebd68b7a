import { Effect } from "effect"
import { AccountPasskeys } from "#core/account/AccountPasskeys"
import type { LoggedIn } from "#domain/Login"
import { hasDeclinedPasskey } from "../cookies/PasskeyOfferCookie.ts"
import { type FlowParams, pageUrl } from "../FlowParams.ts"
import type { FormValues } from "../Form.ts"
import { PLATFORM } from "../markup/PasskeyForm.ts"
import type { AppRequest } from "../RequestShell.ts"

/** Whether the login leads to the app, or to the client of an authorization request, and to no page of the account. */
const isOnward = ({ next }: FlowParams): boolean => next === undefined || next === "authorize"

/**
 * The page that offers a passkey after a login with a password: to users who have none, in browsers that could have one, unless
 * they have declined it there or are on their way to another page (C138). Undefined: nothing is offered.
 */
export const passkeyOffer = Effect.gen(function* () {
  const passkeys = yield* AccountPasskeys
  return Effect.fnUntraced(function* (
    request: AppRequest,
    { user }: LoggedIn["login"],
    form: FormValues,
    flow: FlowParams
  ) {
    const isPossible = form(PLATFORM) === "1" && isOnward(flow) && user.userType === "human"
    if (!isPossible || hasDeclinedPasskey(request, user.id)) return undefined
    const own = yield* passkeys.list(user)
    return own?.length === 0 ? pageUrl("passkey", flow, { offer: "1" }) : undefined
  })
})
