import { type Clock, type DateTime, type Duration, Effect } from "effect"
import { parseStepOrFail } from "./Step.ts"

/** A clock whose time only changes when it is set. Sleeping still takes real time. */
export class VirtualClock implements Clock.Clock {
  #millis: number
  readonly #real: Clock.Clock

  constructor(real: Clock.Clock, startsAt: number) {
    this.#real = real
    this.#millis = startsAt
  }

  /** Advances the clock without running anything that becomes due. Throws if the duration is invalid. */
  advance(by: Duration.Input): void {
    this.#millis += Effect.runSync(parseStepOrFail(by))
  }

  /** Sets the clock to a time, unless that is in the past. */
  setTo(at: DateTime.Utc): void {
    this.#millis = Math.max(this.#millis, at.epochMilliseconds)
  }

  currentTimeMillisUnsafe(): number {
    return this.#millis
  }
  readonly currentTimeMillis = Effect.sync(() => this.#millis)
  currentTimeNanosUnsafe(): bigint {
    return BigInt(this.#millis) * 1_000_000n
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
