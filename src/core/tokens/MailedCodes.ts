import { Context, DateTime, Effect, Layer } from "effect"
import type { User } from "#domain/User"
import { constantTimeEqual, sha256 } from "#platform/Tokens"
import { type OneTimeToken, OneTimeTokensRepo } from "#store/login/OneTimeTokensRepo"
import { OneTimeTokens } from "./OneTimeTokens.ts"

const DIGITS = 6

/** The six digits that stand in a mail beside the link with this token. */
export const mailedCode = (token: string): string => {
  const number = Buffer.from(sha256(`mailed code\0${token}`)).readUIntBE(0, 6)
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0")
}

/** What a code by mail is for. */
export interface CodePurpose {
  /** The pending login that it completes. Null: it begins a login. */
  readonly login: OneTimeToken | null
  /** The token that a caller gets; undefined: none is issued, as the caller has that of the login. */
  readonly callerToken: string | undefined
}

/** Whether a token waits for a code that begins a login. The link of a mail is no such token. */
export const isForLogin = ({ purpose, mailed, loginToken }: OneTimeToken): boolean =>
  purpose === "email_code" && !mailed && loginToken === null

/** Codes of six digits by mail. Each belongs to a mailed token, from which it is derived (C52, SEC-125). */
export class MailedCodes extends Context.Service<
  MailedCodes,
  {
    /** Issues the token of a mail, inside a transaction; and one for the caller, which needs the code. Returns the mailed token's id. */
    issue(user: User, purpose: CodePurpose): Effect.Effect<string>
    /** The token whose mail has the code: the last for a pending login, or that of a caller's token (SEC-146). */
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
        // Each code that a login takes makes it easier to guess one.
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
