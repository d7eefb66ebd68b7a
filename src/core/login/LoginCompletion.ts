import { Context, DateTime, Effect, Layer } from "effect"
import { type Authentication, type AuthenticationMethod, withFactor } from "#domain/Authentication"
import type { ExternalType } from "#domain/AuthProvider"
import { actAs, identifyUser } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import { type LoggedIn, type LoginOutcome, type LoginsOff, type RequiredEnrolment, TokenNotFound } from "#domain/Login"
import { type LoginContext, loginMethodsOf } from "#domain/LoginMethod"
import { type RequiredFactor, requiredFactor } from "#domain/NextStep"
import type { OneTimeTokenKind } from "#domain/OneTimeToken"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { includesPasskey, secondFactorsAfter } from "#domain/SecondFactor"
import type { Session } from "#domain/Session"
import { type BrowserLogin, RenewedLogin, RequestedLevel } from "#domain/StepUp"
import { type User, UserInactive } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import type { OneTimeToken } from "#store/login/OneTimeTokensRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import type { Guard, Write } from "#store/statements/Writes"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { RelyingParties } from "../apps/RelyingParties.ts"
import { SecondFactors } from "../credentials/SecondFactors.ts"
import { Journal } from "../events/Journal.ts"
import { RejectedLogins } from "../limits/RejectedLogins.ts"
import { NewSessions, type TokenScope } from "../sessions/NewSessions.ts"
import { OneTimeTokens, type PendingLogin } from "../tokens/OneTimeTokens.ts"
import { SECRET_BYTES, totpSecret } from "../tokens/Totp.ts"
import { enrolmentOf } from "../tokens/TotpSetup.ts"

/** A started session, before its token is signed. */
export interface SessionGrant {
  readonly _tag: "Session"
  readonly user: User
  readonly session: Session
}

/** A token for a login that waits for a second factor. `enrolment` is the second factor to set up, if the user has none. */
export interface MfaGrant {
  readonly _tag: "Mfa"
  readonly user: User
  readonly token: string
  readonly enrolment: RequiredEnrolment | undefined
}

/** A proof of identity that a user has just given. */
export interface ProvenIdentity {
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Whether the user has a second factor that logins require. */
  readonly hasSecondFactor: boolean
  /** The type of the external provider, if one was used. */
  readonly provider?: ExternalType
  /** The kind of token that continues the login if it isn't complete. */
  readonly pendingKind: PendingKind
  /** The time of the proof. The default is now. */
  readonly at?: DateTime.Utc
}

/** The result of a proof of identity, before a token is signed: a session, or a token that waits for a second factor. */
export type Grant = SessionGrant | MfaGrant

/** A login that needs a second factor. */
type StartedLogin = Omit<PendingLogin, "totpSecret">

/** The token kinds of logins that wait for a second-factor code. */
export type PendingKind = Extract<OneTimeTokenKind, "kli_" | "tmf:">

