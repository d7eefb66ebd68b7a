import { type Cause, Clock, Context, Effect, Latch, Layer } from "effect"
import { unavailabilityIn } from "#platform/Transaction"
import { HealthRepo } from "#store/HealthRepo"

/** How often a database that is away is looked for. */
const PERIOD = "1 second"

/** Tells operators of a database that is away in two lines of the log: when it is lost, and when it is back (C70). */
export class DatabaseOutage extends Context.Service<
  DatabaseOutage,
  {
    /** Reports a request that failed because the database is away. `reason`: what the server or the system says. */
    report(reason: string): Effect.Effect<void>
    /** Reports work in the background that failed. Returns whether the database is away: otherwise the failure is another. */
    reportCause(cause: Cause.Cause<unknown>): Effect.Effect<boolean>
    /** Ends once the database is back: at once if it is not away. */
    readonly over: Effect.Effect<void>
  }
>()("sallyport/core/DatabaseOutage") {
  static readonly layer = Layer.effect(
    DatabaseOutage,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const repo = yield* HealthRepo
      const scope = yield* Effect.scope
      const isBack = yield* Latch.make(true)
      let requests = 0

      const watch = Effect.gen(function* () {
        const lostAt = clock.monotonicTimeNanosUnsafe()
        do yield* Effect.sleep(PERIOD)
        while (!(yield* repo.reachable))
        const seconds = Math.round(Number(clock.monotonicTimeNanosUnsafe() - lostAt) / 1e9)
        yield* isBack.open
        yield* Effect.logInfo("The database can be reached again.").pipe(
          Effect.annotateLogs({ seconds, refused_requests: requests })
        )
      })

      const lose = Effect.fnUntraced(function* (reason: string) {
        if (!isBack.closeUnsafe()) return
        requests = 0
        yield* Effect.logError("The database can't be reached.").pipe(Effect.annotateLogs({ cause: reason }))
        yield* Effect.forkIn(watch, scope)
      }, Effect.uninterruptible)

      return DatabaseOutage.of({
        report: (reason) =>
          Effect.map(lose(reason), () => {
            requests += 1
          }),
        reportCause: (cause) => {
          const found = unavailabilityIn(cause)
          return found?.isDatabaseAway === true ? Effect.as(lose(found.reason), true) : Effect.succeed(false)
        },
        over: isBack.await
      })
    })
  )
}
