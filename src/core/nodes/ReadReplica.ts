import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Metric } from "effect"
import { databaseErrorOf, Transaction, unavailabilityOf } from "#platform/Transaction"
import { type HeldReplica, type Position, ReplicaRepo } from "#store/operations/ReplicaRepo"
import { ReplicaLag } from "./ReplicaLag.ts"

/** How often the replica is checked. */
const PERIOD = "1 second"

/** How long the replica may take to connect and respond, in milliseconds. The time to catch up comes on top. */
const RESPONSE_MILLIS = 1_000

/** The time limit for a read on the replica, in milliseconds. When it is exceeded, the read is repeated on the primary. */
const READ_MILLIS = 3_000

/** How long the replica may lag before a warning is logged. */
const LOGGED_AFTER_NANOS = 5_000_000_000n

/** The reason why a read runs on the primary instead of the replica. */
type Reason = "behind" | "away" | "not_following" | "busy" | "late" | "failed"

/**
 * An outage of the replica. The replica isn't used again until a check succeeds. `at` is a time of the monotonic clock, in
 * nanoseconds.
 */
interface Outage {
  reason: Reason
  readonly at: bigint
  /** The number of reads on the primary since the outage began. */
  reads: number
  isLogged: boolean
}

/** The outcome of a read on the replica: its exit, or the reason why it couldn't run. */
type Attempt<A, E> = { readonly exit: Exit.Exit<A, E> } | { readonly reason: Reason; readonly cause?: string }

const reads = Metric.counter("replica_reads_total", {
  description: "Reads allowed on the replica, by result: replica, or the reason why the primary was used instead.",
  incremental: true
})

const lag = Metric.gauge("replica_lag_seconds", {
  description: "How far the replica lags behind the primary."
})

const count = (result: Reason | "replica") => Metric.update(Metric.withAttributes(reads, { result }), 1)

/** Returns the database error that caused a failure, in one line, or undefined if the failure has another cause. */
const databaseCauseOf = ({ reasons }: Cause.Cause<unknown>): string | undefined => {
  for (const reason of reasons) {
    const error = reason._tag === "Die" ? databaseErrorOf(reason.defect) : undefined
    if (reason._tag === "Die" && error !== undefined) return unavailabilityOf(reason.defect)?.reason ?? error
  }
  return undefined
}

/**
 * Reads from a replica of the database, if there is one. A read sees all writes that were acknowledged before it started
 * (ADR-0023).
 */
export class ReadReplica extends Context.Service<
  ReadReplica,
  {
    /**
     * Runs a read-only operation. It runs on the replica if the replica has everything that was committed before the operation
     * started, and otherwise on the primary. If the replica fails during the operation, the operation runs again on the
     * primary.
     */
    read<A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Runs a write on the primary, inside a read-only operation. */
    write<A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>
    /** Checks the replica every second, to measure its lag and to notice the end of an outage. */
    readonly watch: Effect.Effect<void>
  }
