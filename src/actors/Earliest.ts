import { DateTime } from "effect"

/** The earliest of some times, if there is any. */
export const earliest = (times: ReadonlyArray<DateTime.Utc | undefined>): DateTime.Utc | undefined => {
  const known = times.filter((time) => time !== undefined)
  return known.length === 0 ? undefined : known.reduce(DateTime.min)
}
