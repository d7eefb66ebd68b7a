import { Clock, Context, DateTime, Effect, Layer } from "effect"
import type { SessionId } from "#domain/Ids"
import type { Session } from "#domain/Session"
import { SessionsRepo } from "#store/sessions/SessionsRepo"

/** The minimum interval between two recorded checks of a session, in milliseconds. */
const INTERVAL = 60_000

/** The number of recently checked sessions to remember, so that concurrent requests write only once. */
const CAPACITY = 10_000

/** Records when sessions were last checked (C149). */
export class SessionChecks extends Context.Service<
  SessionChecks,
  {
    /** Records that a session was checked, at most once a minute. Doesn't delay the request. */
    record(session: Session): Effect.Effect<void>
  }
>()("sallyport/core/SessionChecks") {
  static readonly layer = Layer.effect(
    SessionChecks,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo
      const clock = yield* Clock.Clock
      const scope = yield* Effect.scope
      const recorded = new Map<SessionId, number>()

      const store = ({ realmId, id }: Session, now: number) =>
        Effect.suspend(() => {
          const [oldest] = recorded.size >= CAPACITY ? recorded.keys() : []
          if (oldest !== undefined) recorded.delete(oldest)
          recorded.set(id, now)
          return Effect.forkIn(repo.recordCheck(realmId, id, DateTime.makeUnsafe(now)), scope)
        })

      const record = (session: Session) =>
        Effect.suspend(() => {
          const now = clock.currentTimeMillisUnsafe()
          const { epochMilliseconds: stored } = session.lastSeenAt ?? session.createdAt
          const last = Math.max(stored, recorded.get(session.id) ?? stored)
          return now - last < INTERVAL ? Effect.void : Effect.asVoid(store(session, now))
        })

      return SessionChecks.of({ record })
    })
  )
}