/** Completes logins after a proof of identity, such as a password, a provider's login, a second factor, a reset or a signup. */
export class LoginCompletion extends Context.Service<
  LoginCompletion,
  {
    /**
     * Starts a session for a user who has used these methods, inside the transaction of the proof. Records
     * `user.login.succeeded`. `at` is the time of the proof. The default is now.
     */
    startSession(
      user: User,
      methods: ReadonlyArray<AuthenticationMethod>,
      at?: DateTime.Utc,
      context?: LoginContext
    ): Effect.Effect<SessionGrant, UserInactive | RealmNotFound, CurrentRealm>
    /**
     * Completes a pending login whose user has also used these methods. Starts a session or, if the token renews a browser's
     * login, continues the browser's session. A renewal succeeds only in the same browser. Records `user.login.succeeded`.
     */
    addFactor(
      user: User,
      pending: OneTimeToken,
      shown: ReadonlyArray<AuthenticationMethod>,
      isRecoveryCode?: boolean
    ): Effect.Effect<SessionGrant, UserInactive | TokenNotFound | RealmNotFound, CurrentRealm>
    /**
     * Like `startSession`, but in a single statement that includes `writes` and needs no transaction. If the guard doesn't
     * match the user, writes nothing and returns undefined.
     */
    startSessionIf<Row extends object>(
      guard: Guard<Row, User>,
      userId: UserId,
      methods: ReadonlyArray<AuthenticationMethod>,
      writes: ReadonlyArray<Write>
    ): Effect.Effect<SessionGrant | undefined, RealmNotFound, CurrentRealm>
    /**
     * Issues a token that waits for a second-factor code, and stores the methods used so far with it. Call it inside the
     * transaction of the proof. Records `user.login.initiated`.
     */
    requireMfa(user: User, kind: PendingKind, login: StartedLogin): Effect.Effect<Grant, RealmNotFound, CurrentRealm>
    /**
     * Issues a token that waits for a new second factor: the first code of an authenticator app, or a new passkey. Call it
     * inside the transaction of the proof. Records `user.login.initiated`. Fails if the realm doesn't support authenticator
     * apps.
     */
    requireEnrolment(
      user: User,
      kind: PendingKind,
      login: StartedLogin
    ): Effect.Effect<Grant, RealmNotFound | LoginsOff, CurrentRealm>
    /**
     * Returns the factor that the login still needs, according to the realm's settings and the level that the app requires
     * (C147).
     */
    requiredFactor(shown: Omit<ProvenIdentity, "pendingKind">): Effect.Effect<RequiredFactor, never, CurrentRealm>
    /**
     * Starts the session, or issues a token that waits for the required factor. Call it inside the transaction of the proof.
     */
    takeNextStep(
      user: User,
      shown: ProvenIdentity
    ): Effect.Effect<Grant, UserInactive | RealmNotFound | LoginsOff, CurrentRealm>
    /**
     * Requires a second factor, or the setup of one, from a logged-in browser. Must run inside a transaction. Records
     * `user.login.initiated`.
     */
    requireSecondFactor(
      user: User,
      login: BrowserLogin,
      authentication: Authentication
    ): Effect.Effect<MfaGrant, RealmNotFound | LoginsOff, CurrentRealm>
    /** Signs the token of a session. Call it after the transaction. */
    logIn(grant: SessionGrant, scope: TokenScope): Effect.Effect<LoggedIn, never, CurrentRealm>
    /** Signs a token if the grant has a session. Call it after the transaction. */
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
      const secondFactors = yield* SecondFactors
      const relyingParties = yield* RelyingParties
      const entropy = yield* Entropy
      const refused = yield* RejectedLogins

      const grantIf = Effect.fnUntraced(function* <Row extends object>(
        guard: Guard<Row, User>,
        userId: UserId,
        { at, methods }: Authentication,
        writes: ReadonlyArray<Write>,
        context: LoginContext
      ) {
        const realm = yield* CurrentRealm
        const { session, insertion } = yield* newSessions.draft(realm, userId, { at, methods })
        const managed = realm.sessionType === "managed" ? { sessionId: session.id } : {}
        const details = { methods: loginMethodsOf(methods, context) }
        const now = yield* DateTime.now
        const change = {
          writes: [...insertion, ...accounts.loginTime(userId, now), ...writes],
          events: [{ eventType: "user.login.succeeded" as const, userId, ...managed, details }]
        }
        const user = yield* actAs(userId)(journal.writeIf(guard, [change]))
        if (user === undefined) return undefined
        yield* identifyUser(userId)
        return { _tag: "Session" as const, user: { ...user, lastLoginAt: now }, session }
      })

      const startSessionIf = <Row extends object>(
        guard: Guard<Row, User>,
        userId: UserId,
        methods: ReadonlyArray<AuthenticationMethod>,
        writes: ReadonlyArray<Write>
      ) => Effect.flatMap(DateTime.now, (at) => grantIf(guard, userId, { at, methods }, writes, {}))

      const grantTo = Effect.fnUntraced(function* (
        { realmId, id }: User,
        authentication: Authentication,
        context: LoginContext
      ) {
        const grant = yield* grantIf(accounts.active(realmId, id), id, authentication, [], context)
        return grant ?? (yield* new UserInactive({ userId: id }))
      })

      const startSession = (
        user: User,
        methods: ReadonlyArray<AuthenticationMethod>,
        usedAt?: DateTime.Utc,
        context: LoginContext = {}
      ) => Effect.flatMap(DateTime.now, (now) => grantTo(user, { at: usedAt ?? now, methods }, context))

      const addFactor = Effect.fnUntraced(function* (
        user: User,
        { browserId, methods, provider, authenticatedAt, createdAt }: OneTimeToken,
        shown: ReadonlyArray<AuthenticationMethod>,
        isRecoveryCode?: boolean
      ) {
        if (browserId !== null && (yield* RenewedLogin)?.browserId !== browserId) return yield* new TokenNotFound()
        const first = { at: authenticatedAt ?? createdAt, methods }
        return yield* grantTo(user, withFactor(first, shown, yield* DateTime.now), { provider, isRecoveryCode })
      })

      const requireMfa = Effect.fnUntraced(function* (user: User, kind: PendingKind, login: StartedLogin) {
        const { token } = yield* tokens.issue(kind, user, "caller", login)
        yield* journal.record([{ eventType: "user.login.initiated", userId: user.id }])
        return { _tag: "Mfa" as const, user, token, enrolment: undefined }
      })

      /**
       * Returns whether the user can create a passkey as the second factor. The realm must have passkeys and a page to create
       * them on, and the login must not have begun with a passkey.
       */
      const mayCreatePasskey = Effect.fnUntraced(function* (shown: ReadonlyArray<AuthenticationMethod>) {
        const { id } = yield* CurrentRealm
        if (includesPasskey(shown) || (yield* providers.passkeyRules(id)) === undefined) return false
        return (yield* relyingParties.origins).length > 0
      })

      const requireEnrolment = Effect.fnUntraced(function* (user: User, kind: PendingKind, login: StartedLogin) {
        const realm = yield* CurrentRealm
        const totp = yield* providers.stateOf(realm.id, "totp")
        if (totp?.state !== "active") return yield* refused.failMethodOff(user.id)
        const secret = totpSecret(entropy.bytes(SECRET_BYTES))
        const { token } = yield* tokens.issue(kind, user, "caller", { ...login, totpSecret: secret })
        yield* journal.record([{ eventType: "user.login.initiated", userId: user.id }])
        const allowsPasskey = yield* mayCreatePasskey(login.methods)
        return { _tag: "Mfa" as const, user, token, enrolment: { ...enrolmentOf(secret, realm, user), allowsPasskey } }
      })

      const factorAfter = Effect.fnUntraced(function* (shown: Omit<ProvenIdentity, "pendingKind">) {
        return requiredFactor(yield* CurrentRealm, { ...shown, requested: yield* RequestedLevel })
      })

      /** Returns whether a passkey can be the second factor, which requires that it wasn't the first factor (C137). */
      const canUsePasskey = Effect.fnUntraced(function* (user: User, shown: ReadonlyArray<AuthenticationMethod>) {
        const factors = yield* secondFactors.ofUser(user.id)
        return secondFactorsAfter(shown, factors).includes("passkey")
      })

      const takeNextStep = Effect.fnUntraced(function* (user: User, { pendingKind, at, ...shown }: ProvenIdentity) {
        const factor = yield* factorAfter(shown)
        const { methods, provider } = shown
        if (factor === "none") return yield* startSession(user, methods, at, { provider })
        const login = { methods, ...(provider === undefined ? {} : { provider }) }
        return yield* factor === "second_factor" || (yield* canUsePasskey(user, methods))
          ? requireMfa(user, pendingKind, login)
          : requireEnrolment(user, pendingKind, login)
      })

      const requireSecondFactor = Effect.fnUntraced(function* (
        user: User,
        { browserId }: BrowserLogin,
        { at, methods }: Authentication
      ) {
        const account = yield* accounts.find(user.realmId, user.id)
        const canProve = account?.secondFactor === true || (yield* canUsePasskey(user, methods))
        const require = canProve ? requireMfa : requireEnrolment
        return yield* require(user, "kli_", { methods, addsFactorTo: { browserId, at } })
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
        addFactor,
        requireSecondFactor,
        requireMfa,
        requireEnrolment,
        requiredFactor: factorAfter,
        takeNextStep,
        logIn,
        complete
      })
    })
  )
}
