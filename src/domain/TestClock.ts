import { Data } from "effect"

/** The request would move the clock backwards. */
export class ClockBackwards extends Data.TaggedError("ClockBackwards") {}

/** The clock is already being advanced, and due work is still running. */
export class AlreadyAdvancing extends Data.TaggedError("AlreadyAdvancing") {}

/** The units of a clock step, in seconds. */
const units: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800 }

/** The text form of a step: a number, an optional space, and a unit. */
export const STEP = /^(\d{1,9}(?:\.\d{1,3})?) ?(second|minute|hour|day|week)s?$/

/** The maximum step, in seconds: a hundred years. */
export const MAX_STEP_SECONDS = 36_525 * 86_400

/** Returns whether a step would move the clock backwards: a number below 0, or text that begins with a minus sign. */
export const isStepBack = (step: number | string): boolean =>
  typeof step === "number" ? step < 0 : /^-\d/.test(step.trim()) && secondsOfStep(step.trim().slice(1)) !== undefined

/**
 * The length of a clock step in seconds. A step is a number of seconds or a string such as `30 days`. Undefined if it is
 * neither.
 */
export const secondsOfStep = (step: number | string): number | undefined => {
  const [, count, unit = ""] = typeof step === "number" ? ["", String(step), "second"] : (STEP.exec(step.trim()) ?? [])
  const seconds = Number(count) * (units[unit] ?? Number.NaN)
  return seconds >= 0 && seconds <= MAX_STEP_SECONDS ? seconds : undefined
}
