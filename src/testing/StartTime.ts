/** A date, or a date and time with a UTC offset. */
const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** The earliest start time allowed. The limit catches times passed in seconds instead of milliseconds. */
const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(9000, 0)

/** Parses a service's start time to Unix milliseconds, without fractions. Returns undefined if it is invalid. */
export const startOf = (at: unknown): number | undefined => {
  const millis = typeof at === "string" && ISO.test(at) ? Date.parse(at) : at instanceof Date ? at.getTime() : at
  if (typeof millis !== "number" || !(millis >= EARLIEST && millis <= LATEST)) return undefined
  return Math.round(millis)
}
