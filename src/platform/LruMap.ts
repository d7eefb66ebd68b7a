/** A value's place in the order of use. */
interface Place<A> {
  value: A
  older: Place<A> | undefined
  newer: Place<A> | undefined
}

/**
 * A map of at most `capacity` values. The least recently used value makes room for a new one. Each value contains its key, so
 * that the map does not retain the key passed to a lookup: that key may be part of a URL, which would stay in memory as a
 * whole. The order of use is a separate list. Deleting and re-adding a key of a `Map` at each use would be slow, because
 * iteration passes over all deleted keys.
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

  /** The value of a key, which becomes the most recently used one. */
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
