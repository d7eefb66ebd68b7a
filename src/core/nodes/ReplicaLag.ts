/** A time by the monotonic clock, and how far the primary had come then. */
interface Sample {
  readonly at: bigint
  readonly committed: bigint
}

/** How many samples are kept. */
const CAPACITY = 600

/**
 * How far a replica lags behind its primary, by the clock of this process alone: the time since the last sample of the primary
 * that the replica has all of.
 */
export class ReplicaLag {
  #replayed = -1n
  /** In order of their time. The replica has all of the first one only. */
  #samples: ReadonlyArray<Sample>

  /** `startedAt`: by the monotonic clock, in nanoseconds. */
  constructor(startedAt: bigint) {
    this.#samples = [{ at: startedAt, committed: -1n }]
  }

  /** The primary had come to a position at a time. */
  committed(at: bigint, committed: bigint): void {
    const [known, ...later] = this.#samples
    if (known === undefined) return
    // Without room the oldest of those that are missing goes: what is said of the lag stays true.
    const kept = later.length < CAPACITY ? later : later.slice(1)
    this.#samples = [known, ...kept, { at, committed }]
    this.replayed(this.#replayed)
  }

  /** The replica has come to a position. */
  replayed(position: bigint): void {
    this.#replayed = position
    const last = this.#samples.findLastIndex(({ committed }) => committed <= position)
    if (last > 0) this.#samples = this.#samples.slice(last)
  }

  /** The lag at a time, in seconds. */
  seconds(now: bigint): number {
    return Number(now - (this.#samples[0]?.at ?? now)) / 1e9
  }
}
