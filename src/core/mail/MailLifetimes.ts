/** The units of a lifetime, the longest first, in minutes. A lifetime is told in days from two on. */
const units = [
  { unit: "day", minutes: 1_440, from: 2_880 },
  { unit: "hour", minutes: 60, from: 60 },
  { unit: "minute", minutes: 1, from: 0 }
] as const

/** The part of a unit that may be missing: a mail that is sent a moment later says the same. */
const MISSING = 0.05

/** How long a link works, in words and rounded down: “3 days”, “24 hours”. */
export const lifetimeInWords = (language: string, seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const { unit, minutes: length } = units.find(({ from }) => minutes >= from) ?? units[2]
  const style = { style: "unit", unit, unitDisplay: "long" } as const
  return new Intl.NumberFormat(language, style).format(Math.floor(minutes / length + MISSING))
}
