import { Context, DateTime, Effect, Layer } from "effect"
import { isId, type SessionId, type UserId } from "#domain/Ids"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId, isBeingReset } from "#domain/RealmReset"
import { type LinkedSession, type Login, type Session, type SessionEnd, SessionNotFound } from "#domain/Session"
import { UserInactive, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { Journal } from "../events/Journal.ts"
import { sessionEvent } from "../events/NewEvent.ts"
import { LoginTokenVerifier } from "../keys/LoginTokenVerifier.ts"
import { TrustedDevices } from "../provisioning/TrustedDevices.ts"
import { NewSessions, type TokenScope } from "./NewSessions.ts"
import { SessionChecks } from "./SessionChecks.ts"

/** Manages the sessions of users (`v2.sessions`). */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Returns the session ID for a session ID or a valid login token of the realm (v1). */
    idOf(idOrToken: string): Effect.Effect<SessionId, SessionNotFound, CurrentRealm>
    /**
     * Starts a session of a human without authentication. Records no event. Stores no row if the realm's sessions are
     * unmanaged.
     */
    create(userId: string): Effect.Effect<Login, UserNotFound | UserInactive, CurrentRealm>
    /** Returns an unexpired session of an active user, with a newly signed token. */
    get(id: string, options: TokenScope): Effect.Effect<Login, SessionNotFound | UserInactive, CurrentRealm>
    /** Returns an unexpired session of an active user, without a token. Includes memberships if `memberships` is true. */
    read(id: string, memberships: boolean): Effect.Effect<LinkedSession, SessionNotFound | UserInactive, CurrentRealm>
    list(userId: string | undefined, page: PageOf<"id">): Effect.Effect<Page<Session>, SessionNotFound, CurrentRealm>
    /** Ends a session and records `session.deleted`. Does nothing if the session doesn't exist. */
    delete(id: string, reason: SessionEnd): Effect.Effect<void, RealmNotFound, CurrentRealm>
    /**
     * Ends all sessions of a user, except the one to keep, if given. Records `session.deleted` for each session, and returns
     * their number.
     */
    endAll(
      userId: UserId,
      except: string | undefined
    ): Effect.Effect<number, SessionNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo
      const newSessions = yield* NewSessions
      const tokens = yield* LoginTokenVerifier
      const devices = yield* TrustedDevices
      const journal = yield* Journal
      const checks = yield* SessionChecks
      const transaction = yield* Transaction
      const wakeUps = yield* WakeUps

      const idOf = Effect.fnUntraced(function* (idOrToken: string) {
        if (isId("session", idOrToken)) return idOrToken
        // The error may be logged, so it must not contain the text, which may be a token (SEC-49).
        const notFound = new SessionNotFound({ id: "" })
        const realm = yield* CurrentRealm
        const { sid } = yield* Effect.mapError(tokens.verify(idOrToken), () => notFound)
        const id = typeof sid === "string" && isId("session", sid) ? sid : undefined
        return id === undefined || isBeingReset(realm.pendingReset, "session", id) ? yield* notFound : id
      })

      const create = Effect.fnUntraced(function* (userId: string) {
        const realm = yield* CurrentRealm
        const started = isId("user", userId) ? yield* newSessions.beginById(realm, userId) : undefined
        if (started === undefined) return yield* new UserNotFound({ id: userId })
        const { user, session } = started
        if (session === undefined) return yield* new UserInactive({ userId: user.id })
        return yield* newSessions.login(realm, session, user, { memberships: false, orgId: undefined })
      })

      const find = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = isId("session", id) ? yield* repo.findWithUser(realm.id, id, now) : undefined
        if (found === undefined) return yield* new SessionNotFound({ id })
        if (found.user.state === "inactive") return yield* new UserInactive({ userId: found.user.id })
        yield* checks.record(found.session)
        return { realm, ...found }
      })

      const get = Effect.fnUntraced(function* (id: string, options: TokenScope) {
        const { realm, session, user } = yield* find(id)
        return yield* newSessions.login(realm, session, user, options)
      })

      const read = Effect.fnUntraced(function* (id: string, memberships: boolean) {
        const { realm, session, user } = yield* find(id)
        return yield* newSessions.expand(realm, session, user, memberships)
      })

      const list = Effect.fnUntraced(function* (userId: string | undefined, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        yield* checkAfter(page, "session", (id) => Effect.fail(new SessionNotFound({ id })))
        const from = firstRetainedId(realm.pendingReset, "session")
        return pageOf(yield* repo.list(realm.id, { userId, from }, now, page), page.maxResults)
      })

      const remove = Effect.fn("Sessions.delete")(function* (id: string, reason: SessionEnd) {
        const realm = yield* CurrentRealm
        if (!isId("session", id)) return
        yield* transaction.run(
          Effect.gen(function* () {
            const ended = yield* repo.delete(realm.id, id, yield* DateTime.now)
            if (ended === undefined) return
            yield* journal.record([sessionEvent(ended.userId, id, reason)])
            if (ended.needsBackchannelLogout) yield* wakeUps.wake("DeliverLogouts")
          })
        )
      })

      const endAll = Effect.fn("Sessions.endAll")(function* (userId: UserId, except: string | undefined) {
        const { id: realmId } = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const keptSession =
              except !== undefined && isId("session", except) ? yield* repo.find(realmId, except, now) : undefined
            if (except !== undefined && keptSession?.userId !== userId)
              return yield* new SessionNotFound({ id: except })
            const ended = yield* repo.deleteOfUser(realmId, userId, now, "deleted", keptSession?.id)
            const untrusted = yield* devices.end({ realmId, id: userId })
            yield* journal.record([...ended.ids.map((id) => sessionEvent(userId, id, "deleted")), ...untrusted])
            if (ended.needsBackchannelLogout) yield* wakeUps.wake("DeliverLogouts")
            return ended.ids.length
          })
        )
      })

      return Sessions.of({ idOf, create, get, read, list, delete: remove, endAll })
    })
  )
}
