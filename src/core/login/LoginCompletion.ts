import { Context, Effect, Layer } from "effect"
import type { AuthenticationMethod } from "#domain/Authentication"
import { actAs, identify } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import type { LoggedIn, LoginOutcome } from "#domain/Login"
import type { TokenKind } from "#domain/OneTimeToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Session } from "#domain/Session"
import { type User, UserInactive } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import type { Guard, Write } from "#store/Writes"
import { Journal } from "../events/Journal.ts"
import { NewSessions, type TokenScope } from "../sessions/NewSessions.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** A started session, before its token is signed. */
export interface SessionGrant {
  readonly _tag: "Session"
  readonly user: User
  readonly session: Session
}

/** The result of a proof of identity, before tokens are signed: a session, or a token that waits for a code. */
export type Grant = SessionGrant | { readonly _tag: "Mfa"; readonly user: User; readonly token: string }

/** The token kinds of logins that wait for a second-factor code. */
export type PendingKind = Extract<TokenKind, "kli_" | "tmf:">

/** Completes logins after a proof of identity: by password, provider, second factor, reset or signup. */
export class LoginCompletion extends Context.Service<
  LoginCompletion,
  {
    /**
     * Starts a session of a user who has just shown these methods, inside the transaction of the proof. Records
     * `user.login.succeeded`.
     */
    startSession(
      user: User,
      methods: ReadonlyArray<AuthenticationMethod>
    ): Effect.Effect<SessionGrant, UserInactive | RealmNotFound, CurrentRealm>
    /**
     * Does so in one statement, which needs no transaction, together with `writes`. Undefined if the guard has no row of
     * the user; then nothing is written.
     */
    startSessionIf<Row extends object>(
      guard: Guard<Row, User>,
      userId: UserId,
      methods: ReadonlyArray<AuthenticationMethod>,
      writes: ReadonlyArray<Write>
    ): Effect.Effect<SessionGrant | undefined, RealmNotFound, CurrentRealm>
    /**
     * Issues a token that waits for a code and keeps the methods that were shown before, inside the transaction of the
     * proof. Records `user.login.initiated`.
     */
    requireMfa(
      user: User,
      kind: PendingKind,
      methods: ReadonlyArray<AuthenticationMethod>
    ): Effect.Effect<Grant, RealmNotFound, CurrentRealm>
    /** Signs the token of a session, after the transaction. */
    logIn(grant: SessionGrant, scope: TokenScope): Effect.Effect<LoggedIn, never, CurrentRealm>
    /** Signs the token of a grant, if it has a session, after the transaction. */
    complete(grant: Grant, scope: TokenScope): Effect.Effect<LoginOutcome, never, CurrentRealm>
  }
>()("sallyport/core/LoginCompletion") {
  static readonly layer = Layer.effect(
    LoginCompletion,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const newSessions = yield* NewSessions
      const tokens = yield* OneTimeTokens
      const journal = yield* Journal

      const startSessionIf = Effect.fnUntraced(function* <Row extends object>(
        guard: Guard<Row, User>,
        userId: UserId,
        methods: ReadonlyArray<AuthenticationMethod>,
        writes: ReadonlyArray<Write>
      ) {
        const realm = yield* CurrentRealm
        const { session, insertion } = yield* newSessions.draft(realm, userId, methods)
        const managed = realm.sessionType === "managed" ? { sessionId: session.id } : {}
        const change = {
          writes: [...insertion, ...accounts.loginTime(userId, session.createdAt), ...writes],
          events: [{ eventType: "user.login.succeeded" as const, userId, ...managed }]
        }
        const user = yield* actAs(userId)(journal.writeIf(guard, [change]))
        if (user === undefined) return undefined
        yield* identify(userId)
        return { _tag: "Session" as const, user: { ...user, lastLoginAt: session.createdAt }, session }
      })

      const startSession = Effect.fnUntraced(function* (
        { realmId, id: userId }: User,
        methods: ReadonlyArray<AuthenticationMethod>
      ) {
        const grant = yield* startSessionIf(accounts.active(realmId, userId), userId, methods, [])
        return grant ?? (yield* new UserInactive({ userId }))
      })

      const requireMfa = Effect.fnUntraced(function* (
        user: User,
        kind: PendingKind,
        methods: ReadonlyArray<AuthenticationMethod>
      ) {
        const { token } = yield* tokens.issue(kind, user, "caller", methods)
        yield* journal.record([{ eventType: "user.login.initiated", userId: user.id }])
        return { _tag: "Mfa" as const, user, token }
      })

      const logIn = Effect.fnUntraced(function* ({ session, user }: SessionGrant, scope: TokenScope) {
        const login = yield* newSessions.login(yield* CurrentRealm, session, user, scope)
        return { _tag: "LoggedIn" as const, login, returnUrl: null }
      })

      const complete = Effect.fnUntraced(function* (grant: Grant, scope: TokenScope) {
        return grant._tag === "Session"
          ? yield* logIn(grant, scope)
          : { _tag: "MfaRequired" as const, user: grant.user, token: grant.token }
      })

      return LoginCompletion.of({ startSession, startSessionIf, requireMfa, logIn, complete })
    })
  )
}
