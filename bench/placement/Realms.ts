import { SeededRandom } from "../../test/harness/SeededRandom.ts"

/** The properties of a realm that affect its placement. */
export interface Realm {
  /** The hash of its id, from 0 (inclusive) to 2^32 (exclusive). */
  readonly hash: number
  readonly users: number
  /** The requests per second of all its users in the peak hour. */
  readonly load: number
}

/** The parameters for drawing realms. */
interface Population {
  readonly users: number
  readonly realms: number
  readonly seed: number
}

/** The requests per second of an average user in the peak hour: thirty requests a day, a tenth of them in that hour. */
const LOAD_PER_USER = (30 * 0.1) / 3_600

/** Draws from the normal distribution (Box–Muller). */
const normal = (random: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

/**
 * Draws realms with a heavy-tailed distribution of sizes, largest first. Sizes follow Zipf's law with exponent 1, and
 * vary by a third. The users of one realm can be several times as active as those of another.
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
      // This factor has a mean of one.
      const factor = Math.exp(0.7 * normal(activity) - 0.245)
      return { hash: Math.floor(places.next() * 2 ** 32), users: count, load: count * factor * LOAD_PER_USER }
    })
}
