/** The primary's position at a time. `at` is a time of the monotonic clock. */
interface Sample {
  readonly at: bigint
  readonly committed: bigint
}

/** The maximum number of samples. */
const CAPACITY = 600

/**
 * Measures how far a replica lags behind its primary: the time since the primary was at the position that the replica has
 * reached. Only uses the clock of this process.
 */
export class ReplicaLag {
  #replayed = -1n
  /** The samples, ordered by time. The replica has reached only the first one. */
  #samples: ReadonlyArray<Sample>

  /** `startedAt` is a time of the monotonic clock, in nanoseconds. */
  constructor(startedAt: bigint) {
    this.#samples = [{ at: startedAt, committed: -1n }]
  }

  /** Records the primary's position at a time. */
  committed(at: bigint, committed: bigint): void {
    const [known, ...later] = this.#samples
    if (known === undefined) return
    // When the list is full, drop the oldest position that the replica hasn't reached. This doesn't affect the measured lag.
    const remaining = later.length < CAPACITY ? later : later.slice(1)
    this.#samples = [known, ...remaining, { at, committed }]
    this.replayed(this.#replayed)
  }

  /** Records the replica's position. */
  replayed(position: bigint): void {
    this.#replayed = position
    const last = this.#samples.findLastIndex(({ committed }) => committed <= position)
    if (last > 0) this.#samples = this.#samples.slice(last)
  }

  /** Returns the lag at a time, in seconds. */
  seconds(now: bigint): number {
    return Number(now - (this.#samples[0]?.at ?? now)) / 1e9
  }
}
