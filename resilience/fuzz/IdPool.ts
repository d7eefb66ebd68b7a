import type { SeededRandom } from "../../test/harness/SeededRandom.ts"

/** Known ids by prefix, collected from responses. */
export class IdPool {
  readonly #ids = new Map<string, Array<string>>()

  add(id: string): void {
    const prefix = id.slice(0, id.indexOf("_") + 1)
    const known = this.#ids.get(prefix) ?? []
    // The newest ids are the most likely ones to still exist.
    this.#ids.set(prefix, [...known, id].slice(-40))
  }

  /** Returns an id with this prefix, or undefined if none is known. */
  pick(random: SeededRandom, prefix: string): string | undefined {
    return random.pick(this.#ids.get(prefix) ?? [])
  }
}
