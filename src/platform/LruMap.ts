/** A map of at most `capacity` entries: the least recently used one makes room for a new one. */
export class LruMap<Key, A> {
  readonly #entries = new Map<Key, A>()
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value of a key, which is the most recently used one then. */
  get(key: Key): A | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.#append(key, value)
    return value
  }

  set(key: Key, value: A): void {
    this.#append(key, value)
    if (this.#entries.size <= this.#capacity) return
    // A map keeps its entries in the order in which they were added.
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  deleteWhere(isGone: (value: A) => boolean): void {
    for (const [key, value] of this.#entries) if (isGone(value)) this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  #append(key: Key, value: A): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
  }
}
