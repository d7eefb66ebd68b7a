/** A pseudorandom generator: the same seed gives the same numbers. */
export class SeededRandom {
  private state: number

  /** `stream`: selects one of several independent sequences of the seed. */
  constructor(seed: number, stream: number) {
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)
  }

  /** A number from 0 to below 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    const mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** An element of a list; undefined if the list is empty. */
  pick<A>(things: ReadonlyArray<A>): A | undefined {
    return things[Math.floor(this.next() * things.length)]
  }
}
