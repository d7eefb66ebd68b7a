/** A pseudorandom generator (mulberry32): the same seed gives the same numbers. */
export class SeededRandom {
  #state: number

  /** Creates a generator. `stream` selects one of several independent sequences of the seed. */
  constructor(seed: number, stream?: number) {
    this.#state =
      stream === undefined ? seed : Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** An integer from 0 to below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1)
  }

  /** An element of a list, or undefined if the list is empty. */
  pick<A>(all: ReadonlyArray<A>): A | undefined {
    return all[this.below(all.length)]
  }
}
