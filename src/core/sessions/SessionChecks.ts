import { Clock, Context, DateTime, Effect, Layer } from "effect"
import type { SessionId } from "#domain/Ids"
import type { Session } from "#domain/Session"
import { SessionsRepo } from "#store/sessions/SessionsRepo"

/** The minimum time between two recorded checks of a session, in milliseconds. */
const INTERVAL = 60_000

/** The number of sessions remembered as just checked, so that concurrent requests write only once. */
const CAPACITY = 10_000

/** Records when the service checks sessions (C149). */
export class SessionChecks extends Context.Service<
  SessionChecks,
  {
    /** Stores that a session was checked, at most once a minute and without delaying the request. */
    note(session: Session): Effect.Effect<void>
  }
>()("sallyport/core/SessionChecks") {
  static readonly layer = Layer.effect(
    SessionChecks,
    Effect.gen(function* () {
      const repo = yield* SessionsRepo
      const clock = yield* Clock.Clock
      const scope = yield* Effect.scope
      const noted = new Map<SessionId, number>()

      const store = ({ realmId, id }: Session, now: number) =>
        Effect.suspend(() => {
          const [oldest] = noted.size >= CAPACITY ? noted.keys() : []
          if (oldest !== undefined) noted.delete(oldest)
          noted.set(id, now)
          return Effect.forkIn(repo.seen(realmId, id, DateTime.makeUnsafe(now)), scope)
        })

      const note = (session: Session) =>
        Effect.suspend(() => {
          const now = clock.currentTimeMillisUnsafe()
          const { epochMilliseconds: stored } = session.lastSeenAt ?? session.createdAt
          const last = Math.max(stored, noted.get(session.id) ?? stored)
          return now - last < INTERVAL ? Effect.void : Effect.asVoid(store(session, now))
        })

      return SessionChecks.of({ note })
    })
  )
}
