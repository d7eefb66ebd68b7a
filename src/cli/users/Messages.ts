import { type Code, catalogues, formatMessage } from "#api/Messages"
import { type Problem, problem } from "#domain/Rejected"
import type { TakenByLine } from "./ClaimedValues.ts"

/** The service's message for an error code. */
export const messageOf = (code: Code, params?: Problem["params"], field: string | null = null): string =>
  formatMessage(catalogues.en, problem(field, code, params))

/** Says which line already has a value that must be unique. */
export const takenByLineMessage = (line: number): string => `Line ${line} has it.`

/** The error for a row with a value that an earlier row already has. */
export const takenMessage = ({ field, line }: TakenByLine): string =>
  `${messageOf("taken", undefined, field)} ${takenByLineMessage(line)}`

const form = new Intl.NumberFormat("en")

/** Formats a number. */
export const numeral = (value: number): string => form.format(value)

/** Formats a count: `1 row`, `2,000 rows`. */
export const count = (value: number, one: string, several = `${one}s`): string =>
  `${numeral(value)} ${value === 1 ? one : several}`

/**
 * Formats a duration in its two largest units: `3 s`, `1 min 47 s`, `2 h 5 min`. Below a second, returns for example
 * `0.2 s`.
 */
export const duration = (seconds: number): string => {
  if (seconds > 0 && seconds < 0.95) return `${Math.max(0.1, seconds).toFixed(1)} s`
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}
