/** A value and its position in the order of use. */
interface Place<A> {
  value: A
  older: Place<A> | undefined
  newer: Place<A> | undefined
}

/**
 * A map of at most `capacity` values. When it is full, a new value replaces the least recently used one.
 *
 * Each value contains its key. The map uses that key instead of the one passed to a lookup, which may be part of a URL and
 * would keep the whole URL in memory. The order of use is a separate list. The order of a `Map` can't be used, because
 * deleting and re-adding a key at each use is slow: iteration passes over all deleted keys.
 */
export class LruMap<Key, A extends { readonly key: Key }> {
  readonly #places = new Map<Key, Place<A>>()
  readonly #capacity: number
  #newest: Place<A> | undefined
  #oldest: Place<A> | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#places.size
  }

  /** Returns the value for a key, and makes it the most recently used one. */
  get(key: Key): A | undefined {
    const place = this.#places.get(key)
    if (place === undefined) return undefined
    this.#use(place)
    return place.value
  }

  set(value: A): void {
    const known = this.#places.get(value.key)
    if (known !== undefined) {
      known.value = value
      this.#use(known)
      return
    }
    const place = { value, older: undefined, newer: undefined }
    this.#places.set(value.key, place)
    this.#append(place)
    if (this.#places.size > this.#capacity && this.#oldest !== undefined) this.delete(this.#oldest.value.key)
  }

  delete(key: Key): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    this.#places.delete(key)
    this.#remove(place)
  }

  deleteWhere(isGone: (key: Key) => boolean): void {
    for (const key of this.#places.keys()) if (isGone(key)) this.delete(key)
  }

  clear(): void {
    this.#places.clear()
    this.#newest = undefined
    this.#oldest = undefined
  }

  #use(place: Place<A>): void {
    if (place === this.#newest) return
    this.#remove(place)
    this.#append(place)
  }

  #append(place: Place<A>): void {
    place.older = this.#newest
    place.newer = undefined
    if (this.#newest === undefined) this.#oldest = place
    else this.#newest.newer = place
    this.#newest = place
  }

  #remove({ older, newer }: Place<A>): void {
    if (older === undefined) this.#oldest = newer
    else older.newer = newer
    if (newer === undefined) this.#newest = older
    else newer.older = older
  }
}
