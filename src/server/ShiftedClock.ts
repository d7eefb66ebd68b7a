import { type Clock, type DateTime, type Duration, Effect } from "effect"

/** A clock that runs like the real one, but ahead of it by the total time it was advanced. It never goes back. */
export class ShiftedClock implements Clock.Clock {
  #ahead = 0
  readonly #real: Clock.Clock

  constructor(real: Clock.Clock) {
    this.#real = real
  }

  /** Advances the clock to a time, unless that time has already passed. */
  setTo(at: DateTime.Utc): void {
    this.#ahead = Math.max(this.#ahead, at.epochMilliseconds - this.#real.currentTimeMillisUnsafe())
  }

  currentTimeMillisUnsafe(): number {
    return this.#real.currentTimeMillisUnsafe() + this.#ahead
  }
  readonly currentTimeMillis = Effect.sync(() => this.currentTimeMillisUnsafe())
  currentTimeNanosUnsafe(): bigint {
    return this.#real.currentTimeNanosUnsafe() + BigInt(this.#ahead) * 1_000_000n
  }
  readonly currentTimeNanos = Effect.sync(() => this.currentTimeNanosUnsafe())
  monotonicTimeNanosUnsafe(): bigint {
    return this.#real.monotonicTimeNanosUnsafe()
  }
  readonly monotonicTimeNanos = Effect.sync(() => this.monotonicTimeNanosUnsafe())
  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return this.#real.sleep(duration)
  }
}
