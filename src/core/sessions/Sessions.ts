import { Context, DateTime, Effect, Layer } from "effect"
import { isId } from "#domain/Ids"
import { type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstKept } from "#domain/RealmClearing"
import { type Login, type Session, SessionNotFound } from "#domain/Session"
import { UserInactive, UserNotFound } from "#domain/User"
import { Journal } from "../events/Journal.ts"
import { Transaction } from "../Transaction.ts"
import { UsersRepo } from "../users/UsersRepo.ts"
import { NewSessions, type TokenScope } from "./NewSessions.ts"
import { SessionsRepo } from "./SessionsRepo.ts"

/** Periods of authenticated use (api-v2 section 4, "Sessions"). */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Starts a session without authenticating anyone. Records no event. An unmanaged realm keeps no row. */
    create(userId: string): Effect.Effect<Login, UserNotFound | UserInactive, CurrentRealm>
    /** A live session of an active user, with a token of now. `orgId`: of that one org only. */
    get(id: string, options: TokenScope): Effect.Effect<Login, SessionNotFound | UserInactive, CurrentRealm>
    list(userId: string | undefined, page: PageOf<"id">): Effect.Effect<Page<Session>, SessionNotFound, CurrentRealm>
    /** Ends a session; one that is gone already is no failure. `session.deleted` when there was one. */
    delete(id: string): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo
      const users = yield* UsersRepo
      const newSessions = yield* NewSessions
      const journal = yield* Journal
      const transaction = yield* Transaction

      const create = Effect.fnUntraced(function* (userId: string) {
        const realm = yield* CurrentRealm
        const user = isId("user", userId) ? yield* users.find(realm.id, userId) : undefined
        if (user === undefined) return yield* new UserNotFound({ id: userId })
        if (user.state === "inactive") return yield* new UserInactive({ userId: user.id })

        const session = yield* newSessions.begin(realm, user)
        if (session === undefined) return yield* new UserInactive({ userId: user.id })
        return yield* newSessions.login(realm, session, user, { memberships: false, orgId: undefined })
      })

      const get = Effect.fnUntraced(function* (id: string, options: TokenScope) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const found = isId("session", id) ? yield* repo.findWithUser(realm.id, id, now) : undefined
        if (found === undefined) return yield* new SessionNotFound({ id })
        if (found.user.state === "inactive") return yield* new UserInactive({ userId: found.user.id })
        return yield* newSessions.login(realm, found.session, found.user, options)
      })

      const list = Effect.fnUntraced(function* (userId: string | undefined, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        const now = yield* DateTime.now
        const { after } = page
        if (after !== undefined) {
          const found = isId("session", after) ? yield* repo.find(realm.id, after, now) : undefined
          if (found === undefined) return yield* new SessionNotFound({ id: after })
        }
        const from = firstKept(realm.clearing, "session")
        return pageOf(yield* repo.list(realm.id, { userId, from }, now, page), page.maxResults)
      })

      const remove = Effect.fn("Sessions.delete")(function* (id: string) {
        const realm = yield* CurrentRealm
        if (!isId("session", id)) return
        yield* transaction.run(
          Effect.gen(function* () {
            const userId = yield* repo.delete(realm.id, id, yield* DateTime.now)
            if (userId !== undefined) yield* journal.record([{ eventType: "session.deleted", sessionId: id, userId }])
          })
        )
      })

      return Sessions.of({ create, get, list, delete: remove })
    })
  )
}
