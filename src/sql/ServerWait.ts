import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { DatabaseRefused } from "./DatabaseRefused.ts"

/** How long to wait before a server that is away is tried again. */
const PAUSE = "500 millis"

/** Connects in a scope of its own, which ends at once if that fails: what it has opened would go on trying. */
const attempt = <A, R>(connect: Effect.Effect<A, DatabaseRefused, R>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return yield* Scope.provide(connect, scope).pipe(
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  })

/**
 * Connects to a server, and while it is away again and again for so many seconds. The log says that the start waits, and when
 * it goes on. What another setting would have to mend is refused at once.
 */
export const whileAway = Effect.fnUntraced(function* <A, R>(
  connect: Effect.Effect<A, DatabaseRefused, R>,
  { seconds, database }: { readonly seconds: number; readonly database: string }
) {
  const clock = yield* Clock.Clock
  const startedAt = clock.monotonicTimeNanosUnsafe()
  const waited = () => Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e9
  let isWaiting = false
  const tell = (cause: string) =>
    Effect.suspend(() => {
      if (isWaiting) return Effect.void
      isWaiting = true
      return Effect.logWarning("The start waits for the database, which can't be reached.").pipe(
        Effect.annotateLogs({ database, cause, at_most_seconds: seconds })
      )
    })
  const connected: Effect.Effect<A, DatabaseRefused, R | Scope.Scope> = Effect.suspend(() =>
    Effect.catchTag(attempt(connect), "DatabaseRefused", (refused) =>
      refused.reason === "Away" && waited() < seconds
        ? Effect.andThen(tell(refused.message), Effect.andThen(Effect.sleep(PAUSE), connected))
        : Effect.fail(refused)
    )
  )
  const result = yield* connected
  if (isWaiting) {
    yield* Effect.logInfo("The database can be reached, and the start goes on.").pipe(
      Effect.annotateLogs({ database, seconds: Math.round(waited()) })
    )
  }
  return result
})
