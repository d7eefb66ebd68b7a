import { Context, DateTime, Effect, Layer } from "effect"
import type { Authentication } from "#domain/Authentication"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { identifyUser } from "#domain/EventActor"
import type { OrgId, SessionId } from "#domain/Ids"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { type Session, type SessionEnd, SessionNotFound } from "#domain/Session"
import type { SignupNotice } from "#domain/SignupNotice"
import type { BrowserLogin } from "#domain/StepUp"
import { type User, visibleUser } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { WakeUps } from "#platform/WakeUps"
import { type BrowserSession, BrowserSessionsRepo } from "#store/sessions/BrowserSessionsRepo"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { type KnownBrowserSecrets, KnownBrowsers } from "../limits/KnownBrowsers.ts"
import { SessionChecks } from "./SessionChecks.ts"
import { Sessions } from "./Sessions.ts"

/** How many days a cookie is valid if its session never expires. */
const UNEXPIRING_SESSION_DAYS = 1

const SECRET_FORMAT = /^[0-9A-Za-z]{43}$/

/** The secret for a browser's session cookie. `seconds` is its lifetime. */
export interface SessionSecret {
  readonly secret: string
  readonly seconds: number
  /** The secrets by which the browser is recognized after the session has ended (SEC-108). */
  readonly known: KnownBrowserSecrets
}

/** A logged-in user. `session` is undefined if the realm's sessions are unmanaged. */
export interface SessionUser {
  readonly user: User
  readonly session: Session | undefined
}

/** The user logged in to a browser. */
export interface BrowserUser extends SessionUser {
  /** How the user logged in, or null if the session was created before this was recorded. */
  readonly authentication: Authentication | null
}

/**
 * The user logged in to a browser. `provedAt` is the time of the last proof of identity in this browser: a login or a password
 * check.
 */
export interface LoggedInVisitor extends BrowserUser {
  /** The org that the user last selected in this browser, or null if none was selected. The user may have left it since. */
  readonly orgId: OrgId | null
  readonly provedAt: DateTime.Utc
  /** The session ID that OAuth clients see. It is also set if sessions are unmanaged. */
  readonly sid: SessionId
  /** The browser's login, which the same user can renew with another proof. */
  readonly login: BrowserLogin
  readonly signupNotice: SignupNotice
}

/** The session data to store in a browser's row if the session is not stored elsewhere. */
const storedInBrowserRow = ({ authentication }: Session) => ({ sessionId: null, authentication })

/** The initial data of a new session in a browser. */
export interface InitialSessionData {
  /** The org that the user selected during the login. */
  readonly orgId?: OrgId | null
  /** The signup notice that the app has not received yet. The default is none. */
  readonly signupNotice?: SignupNotice
}

