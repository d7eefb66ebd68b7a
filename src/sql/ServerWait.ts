import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { DatabaseRefused } from "./DatabaseRefused.ts"

/** The pause between attempts to reach a server. */
const PAUSE = "500 millis"

/** Connects in a separate scope, which is closed on failure. Otherwise the opened pools would keep trying to connect. */
const attempt = <A, R>(connect: Effect.Effect<A, DatabaseRefused, R>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    return yield* Scope.provide(connect, scope).pipe(
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  })

/**
 * Connects to a server. If it can't be reached, retries for the given number of seconds. Logs when it starts waiting and
 * when it succeeds. Errors that need a change of settings fail immediately.
 */
export const retryWhileUnreachable = Effect.fnUntraced(function* <A, R>(
  connect: Effect.Effect<A, DatabaseRefused, R>,
  { seconds, database }: { readonly seconds: number; readonly database: string }
) {
  const clock = yield* Clock.Clock
  const startedAt = clock.monotonicTimeNanosUnsafe()
  const waited = () => Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e9
  let isWaiting = false
  const logWaiting = (cause: string) =>
    Effect.suspend(() => {
      if (isWaiting) return Effect.void
      isWaiting = true
      return Effect.logWarning("The database can't be reached. The start waits for it.").pipe(
        Effect.annotateLogs({ database, cause, at_most_seconds: seconds })
      )
    })
  const connected: Effect.Effect<A, DatabaseRefused, R | Scope.Scope> = Effect.suspend(() =>
    Effect.catchTag(attempt(connect), "DatabaseRefused", (refused) =>
      refused.reason === "Away" && waited() < seconds
        ? Effect.andThen(logWaiting(refused.message), Effect.andThen(Effect.sleep(PAUSE), connected))
        : Effect.fail(refused)
    )
  )
  const result = yield* connected
  if (isWaiting) {
    yield* Effect.logInfo("The database can be reached. The start continues.").pipe(
      Effect.annotateLogs({ database, seconds: Math.round(waited()) })
    )
  }
  return result
})
