/** Random numbers that a seed brings about: the same ones each time. */
export class Chance {
  private state: number

  /** `stream`: of one seed, several rows of numbers that know nothing of each other. */
  constructor(seed: number, stream: number) {
    this.state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 1, 0xc2b2ae35)
  }

  /** From 0 up to 1, and never 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    const mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `least` up to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  /** One of some things; undefined of none. */
  of<A>(things: ReadonlyArray<A>): A | undefined {
    return things[Math.floor(this.next() * things.length)]
  }
}
