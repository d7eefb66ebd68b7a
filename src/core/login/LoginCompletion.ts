import { Context, Effect, Layer } from "effect"
import type { AuthenticationMethod } from "#domain/Authentication"
import { actAs, identify } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import { type Enrolment, type LoggedIn, type LoginOutcome, LoginsOff } from "#domain/Login"
import { type LoginStep, nextLoginStep, RequestedLevel } from "#domain/LoginStep"
import type { TokenKind } from "#domain/OneTimeToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Session } from "#domain/Session"
import { type User, UserInactive } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { AccountsRepo } from "#store/AccountsRepo"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import type { Guard, Write } from "#store/Writes"
import { Journal } from "../events/Journal.ts"
import { NewSessions, type TokenScope } from "../sessions/NewSessions.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { SECRET_BYTES, totpSecret } from "../tokens/Totp.ts"
import { enrolmentOf } from "../tokens/TotpSetup.ts"

/** A started session, before its token is signed. */
export interface SessionGrant {
  readonly _tag: "Session"
  readonly user: User
  readonly session: Session
}

/** A token that waits for a code. `enrolment`: of an authenticator app that is yet to be set up. */
export interface MfaGrant {
  readonly _tag: "Mfa"
  readonly user: User
  readonly token: string
  readonly enrolment: Enrolment | undefined
}

/** What is known of a user who has just shown who they are. */
export interface ShownIdentity {
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Whether the user has a second factor that logins wait for. */
  readonly secondFactor: boolean
  /** The kind of token that the login goes on with, unless it is complete. */
  readonly pendingKind: PendingKind
}

/** The result of a proof of identity, before tokens are signed: a session, or a token that waits for a code. */
export type Grant = SessionGrant | MfaGrant

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
    /**
     * Issues a token that waits for the first code of an authenticator app, which it sets up, inside the transaction of
     * the proof. Records `user.login.initiated`. Fails if the realm has no such apps.
     */
    requireEnrolment(
      user: User,
      kind: PendingKind,
      methods: ReadonlyArray<AuthenticationMethod>
    ): Effect.Effect<Grant, RealmNotFound | LoginsOff, CurrentRealm>
    /** What follows, in the realm and for what its app has asked for (C149). */
    stepAfter(shown: Omit<ShownIdentity, "pendingKind">): Effect.Effect<LoginStep, never, CurrentRealm>
    /** Takes that step, inside the transaction of the proof. */
    proceed(
      user: User,
      shown: ShownIdentity
    ): Effect.Effect<Grant, UserInactive | RealmNotFound | LoginsOff, CurrentRealm>
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
      const providers = yield* AuthProvidersRepo
      const entropy = yield* Entropy

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
        const { token } = yield* tokens.issue(kind, user, "caller", { methods })
        yield* journal.record([{ eventType: "user.login.initiated", userId: user.id }])
        return { _tag: "Mfa" as const, user, token, enrolment: undefined }
      })

      const requireEnrolment = Effect.fnUntraced(function* (
        user: User,
        kind: PendingKind,
        methods: ReadonlyArray<AuthenticationMethod>
      ) {
        const realm = yield* CurrentRealm
        const totp = yield* providers.stateOf(realm.id, "totp")
        if (totp?.state !== "active") return yield* new LoginsOff({ why: "provider_inactive" })
        const secret = totpSecret(entropy.bytes(SECRET_BYTES))
        const { token } = yield* tokens.issue(kind, user, "caller", { methods, enrols: secret })
        yield* journal.record([{ eventType: "user.login.initiated", userId: user.id }])
        return { _tag: "Mfa" as const, user, token, enrolment: enrolmentOf(secret, realm, user) }
      })

      const stepAfter = Effect.fnUntraced(function* (shown: Omit<ShownIdentity, "pendingKind">) {
        return nextLoginStep(yield* CurrentRealm, { ...shown, requested: yield* RequestedLevel })
      })

      const proceed = Effect.fnUntraced(function* (user: User, { pendingKind, ...shown }: ShownIdentity) {
        const step = yield* stepAfter(shown)
        if (step === "session") return yield* startSession(user, shown.methods)
        return yield* step === "code"
          ? requireMfa(user, pendingKind, shown.methods)
          : requireEnrolment(user, pendingKind, shown.methods)
      })

      const logIn = Effect.fnUntraced(function* ({ session, user }: SessionGrant, scope: TokenScope) {
        const login = yield* newSessions.login(yield* CurrentRealm, session, user, scope)
        return { _tag: "LoggedIn" as const, login, returnUrl: null }
      })

      const complete = Effect.fnUntraced(function* (grant: Grant, scope: TokenScope) {
        return grant._tag === "Session" ? yield* logIn(grant, scope) : { ...grant, _tag: "MfaRequired" as const }
      })

      return LoginCompletion.of({
        startSession,
        startSessionIf,
        requireMfa,
        requireEnrolment,
        stepAfter,
        proceed,
        logIn,
        complete
      })
    })
  )
}
