/** The units of durations, in seconds. */
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** The accepted formats of a point in time. */
export const MOMENTS = "2h for two hours ago (or s, m, d, w), 2026-11-23T08:00Z, or Unix seconds"

/**
 * Parses a point in time to Unix seconds. Returns undefined if it is invalid. `now`: the current time in Unix
 * milliseconds.
 */
export const momentOf = (text: string, now: number): number | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? []
  if (count !== undefined) return Math.floor(now / 1_000) - Number(count) * (units[unit] ?? 0)
  if (/^\d{9,10}(?:\.\d{1,3})?$/.test(text.trim())) return Number(text)
  // JavaScript reads a date without a time as UTC, but a date with a time as local time. Here, both are UTC.
  const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text.trim())
  if (iso === null) return undefined
  const at = Date.parse(iso[0].length > "2026-11-23".length && iso[1] === undefined ? `${iso[0]}Z` : iso[0])
  return Number.isNaN(at) ? undefined : at / 1_000
}
