import { Context, Effect, Layer } from "effect"
import { type LoginOutcome, TokenNotFound } from "#domain/Login"
import { isToken } from "#domain/OneTimeToken"
import type { CurrentRealm } from "#domain/Realm"
import { rejection } from "#domain/Rejected"
import { isForLogin } from "../tokens/MailedCodes.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { EmailCodes } from "./EmailCodes.ts"
import { type CodeLogin, type MfaFailure, MfaLogins } from "./MfaLogins.ts"

/** Completes logins with a code. The login may have begun with another factor, or with a request for an emailed code. */
export class CodeLogins extends Context.Service<
  CodeLogins,
  {
    /** Records the events of `MfaLogins.complete` or of `EmailCodes.logIn`. */
    complete(request: CodeLogin): Effect.Effect<LoginOutcome, MfaFailure, CurrentRealm>
  }
>()("sallyport/core/CodeLogins") {
  static readonly layer = Layer.effect(
    CodeLogins,
    Effect.gen(function* () {
      const mfaLogins = yield* MfaLogins
      const emailCodes = yield* EmailCodes
      const tokens = yield* OneTimeTokens

      const complete = Effect.fnUntraced(function* (request: CodeLogin) {
        if (!isToken("tec:", request.token)) return yield* mfaLogins.complete(request)
        if (request.code === "") return yield* rejection("code", "blank")
        const token = yield* tokens.findLive(["tec:"], request.token)
        if (token.loginToken !== null && !token.mailed) return yield* mfaLogins.complete(request)
        if (!isForLogin(token)) return yield* new TokenNotFound()
        if (request.userId !== undefined && request.userId !== token.userId) return yield* new TokenNotFound()
        const { code, kind: pendingKind, scope } = request
        if (typeof code !== "string") return yield* new TokenNotFound()
        return yield* emailCodes.logIn(token, { code: code.replaceAll(/\s/g, ""), pendingKind, scope })
      })

      return CodeLogins.of({ complete })
    })
  )
}
