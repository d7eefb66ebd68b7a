import { SeededRandom } from "../../resilience/chaos/SeededRandom.ts"

/** A realm as far as its place matters. */
export interface Realm {
  /** Where a hash of its id falls, from 0 to below 2^32. */
  readonly hash: number
  readonly users: number
  /** Requests a second at the peak hour, of all its users. */
  readonly load: number
}

/** How sizes and activity of realms are drawn. */
interface Population {
  readonly users: number
  readonly realms: number
  readonly seed: number
}

/** Requests a second of an average user at the peak hour: thirty on a day, a tenth of them within that hour. */
const LOAD_PER_USER = (30 * 0.1) / 3_600

/** A draw from the normal distribution (Box–Muller). */
const normal = (random: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

/**
 * Realms with a heavy tail, the largest first: sizes fall with the rank as of Zipf's law with exponent 1, and scatter by a third. Users of
 * one realm are a few times as busy as those of another.
 */
export const drawRealms = ({ realms, seed, users }: Population): ReadonlyArray<Realm> => {
  const [sizes, activity, places] = [0, 1, 2].map((stream) => new SeededRandom(seed, stream))
  if (sizes === undefined || activity === undefined || places === undefined) return []
  const weights = Array.from({ length: realms }, (_, rank) => Math.exp(0.3 * normal(sizes)) / (rank + 1))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return weights
    .toSorted((a, b) => b - a)
    .map((weight) => {
      const count = Math.max(1, Math.round((weight / whole) * users))
      // The mean of this factor is one.
      const factor = Math.exp(0.7 * normal(activity) - 0.245)
      return { hash: Math.floor(places.next() * 2 ** 32), users: count, load: count * factor * LOAD_PER_USER }
    })
}
