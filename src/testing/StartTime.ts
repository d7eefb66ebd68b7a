/** A date, or a date and time that says its distance from UTC. */
const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** From when to when a service may start. A number of seconds in place of milliseconds lies before. */
const FIRST = Date.UTC(2000, 0)
const LAST = Date.UTC(9000, 0)

/** The time at which a service is to start, in whole Unix milliseconds; undefined if that is no such time. */
export const startOf = (at: unknown): number | undefined => {
  const millis = typeof at === "string" && ISO.test(at) ? Date.parse(at) : at instanceof Date ? at.getTime() : at
  if (typeof millis !== "number" || !(millis >= FIRST && millis <= LAST)) return undefined
  return Math.round(millis)
}
