import { type Clock, type Duration, Effect } from "effect"

/**
 * A clock that returns the time only once it is right (C247). The `Unsafe` methods don't wait, so the times they return may be
 * wrong, for example in the log.
 */
export class PatientClock implements Clock.Clock {
  readonly #clock: Clock.Clock
  readonly currentTimeMillis: Effect.Effect<number>
  readonly currentTimeNanos: Effect.Effect<bigint>
  readonly monotonicTimeNanos: Effect.Effect<bigint>

  /** `right` completes once the clock is right. */
  constructor(clock: Clock.Clock, right: Effect.Effect<void>) {
    this.#clock = clock
    this.currentTimeMillis = Effect.andThen(right, clock.currentTimeMillis)
    this.currentTimeNanos = Effect.andThen(right, clock.currentTimeNanos)
    this.monotonicTimeNanos = clock.monotonicTimeNanos
  }

  currentTimeMillisUnsafe(): number {
    return this.#clock.currentTimeMillisUnsafe()
  }
  currentTimeNanosUnsafe(): bigint {
    return this.#clock.currentTimeNanosUnsafe()
  }
  monotonicTimeNanosUnsafe(): bigint {
    return this.#clock.monotonicTimeNanosUnsafe()
  }
  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.#clock.sleep(duration)
  }
}
