import { Context, DateTime, Effect, Layer } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { type Session, SessionNotFound } from "#domain/Session"
import { type User, visibleUser } from "#domain/User"
import { Entropy } from "#platform/Entropy"
import { randomSecret, sha256Text } from "#platform/Tokens"
import { type BrowserSession, BrowserSessionsRepo } from "#store/BrowserSessionsRepo"
import { SessionsRepo } from "#store/SessionsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { type KnownBrowserSecrets, KnownBrowsers } from "../limits/KnownBrowsers.ts"
import { Sessions } from "./Sessions.ts"

/** For how long a browser keeps a session that has no end of its own. */
const UNENDING_DAYS = 1

const FORM = /^[0-9A-Za-z]{43}$/

/** What a browser is given to keep, and for how many seconds. */
export interface Kept {
  readonly secret: string
  readonly seconds: number
  /** By what the browser is known again after the session has ended. */
  readonly known: KnownBrowserSecrets
}

/** Who a browser belongs to. `session`: none where the realm's sessions are unmanaged. */
export interface BrowserUser {
  readonly user: User
  readonly session: Session | undefined
}

/** The same, and when that was last proved in this browser: by a login, or by the password. */
export interface ProvedUser extends BrowserUser {
  readonly provedAt: DateTime.Utc
}

/** The sessions that browsers keep on the hosts of connected apps, by a cookie (C40, SEC-36). */
export class BrowserSessions extends Context.Service<
  BrowserSessions,
  {
    /**
     * Has a browser keep a session that has just begun, always under a new secret. `before`: is good no more, and its session
     * ends where it was the same user's: `session.deleted`, unless it was an unmanaged one.
     */
    keep(app: ConnectedApp, session: Session, before?: string): Effect.Effect<Kept, never, CurrentRealm>
    /** The active user whose live session a secret stands for, on the host of this app. */
    find(app: ConnectedApp, secret: string | undefined): Effect.Effect<ProvedUser, SessionNotFound, CurrentRealm>
    /** Notes that whoever the browser belongs to has just proved it once more. */
    prove(app: ConnectedApp, secret: string | undefined): Effect.Effect<void, never, CurrentRealm>
    /** Has the browser of the call known again for a user, whose new password has made it a stranger. */
    remember(user: User): Effect.Effect<KnownBrowserSecrets>
    /** Ends the session, and what the browser keeps of it. `session.deleted` where it was a managed one. */
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

      const found = Effect.fnUntraced(function* (app: ConnectedApp, secret: string | undefined) {
        const realm = yield* CurrentRealm
        const known = secret !== undefined && FORM.test(secret) ? sha256Text(secret) : undefined
        const now = yield* DateTime.now
        const kept = known === undefined ? undefined : yield* repo.find(realm.id, app.id, known, now)
        return kept === undefined || isBeingReset(realm.pendingReset, "user", kept.userId)
          ? undefined
          : { ...kept, now }
      })

      const forget = Effect.fnUntraced(function* ({ realmId, id, sessionId }: BrowserSession) {
        if (sessionId !== null) yield* sessions.delete(sessionId)
        yield* repo.delete(realmId, id)
      })

      /** With its realm all of it is gone. */
      const forgetGone = (kept: BrowserSession) => Effect.catchTag(forget(kept), "RealmNotFound", () => Effect.void)

      const keep = Effect.fn("BrowserSessions.keep")(function* (app: ConnectedApp, session: Session, before?: string) {
        const { sessionType } = yield* CurrentRealm
        const { realmId, userId } = session
        const last = yield* found(app, before)
        if (last !== undefined) yield* last.userId === userId ? forgetGone(last) : repo.delete(realmId, last.id)
        const secret = randomSecret(entropy)
        const createdAt = yield* DateTime.now
        const expiresAt = session.expiresAt ?? DateTime.add(createdAt, { days: UNENDING_DAYS })
        const sessionId = sessionType === "managed" ? session.id : null
        const kept = { realmId, appId: app.id, userId, sessionId, createdAt, provedAt: createdAt, expiresAt }
        yield* repo.insert({ id: sha256Text(secret), ...kept }, session.createdAt)
        const known = yield* knownBrowsers.remember(realmId, userId, session.createdAt)
        const millis = expiresAt.epochMilliseconds - createdAt.epochMilliseconds
        return { secret, seconds: Math.floor(millis / 1_000), known }
      })

      const find = Effect.fn("BrowserSessions.find")(function* (app: ConnectedApp, secret: string | undefined) {
        const realm = yield* CurrentRealm
        const unknown = new SessionNotFound({ id: "" })
        const kept = yield* found(app, secret)
        if (kept === undefined) return yield* unknown
        const { sessionId, userId, provedAt, now } = kept
        const linked = sessionId === null ? undefined : yield* sessionsRepo.findWithUser(realm.id, sessionId, now)
        const user = sessionId === null ? yield* users.find(realm.id, userId) : linked?.user
        if (user?.state !== "active") return yield* unknown
        return { user: visibleUser(realm, user), session: linked?.session, provedAt }
      })

      const prove = Effect.fn("BrowserSessions.prove")(function* (app: ConnectedApp, secret: string | undefined) {
        const kept = yield* found(app, secret)
        if (kept !== undefined) yield* repo.prove(kept.realmId, kept.id, kept.now)
      })

      const end = Effect.fn("BrowserSessions.end")(function* (app: ConnectedApp, secret: string | undefined) {
        const kept = yield* found(app, secret)
        if (kept !== undefined) yield* forget(kept)
      })

      const remember = ({ realmId, id }: User) =>
        Effect.flatMap(DateTime.now, (now) => knownBrowsers.remember(realmId, id, now))

      return BrowserSessions.of({ keep, find, prove, remember, end })
    })
  )
}