/** Manages the sessions of browsers on the hosts of connected apps. Each is identified by a cookie (C40, SEC-36). */
export class BrowserSessions extends Context.Service<
  BrowserSessions,
  {
    /**
     * Stores a new session for a browser, under a new secret. `previousSecret` becomes invalid. Its session ends if it
     * belonged to the same user, and `session.deleted` is recorded if it was managed. A session that is renewed by a step-up
     * continues.
     */
    store(
      app: ConnectedApp,
      session: Session,
      previousSecret?: string,
      kept?: InitialSessionData
    ): Effect.Effect<SessionSecret, never, CurrentRealm>
    /** Finds the active user whose unexpired session on this app's host has this secret. */
    find(app: ConnectedApp, secret: string | undefined): Effect.Effect<LoggedInVisitor, SessionNotFound, CurrentRealm>
    /**
     * Fails if a browser is no longer logged in. Must run inside the transaction that locks the user's row. Account takeovers
     * and logouts lock the same row (SEC-143).
     */
    requireLogin(login: BrowserLogin): Effect.Effect<void, SessionNotFound, CurrentRealm>
    /** Records that the browser's user has just proved their identity again. */
    recordProof(app: ConnectedApp, secret: string | undefined): Effect.Effect<void, never, CurrentRealm>
    /** Stores the org that the browser's user has just selected. */
    selectOrg(app: ConnectedApp, secret: string | undefined, orgId: OrgId): Effect.Effect<void, never, CurrentRealm>
    /** Stores the signup notice that the app has not received yet. */
    setSignupNotice(
      app: ConnectedApp,
      secret: string | undefined,
      notice: SignupNotice
    ): Effect.Effect<void, never, CurrentRealm>
    /** Marks the current browser as known for a user again. A new password makes all browsers unknown. */
    remember(user: User): Effect.Effect<KnownBrowserSecrets>
    /** Ends a session and makes its secret invalid. Records `session.deleted` if the session was managed. */
    end(app: ConnectedApp, secret: string | undefined): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/BrowserSessions") {
  static readonly layer = Layer.effect(
    BrowserSessions,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const repo = yield* BrowserSessionsRepo
      const users = yield* UsersRepo
      const sessions = yield* Sessions
      const sessionsRepo = yield* SessionsRepo
      const knownBrowsers = yield* KnownBrowsers
      const checks = yield* SessionChecks
      const wakeUps = yield* WakeUps

      const findRow = Effect.fnUntraced(function* (app: ConnectedApp, secret: string | undefined) {
        const realm = yield* CurrentRealm
        const id = secret !== undefined && SECRET_FORMAT.test(secret) ? sha256Text(secret) : undefined
        const now = yield* DateTime.now
        const row = id === undefined ? undefined : yield* repo.find(realm.id, app.id, id, now)
        return row === undefined || isBeingReset(realm.pendingReset, "user", row.userId) ? undefined : { ...row, now }
      })

      const endSession = Effect.fnUntraced(function* ({ realmId, id, sessionId }: BrowserSession, reason: SessionEnd) {
        if (sessionId === null) {
          if (yield* repo.end(realmId, id, yield* DateTime.now)) yield* wakeUps.wake("DeliverLogouts")
          return
        }
        yield* sessions.delete(sessionId, reason)
        yield* repo.delete(realmId, id)
      })

      // If the realm was deleted in the meantime, its sessions were deleted too.
      const replace = (row: BrowserSession) =>
        Effect.catchTag(endSession(row, "logged_in_again"), "RealmNotFound", () => Effect.void)

      const store = Effect.fn("BrowserSessions.store")(function* (
        app: ConnectedApp,
        session: Session,
        previousSecret?: string,
        { orgId = null, signupNotice = null }: InitialSessionData = {}
      ) {
        const { sessionType } = yield* CurrentRealm
        const { realmId, userId } = session
        const previous = yield* findRow(app, previousSecret)
        const isRenewed = previous?.sessionId === session.id
        const isContinued = sessionType !== "managed" && previous?.sessionId === null && previous.userId === userId
        if (previous !== undefined) {
          const isOver = previous.userId === userId && !isRenewed && !isContinued
          yield* isOver ? replace(previous) : repo.delete(realmId, previous.id)
        }
        const secret = randomSecret(entropy)
        const createdAt = yield* DateTime.now
        const expiresAt = session.expiresAt ?? DateTime.add(createdAt, { days: UNEXPIRING_SESSION_DAYS })
        const sid = isContinued ? previous.sid : session.id
        const held =
          sessionType === "managed" ? { sessionId: session.id, authentication: null } : storedInBrowserRow(session)
        const row = {
          realmId,
          appId: app.id,
          userId,
          ...held,
          sid,
          orgId: isRenewed ? previous.orgId : orgId,
          createdAt,
          provedAt: createdAt,
          expiresAt
        }
        const insertion = repo.insertion({ id: sha256Text(secret), ...row, signupNotice }, session.createdAt)
        const known = yield* knownBrowsers.remember(realmId, userId, session.createdAt, [insertion])
        const millis = expiresAt.epochMilliseconds - createdAt.epochMilliseconds
        return { secret, seconds: Math.floor(millis / 1_000), known }
      })

      const find = Effect.fn("BrowserSessions.find")(function* (app: ConnectedApp, secret: string | undefined) {
        const realm = yield* CurrentRealm
        const notFound = new SessionNotFound({ id: "" })
        const row = yield* findRow(app, secret)
        if (row === undefined) return yield* notFound
        const { sessionId, sid, userId, orgId, provedAt, signupNotice, now } = row
        const linked = sessionId === null ? undefined : yield* sessionsRepo.findWithUser(realm.id, sessionId, now)
        const user = sessionId === null ? yield* users.find(realm.id, userId) : linked?.user
        if (user?.state !== "active") return yield* notFound
        yield* identifyUser(userId)
        const session = linked?.session
        if (session !== undefined) yield* checks.record(session)
        const authentication = session === undefined ? row.authentication : session.authentication
        const login = { browserId: row.id, sessionId, userId }
        return { user: visibleUser(realm, user), session, sid, authentication, login, orgId, provedAt, signupNotice }
      })

      const requireLogin = Effect.fnUntraced(function* ({ browserId }: BrowserLogin) {
        const realm = yield* CurrentRealm
        if (!(yield* repo.exists(realm.id, browserId))) return yield* new SessionNotFound({ id: "" })
      })

      const recordProof = Effect.fn("BrowserSessions.recordProof")(function* (
        app: ConnectedApp,
        secret: string | undefined
      ) {
        const row = yield* findRow(app, secret)
        if (row !== undefined) yield* repo.prove(row.realmId, row.id, row.now)
      })

      const selectOrg = Effect.fn("BrowserSessions.selectOrg")(function* (
        app: ConnectedApp,
        secret: string | undefined,
        orgId: OrgId
      ) {
        const row = yield* findRow(app, secret)
        if (row !== undefined) yield* repo.chooseOrg(row.realmId, row.id, orgId)
      })

      const setSignupNotice = Effect.fn("BrowserSessions.setSignupNotice")(function* (
        app: ConnectedApp,
        secret: string | undefined,
        notice: SignupNotice
      ) {
        const row = yield* findRow(app, secret)
        if (row !== undefined) yield* repo.setSignupNotice(row.realmId, row.id, notice)
      })

      const end = Effect.fn("BrowserSessions.end")(function* (app: ConnectedApp, secret: string | undefined) {
        const row = yield* findRow(app, secret)
        if (row !== undefined) yield* Effect.andThen(identifyUser(row.userId), endSession(row, "logged_out"))
      })

      const remember = ({ realmId, id }: User) =>
        Effect.flatMap(DateTime.now, (now) => knownBrowsers.remember(realmId, id, now))

      return BrowserSessions.of({
        store,
        find,
        requireLogin,
        recordProof,
        selectOrg,
        remember,
        setSignupNotice,
        end
      })
    })
  )
}
