import { type Cause, Clock, Context, Effect, Latch, Layer } from "effect"
import { unavailabilityIn } from "#platform/Transaction"
import { HealthRepo } from "#store/operations/HealthRepo"

/** How often an unreachable database is checked. */
const PERIOD = "1 second"

/** Logs a database outage when it begins and when it is over (C70). */
export class DatabaseOutage extends Context.Service<
  DatabaseOutage,
  {
    /**
     * Reports a request that failed because the database is unreachable. `reason` is the error of the database server or the
     * operating system.
     */
    report(reason: string): Effect.Effect<void>
    /** Reports failed background work. Returns true if the database was unreachable. */
    reportCause(cause: Cause.Cause<unknown>): Effect.Effect<boolean>
    /** Completes once the database is reachable. Completes immediately if there is no outage. */
    readonly ended: Effect.Effect<void>
    /**
     * Runs background work. If the database is unavailable, waits until it is available again and then runs `instead`. The
     * wait can be interrupted even if the work can't. Other failures are passed on.
     */
    orOnceAvailable<A, B, R, R2>(
      work: Effect.Effect<A, never, R>,
      instead: Effect.Effect<B, never, R2>
    ): Effect.Effect<A | B, never, R | R2>
    /** Runs background work, and repeats it until the database is available. The work must be idempotent. */
    retryUntilAvailable<A, R>(work: Effect.Effect<A, never, R>): Effect.Effect<A, never, R>
  }
>()("sallyport/core/DatabaseOutage") {
  static readonly layer = Layer.effect(
    DatabaseOutage,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const repo = yield* HealthRepo
      const scope = yield* Effect.scope
      const isAvailable = yield* Latch.make(true)
      let requests = 0

      const watch = Effect.gen(function* () {
        const since = clock.monotonicTimeNanosUnsafe()
        do yield* Effect.sleep(PERIOD)
        while (!(yield* repo.reachable))
        const seconds = Math.round(Number(clock.monotonicTimeNanosUnsafe() - since) / 1e9)
        yield* isAvailable.open
        yield* Effect.logInfo("The database can be reached again.").pipe(
          Effect.annotateLogs({ seconds, refused_requests: requests })
        )
      })

      const beginOutage = Effect.fnUntraced(function* (reason: string) {
        if (!isAvailable.closeUnsafe()) return
        requests = 0
        yield* Effect.logError("The database can't be reached.").pipe(Effect.annotateLogs({ cause: reason }))
        yield* Effect.forkIn(watch, scope)
      }, Effect.uninterruptible)

      const orOnceAvailable: DatabaseOutage["Service"]["orOnceAvailable"] = (work, instead) =>
        Effect.catchCause(work, (cause) => {
          const found = unavailabilityIn(cause)
          if (found === undefined || found.code === "encryption_key_missing") return Effect.failCause(cause)
          const whenAvailable = found.isDatabaseUnreachable
            ? Effect.andThen(beginOutage(found.reason), isAvailable.await)
            : Effect.sleep(`${found.retryAfterSeconds} seconds`)
          return Effect.andThen(Effect.interruptible(whenAvailable), instead)
        })

      const retryUntilAvailable: DatabaseOutage["Service"]["retryUntilAvailable"] = (work) =>
        orOnceAvailable(
          work,
          Effect.suspend(() => retryUntilAvailable(work))
        )

      return DatabaseOutage.of({
        report: (reason) =>
          Effect.map(beginOutage(reason), () => {
            requests += 1
          }),
        reportCause: (cause) => {
          const found = unavailabilityIn(cause)
          return found?.isDatabaseUnreachable === true
            ? Effect.as(beginOutage(found.reason), true)
            : Effect.succeed(false)
        },
        ended: isAvailable.await,
        orOnceAvailable,
        retryUntilAvailable
      })
    })
  )
}
