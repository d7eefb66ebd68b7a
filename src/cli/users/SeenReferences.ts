import { hash } from "node:crypto"

/** The maximum load factor of the table. */
const FULL = 0.6

/** The part of a text's digest that is stored. Never 0, which marks an empty slot. */
const digestOf = (text: string): bigint => hash("sha256", text, "buffer").readBigUInt64LE() | 1n

/**
 * A set of references (or other texts) with their lines. It stores a 64-bit digest of each reference. A million
 * references take 32 MB, and one in thirty million inputs has a collision.
 */
export class SeenReferences {
  #digests = new BigUint64Array(1 << 12)
  #lines = new Uint32Array(1 << 12)
  #used = 0

  /** Adds a reference. Returns the line of its first occurrence, or undefined if it is new. */
  add(reference: string, line: number): number | undefined {
    if (this.#used >= this.#digests.length * FULL) this.#grow()
    const digest = digestOf(reference)
    const at = this.#place(digest)
    if (this.#digests[at] === digest) return this.#lines[at]
    this.#digests[at] = digest
    this.#lines[at] = line
    this.#used += 1
    return undefined
  }

  /** Returns the line of a reference in the set, or undefined if the set doesn't contain it. */
  lineOf(reference: string): number | undefined {
    const digest = digestOf(reference)
    const at = this.#place(digest)
    return this.#digests[at] === digest ? this.#lines[at] : undefined
  }

  #place(digest: bigint): number {
    const mask = this.#digests.length - 1
    let at = Number(digest >> 33n) & mask
    while (this.#digests[at] !== 0n && this.#digests[at] !== digest) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const [digests, lines] = [this.#digests, this.#lines]
    this.#digests = new BigUint64Array(2 * digests.length)
    this.#lines = new Uint32Array(2 * lines.length)
    for (const [index, digest] of digests.entries()) {
      if (digest === 0n) continue
      const at = this.#place(digest)
      this.#digests[at] = digest
      this.#lines[at] = lines[index] ?? 0
    }
  }
}
