import { Context, DateTime, Effect, Layer } from "effect"
import type { User } from "#domain/User"
import { constantTimeEqual, sha256 } from "#platform/Tokens"
import { type OneTimeToken, OneTimeTokensRepo } from "#store/login/OneTimeTokensRepo"
import { OneTimeTokens } from "./OneTimeTokens.ts"

const DIGITS = 6

/** Returns the six-digit code of an email whose link contains this token. */
export const mailedCode = (token: string): string => {
  const number = Buffer.from(sha256(`mailed code\0${token}`)).readUIntBE(0, 6)
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0")
}

/** The purpose of an emailed code. */
export interface CodePurpose {
  /** The pending login that the code completes, or null if the code starts a login. */
  readonly login: OneTimeToken | null
  /** The token returned to the caller, or undefined if the caller already has the token of a pending login. */
  readonly callerToken: string | undefined
}

/**
 * Returns whether the token was returned to a caller and starts a login together with an emailed code. Tokens in emailed links
 * don't need the code.
 */
export const isForLogin = ({ purpose, mailed, loginToken }: OneTimeToken): boolean =>
  purpose === "email_code" && !mailed && loginToken === null

/**
 * Issues and finds six-digit codes sent by email. Each code is derived from the token in the link of the same email (C52,
 * SEC-125).
 */
export class MailedCodes extends Context.Service<
  MailedCodes,
  {
    /**
     * Issues the token of an email, and a token for the caller that only works together with the code. Call it inside a
     * transaction. Returns the ID of the emailed token.
     */
    issue(user: User, purpose: CodePurpose): Effect.Effect<string>
    /**
     * Finds the emailed token to which the entered code belongs: the latest one for a pending login, or the one issued with a
     * caller's token (SEC-146).
     */
    find(forToken: OneTimeToken, typed: string): Effect.Effect<OneTimeToken | undefined>
  }
>()("sallyport/core/MailedCodes") {
  static readonly layer = Layer.effect(
    MailedCodes,
    Effect.gen(function* () {
      const tokens = yield* OneTimeTokens
      const repo = yield* OneTimeTokensRepo

      const issue = Effect.fnUntraced(function* (user: User, { login, callerToken }: CodePurpose) {
        const loginToken = login?.id ?? null
        // Delete earlier codes, because each additional valid code would make guessing easier.
        if (login !== null) yield* repo.deleteMailedFor(login)
        const mailed = yield* tokens.issue("tec:", user, "mail", undefined, { loginToken })
        if (callerToken !== undefined) {
          yield* tokens.issue("tec:", user, "caller", undefined, {
            loginToken,
            mailToken: mailed.id,
            text: callerToken
          })
        }
        return mailed.id
      })

      const find = Effect.fnUntraced(function* (forToken: OneTimeToken, typed: string) {
        const mailed = yield* repo.mailedCodeFor(forToken, yield* DateTime.now)
        if (mailed === undefined || mailed.secret === null) return undefined
        const token = yield* tokens.decrypt(mailed.realmId, mailed.id, mailed.secret)
        const isRight = token !== null && constantTimeEqual(sha256(mailedCode(token)), sha256(typed))
        return isRight ? mailed : undefined
      })

      return MailedCodes.of({ issue, find })
    })
  )
}
