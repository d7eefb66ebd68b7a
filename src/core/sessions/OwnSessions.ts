import { Context, DateTime, Effect, Layer } from "effect"
import type { SessionId } from "#domain/Ids"
import { isId } from "#domain/Ids"
import { pageOf } from "#domain/Page"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import { type Session, SessionNotFound } from "#domain/Session"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { Journal } from "../events/Journal.ts"
import { sessionEvent } from "../events/NewEvent.ts"
import { TrustedDevices } from "../provisioning/TrustedDevices.ts"
import { Sessions } from "./Sessions.ts"

/** The maximum number of sessions shown to a user. The latest ones are shown. */
const MAX_SHOWN = 20

/** Lets users list and end their own sessions (C153). */
export class OwnSessions extends Context.Service<
  OwnSessions,
  {
    /** The unexpired sessions of a user, latest first. `more` is true if there are older ones. */
    list(
      user: User
    ): Effect.Effect<{ readonly items: ReadonlyArray<Session>; readonly more: boolean }, never, CurrentRealm>
    /**
     * Ends a session of the user and records `session.deleted`. Fails with `SessionNotFound` if the session belongs to another
     * user (SEC-134).
     */
    end(user: User, id: string): Effect.Effect<void, SessionNotFound | RealmNotFound, CurrentRealm>
    /**
     * Ends all sessions of the user except `kept`, and records `session.deleted` for each. Also ends the trust in all their
     * devices.
     */
    endOthers(user: Pick<User, "realmId" | "id">, kept: SessionId): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/OwnSessions") {
  static readonly layer = Layer.effect(
    OwnSessions,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo
      const sessions = yield* Sessions
      const devices = yield* TrustedDevices
      const journal = yield* Journal
      const transaction = yield* Transaction
      const wakeUps = yield* WakeUps

      const list = Effect.fn("OwnSessions.list")(function* ({ realmId, id: userId }: User) {
        const page = { after: undefined, maxResults: MAX_SHOWN, sort: "id", direction: "desc" } as const
        const filter = { userId, from: undefined }
        return pageOf(yield* repo.list(realmId, filter, yield* DateTime.now, page), MAX_SHOWN)
      })

      const end = Effect.fn("OwnSessions.end")(function* ({ realmId, id: userId }: User, id: string) {
        const session = isId("session", id) ? yield* repo.find(realmId, id, yield* DateTime.now) : undefined
        if (session?.userId !== userId) return yield* new SessionNotFound({ id: "" })
        yield* sessions.delete(session.id, "logged_out")
      })

      const endOthers = Effect.fn("OwnSessions.endOthers")(function* (
        { realmId, id: userId }: Pick<User, "realmId" | "id">,
        kept: SessionId
      ) {
        yield* transaction.run(
          Effect.gen(function* () {
            const ended = yield* repo.deleteOfUser(realmId, userId, yield* DateTime.now, "logged_out", kept)
            if (ended.needsBackchannelLogout) yield* wakeUps.wake("DeliverLogouts")
            const untrusted = yield* devices.end({ realmId, id: userId })
            yield* journal.record([...ended.ids.map((id) => sessionEvent(userId, id, "logged_out")), ...untrusted])
          })
        )
      })

      return OwnSessions.of({ list, end, endOthers })
    })
  )
}
