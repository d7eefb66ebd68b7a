/** The units of a lifetime in minutes, longest first, each with the shortest lifetime to show in it: days from two on. */
const units = [
  { unit: "day", minutes: 1_440, from: 2_880 },
  { unit: "hour", minutes: 60, from: 60 },
  { unit: "minute", minutes: 1, from: 0 }
] as const

/** The fraction of a unit that may be missing, so that an email sent a moment later shows the same lifetime. */
const MISSING = 0.05

/** How long a link works, in words and rounded down: “3 days”, “24 hours”. */
export const lifetimeInWords = (language: string, seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const { unit, minutes: length } = units.find(({ from }) => minutes >= from) ?? units[2]
  const style = { style: "unit", unit, unitDisplay: "long" } as const
  return new Intl.NumberFormat(language, style).format(Math.floor(minutes / length + MISSING))
}
