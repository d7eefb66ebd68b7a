import { Clock, Context, Effect, Layer, Metric } from "effect"
import { ClockWrong } from "#domain/ClockWrong"
import { HealthRepo } from "#store/operations/HealthRepo"

/** How often a node compares its clock with the database's. */
const PERIOD = "2 seconds"

/**
 * The limits for clock differences, in milliseconds. A difference above `NOTABLE_MILLIS` is logged. Above `WRONG_MILLIS`, the
 * node pauses everything that depends on time.
 */
const NOTABLE_MILLIS = 5_000
const WRONG_MILLIS = 30_000

/** How closely a node's clock agrees with the database's. */
export type ClockState = "ok" | "off" | "wrong"

/** Returns the state of a clock that is `ahead` milliseconds ahead of the database's. A negative value means behind. */
export const clockStateOf = (ahead: number): ClockState => {
  const size = Math.abs(ahead)
  return size > WRONG_MILLIS ? "wrong" : size > NOTABLE_MILLIS ? "off" : "ok"
}

const skew = Metric.gauge("clock_skew_seconds", {
  description: "How far this node's clock is ahead of the database's; negative if it is behind."
})

const messages = {
  ok: Effect.logInfo("This node's clock agrees with the database's again."),
  off: Effect.logWarning("This node's clock and the database's differ by more than 5 seconds."),
  wrong: Effect.logError(
    "This node's clock and the database's differ by more than 30 seconds. The node rejects requests and pauses background jobs."
  )
} satisfies Record<ClockState, Effect.Effect<void>>

/** The machine's clock. Tests that move the service's clock don't move this one. */
export const MachineClock = Context.Reference<Clock.Clock>("sallyport/core/MachineClock", {
  defaultValue: () => Clock.Clock.defaultValue()
})

/**
 * Compares this node's clock with the database's, which is the same for all nodes. It is only used for comparison, never for
 * stored times (C224). Between comparisons, the database's time is extrapolated with the monotonic clock, so that a jump of
 * this node's clock is noticed immediately.
 */
export class NodeClock extends Context.Service<
  NodeClock,
  {
    /** Compares the clocks once. Ignores a response that takes 1.5 seconds or longer. */
    readonly check: Effect.Effect<void>
    /** Compares the clocks every two seconds, forever. */
    readonly watch: Effect.Effect<never>
    /** How far this node's clock is ahead, in seconds; undefined before the first comparison. */
    aheadSeconds(): number | undefined
    /** Returns whether the clock is currently wrong, which means more than 30 seconds off. */
    isWrong(): boolean
    /** Dies with `ClockWrong` if the clock is currently wrong. */
    readonly ensureRight: Effect.Effect<void>
    /** Completes once the clock is right. Completes immediately if it already is. */
    readonly untilRight: Effect.Effect<void>
  }
>()("sallyport/core/NodeClock") {
  static readonly layer = Layer.effect(
    NodeClock,
    Effect.gen(function* () {
      const repo = yield* HealthRepo
      const clock = yield* MachineClock
      const monotonic = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      /** The database's time when the monotonic clock was 0, in milliseconds. */
      let origin: number | undefined
      let reported: ClockState = "ok"

      const ahead = () => (origin === undefined ? 0 : clock.currentTimeMillisUnsafe() - origin - monotonic())
      const isWrong = () => origin !== undefined && Math.abs(ahead()) > WRONG_MILLIS

      const report = Effect.suspend(() => {
        const state = clockStateOf(ahead())
        if (state === reported) return Effect.void
        reported = state
        return messages[state].pipe(Effect.annotateLogs({ ahead_seconds: Math.round(ahead() / 100) / 10 }))
      })

      const check = Effect.gen(function* () {
        const sent = monotonic()
        const time = yield* repo.time
        const received = monotonic()
        // The measured time can be off by up to the round trip time, so ignore slow responses.
        if (time !== undefined && received - sent < 1_500) origin = time - (sent + received) / 2
        if (origin === undefined) return
        yield* Metric.update(skew, ahead() / 1_000)
        yield* report
      })

      return NodeClock.of({
        check,
        watch: Effect.forever(Effect.andThen(Effect.sleep(PERIOD), check)),
        aheadSeconds: () => (origin === undefined ? undefined : ahead() / 1_000),
        isWrong,
        ensureRight: Effect.suspend(() =>
          isWrong() ? Effect.die(new ClockWrong({ aheadSeconds: ahead() / 1_000 })) : Effect.void
        ),
        untilRight: Effect.suspend(() =>
          isWrong() ? Effect.repeat(Effect.sleep("500 millis"), { while: isWrong }) : Effect.void
        ).pipe(Effect.asVoid)
      })
    })
  )
}
