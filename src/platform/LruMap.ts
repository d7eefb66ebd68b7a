/**
 * A map of at most `capacity` values: the least recently used one makes room for a new one. A value has its key, so that the map
 * keeps no key of a look-up: that may be a piece of a URL, which would stay in memory as a whole.
 */
export class LruMap<Key, A extends { readonly key: Key }> {
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
    if (value !== undefined) this.#append(value)
    return value
  }

  set(value: A): void {
    this.#append(value)
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

  deleteWhere(isGone: (key: Key) => boolean): void {
    for (const key of this.#entries.keys()) if (isGone(key)) this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  #append(value: A): void {
    this.#entries.delete(value.key)
    this.#entries.set(value.key, value)
  }
}
