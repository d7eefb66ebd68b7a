/**
 * The units of a lifetime, longest first. `from` is the shortest lifetime shown in the unit, in minutes. Days are used from
 * two days on.
 */
const units = [
  { unit: "day", minutes: 1_440, from: 2_880 },
  { unit: "hour", minutes: 60, from: 60 },
  { unit: "minute", minutes: 1, from: 0 }
] as const

/** The fraction of a unit that may be missing when rounding down. An email sent a moment later shows the same lifetime. */
const MISSING = 0.05

/** Returns in words how long a link works, rounded down, such as “3 days” or “24 hours”. */
export const lifetimeInWords = (language: string, seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const { unit, minutes: length } = units.find(({ from }) => minutes >= from) ?? units[2]
  const style = { style: "unit", unit, unitDisplay: "long" } as const
  return new Intl.NumberFormat(language, style).format(Math.floor(minutes / length + MISSING))
}
