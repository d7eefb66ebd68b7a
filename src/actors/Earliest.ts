import { DateTime } from "effect"

/** Returns the earliest of the given times, or undefined if there are none. */
export const earliest = (times: ReadonlyArray<DateTime.Utc | undefined>): DateTime.Utc | undefined => {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : known.reduce(DateTime.min)
}
