import { Context, Effect, Layer } from "effect"
import type { LoginOutcome } from "#domain/Login"
import type { TokenKind } from "#domain/OneTimeToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Session } from "#domain/Session"
import { type User, UserInactive } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import { Journal } from "../events/Journal.ts"
import { NewSessions, type TokenScope } from "../sessions/NewSessions.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** What a proof of identity has earned, before its tokens are signed. */
export type Grant =
  | { readonly _tag: "Session"; readonly user: User; readonly session: Session }
  | { readonly _tag: "Code"; readonly user: User; readonly token: string }

/** The kinds of tokens that stand for a login whose code is due. */
export type PendingKind = Extract<TokenKind, "kli_" | "tmf:">

/** What follows on a proof of identity, whichever it was. */
export class LoginCompletion extends Context.Service<
  LoginCompletion,
  {
    /** Logs a user in, inside the transaction of the proof: `user.login.succeeded`. */
    session(user: User): Effect.Effect<Grant, UserInactive | RealmNotFound, CurrentRealm>
    /** Begins a login that a code completes, inside the transaction of the proof: `user.login.initiated`. */
    code(user: User, kind: PendingKind): Effect.Effect<Grant, RealmNotFound, CurrentRealm>
    /** Signs what was granted; after the transaction. */
    outcome(grant: Grant, scope: TokenScope): Effect.Effect<LoginOutcome, never, CurrentRealm>
  }
>()("sallyport/core/LoginCompletion") {
  static readonly layer = Layer.effect(
    LoginCompletion,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const newSessions = yield* NewSessions
      const tokens = yield* OneTimeTokens
      const journal = yield* Journal

      const session = Effect.fnUntraced(function* (user: User) {
        const realm = yield* CurrentRealm
        const begun = yield* newSessions.begin(realm, user)
        if (begun === undefined) return yield* new UserInactive({ userId: user.id })
        yield* accounts.touch(user, begun.createdAt)
        const kept = realm.sessionType === "managed" ? { sessionId: begun.id } : {}
        yield* journal.record([{ eventType: "user.login.succeeded", userId: user.id, ...kept }])
        return { _tag: "Session" as const, user: { ...user, lastLoginAt: begun.createdAt }, session: begun }
      })

      const code = Effect.fnUntraced(function* (user: User, kind: PendingKind) {
        const { token } = yield* tokens.issue(kind, user, "caller")
        yield* journal.record([{ eventType: "user.login.initiated", userId: user.id }])
        return { _tag: "Code" as const, user, token }
      })

      const outcome = Effect.fnUntraced(function* (grant: Grant, scope: TokenScope) {
        if (grant._tag === "Code") return { _tag: "CodeDue" as const, user: grant.user, token: grant.token }
        const login = yield* newSessions.login(yield* CurrentRealm, grant.session, grant.user, scope)
        return { _tag: "LoggedIn" as const, login }
      })

      return LoginCompletion.of({ session, code, outcome })
    })
  )
}
