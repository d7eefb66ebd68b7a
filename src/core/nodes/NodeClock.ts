import { Clock, Context, Effect, Layer, Metric } from "effect"
import { ClockWrong } from "#domain/ClockWrong"
import { HealthRepo } from "#store/operations/HealthRepo"

/** How often a node compares its clock with the database's. */
const PERIOD = "2 seconds"

/** From which difference on operators are told, and from which on the node does nothing that goes by the time, in milliseconds. */
const NOTABLE = 5_000
const WRONG = 30_000

/** How a node's clock fares, beside the database's. */
export type ClockState = "ok" | "off" | "wrong"

/** How a clock fares that is `ahead` milliseconds ahead, or behind if that is negative. */
export const clockStateOf = (ahead: number): ClockState => {
  const size = Math.abs(ahead)
  return size > WRONG ? "wrong" : size > NOTABLE ? "off" : "ok"
}

const skew = Metric.gauge("clock_skew_seconds", {
  description: "How far this node's clock is ahead of the database's; negative if it is behind."
})

const messages = {
  ok: Effect.logInfo("This node's clock agrees with the database's again."),
  off: Effect.logWarning("This node's clock and the database's differ by more than 5 seconds."),
  wrong: Effect.logError(
    "This node's clock and the database's differ by more than 30 seconds: it refuses requests and pauses background jobs."
  )
} satisfies Record<ClockState, Effect.Effect<void>>

/** The clock of the machine, also where that of the service is turned by a test. */
export const MachineClock = Context.Reference<Clock.Clock>("sallyport/core/MachineClock", {
  defaultValue: () => Clock.Clock.defaultValue()
})

/**
 * Compares this node's clock with the database's, the one that all nodes see. No data has a time from there (C224). Between two
 * comparisons the monotonic clock goes on from the last one, so that a jump is noticed at once.
 */
export class NodeClock extends Context.Service<
  NodeClock,
  {
    /** Compares the clocks once. What the database does not answer within a second and a half changes nothing. */
    readonly check: Effect.Effect<void>
    /** Compares the clocks again and again. */
    readonly watch: Effect.Effect<never>
    /** How far this node's clock is ahead, in seconds; undefined: it was not compared with another. */
    aheadSeconds(): number | undefined
    /** Whether the clock is wrong now. */
    isWrong(): boolean
    /** Dies with `ClockWrong` if the clock is wrong now. */
    readonly ensureRight: Effect.Effect<void>
    /** Ends once the clock is not wrong: at once if it is not. */
    readonly right: Effect.Effect<void>
  }
>()("sallyport/core/NodeClock") {
  static readonly layer = Layer.effect(
    NodeClock,
    Effect.gen(function* () {
      const repo = yield* HealthRepo
      const clock = yield* MachineClock
      const monotonic = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      /** The database's time where the monotonic clock is at 0. */
      let origin: number | undefined
      let told: ClockState = "ok"

      const ahead = () => (origin === undefined ? 0 : clock.currentTimeMillisUnsafe() - origin - monotonic())
      const isWrong = () => origin !== undefined && Math.abs(ahead()) > WRONG

      const tell = Effect.suspend(() => {
        const state = clockStateOf(ahead())
        if (state === told) return Effect.void
        told = state
        return messages[state].pipe(Effect.annotateLogs({ ahead_seconds: Math.round(ahead() / 100) / 10 }))
      })

      const check = Effect.gen(function* () {
        const sent = monotonic()
        const time = yield* repo.time
        const received = monotonic()
        // The answer may be older than it took: an answer that was long on its way says too little.
        if (time !== undefined && received - sent < 1_500) origin = time - (sent + received) / 2
        if (origin === undefined) return
        yield* Metric.update(skew, ahead() / 1_000)
        yield* tell
      })

      return NodeClock.of({
        check,
        watch: Effect.forever(Effect.andThen(Effect.sleep(PERIOD), check)),
        aheadSeconds: () => (origin === undefined ? undefined : ahead() / 1_000),
        isWrong,
        ensureRight: Effect.suspend(() =>
          isWrong() ? Effect.die(new ClockWrong({ aheadSeconds: ahead() / 1_000 })) : Effect.void
        ),
        right: Effect.suspend(() =>
          isWrong() ? Effect.repeat(Effect.sleep("500 millis"), { while: isWrong }) : Effect.void
        ).pipe(Effect.asVoid)
      })
    })
  )
}