>()("sallyport/core/ReadReplica") {
  static readonly layer = Layer.effect(
    ReadReplica,
    Effect.gen(function* () {
      const repo = yield* ReplicaRepo
      const transaction = yield* Transaction
      const clock = yield* Clock.Clock
      const scope = yield* Effect.scope
      const { replica } = repo
      if (replica === undefined) {
        return ReadReplica.of({ read: (operation) => operation, write: (operation) => operation, watch: Effect.void })
      }
      const { connections, describe, maxLagMillis } = replica
      const monotonic = () => clock.monotonicTimeNanosUnsafe()
      const lagMeter = new ReplicaLag(monotonic())
      let running = 0
      let outage: Outage | undefined

      /** Waits until the replica has reached a position. Returns undefined, or the reason if the replica doesn't reach it. */
      const waitForPosition = Effect.fnUntraced(function* (needed: Position, held: HeldReplica) {
        const until = monotonic() + BigInt(maxLagMillis) * 1_000_000n
        for (let pause = 1; ; pause *= 2) {
          const found = yield* held.replayed
          if (!found.isReplica || found.history !== needed.history) return "not_following" as const
          lagMeter.replayed(found.at)
          if (found.at >= needed.at) return undefined
          const left = Number(until - monotonic()) / 1e6
          if (left <= 0) return "behind" as const
          yield* Effect.sleep(Math.min(pause, left))
        }
      })

      /** Reads from the replica within a time limit. */
      const attempt = <A, E, R>(needed: Position, operation: Effect.Effect<A, E, R>) => {
        let isReached = false
        const work = repo
          .withReplica((held) =>
            Effect.flatMap(waitForPosition(needed, held), (reason): Effect.Effect<Attempt<A, E>, never, R> => {
              if (reason !== undefined) return Effect.succeed({ reason })
              isReached = true
              return Effect.map(Effect.exit(held.run(operation)), (exit) => ({ exit }))
            })
          )
          .pipe(
            Effect.catchCause(
              (cause): Effect.Effect<Attempt<A, E>> =>
                Effect.succeed({ reason: isReached ? "failed" : "away", cause: databaseCauseOf(cause) ?? "unknown" })
            )
          )
        const timedOut = (): Attempt<A, E> =>
          isReached ? { reason: "late" } : { reason: "away", cause: "The replica does not respond." }
        // If the replica doesn't respond, canceling the statement takes a while too. So cancel it in the background.
        return Effect.flatMap(Effect.forkIn(work, scope), (fiber) => {
          const cancel = Effect.as(Effect.forkIn(Fiber.interrupt(fiber), scope), undefined)
          const joined = Fiber.join(fiber)
          return joined.pipe(
            Effect.timeoutOrElse({
              duration: maxLagMillis + RESPONSE_MILLIS,
              orElse: () =>
                isReached
                  ? Effect.timeoutOrElse(joined, {
                      duration: READ_MILLIS,
                      orElse: () => Effect.map(cancel, timedOut)
                    })
                  : Effect.map(cancel, timedOut)
            }),
            Effect.onInterrupt(() => cancel)
          )
        })
      }

      const beginOutage = (reason: Reason): Outage => {
        outage ??= { reason, at: monotonic(), reads: 0, isLogged: false }
        outage.reason = reason
        return outage
      }

      const logOutage = (current: Outage, cause: string | undefined) =>
        Effect.suspend(() => {
          if (current.isLogged || (current.reason === "behind" && monotonic() - current.at < LOGGED_AFTER_NANOS))
            return Effect.void
          current.isLogged = true
          return Effect.logWarning("The replica can't be used, so all reads go to the primary.").pipe(
            Effect.annotateLogs({
              replica: describe,
              reason: current.reason,
              ...(cause === undefined ? {} : { cause })
            })
          )
        })

      const recover = Effect.suspend(() => {
        if (outage === undefined) return Effect.void
        const { isLogged, at, reads } = outage
        outage = undefined
        if (!isLogged) return Effect.void
        const seconds = Math.round(Number(monotonic() - at) / 1e9)
        return Effect.logInfo("The replica can be used again.").pipe(
          Effect.annotateLogs({ replica: describe, seconds, reads_on_primary: reads })
        )
      })

      const onPrimary = <A, E, R>(reason: Reason, operation: Effect.Effect<A, E, R>) => {
        if (outage !== undefined) outage.reads += 1
        return Effect.andThen(count(reason), operation)
      }

      const read = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
        Effect.gen(function* () {
          if (outage !== undefined) return yield* onPrimary(outage.reason, operation)
          if (running >= connections) return yield* onPrimary("busy", operation)
          running += 1
          const outcome = yield* Effect.ensuring(
            Effect.flatMap(repo.committed, (needed) => attempt(needed, operation)),
            Effect.sync(() => {
              running -= 1
            })
          )
          if ("exit" in outcome) {
            const { exit } = outcome
            if (Exit.isSuccess(exit) || databaseCauseOf(exit.cause) === undefined) {
              yield* count("replica")
              return yield* exit
            }
            return yield* onPrimary("failed", operation)
          }
          const { reason } = outcome
          if (reason === "behind" || reason === "away" || reason === "not_following") beginOutage(reason)
          return yield* onPrimary(reason, operation)
        })

      const probe = Effect.gen(function* () {
        const at = monotonic()
        const needed = yield* repo.committed
        lagMeter.committed(at, needed.at)
        const outcome = yield* attempt(needed, Effect.void)
        yield* Metric.update(lag, lagMeter.seconds(monotonic()))
        if ("exit" in outcome) return yield* recover
        return yield* logOutage(beginOutage(outcome.reason), outcome.cause)
        // While the primary is unreachable, the replica can't be judged.
      }).pipe(Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.void)))

      return ReadReplica.of({
        read: (operation) =>
          Effect.contextWith((context: Context.Context<never>) =>
            transaction.isOpenIn(context) ? operation : read(operation)
          ),
        write: repo.onPrimary,
        watch: Effect.forever(Effect.andThen(probe, Effect.sleep(PERIOD)))
      })
    })
  )
}
