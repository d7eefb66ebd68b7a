import { Data, Duration, Effect, Option } from "effect"
import { MAX_STEP_SECONDS, secondsOfStep } from "#domain/TestClock"
import { inspectInline } from "./CallerError.ts"

/** The clock was not advanced. `message` contains the reason. */
export class AdvanceRefused extends Data.TaggedError("AdvanceRefused")<{ readonly message: string }> {}

/** Returns whether an object has a unit of time. Objects without one, such as `{}` and dates, would count as zero. */
const namesTime = (by: object): boolean => {
  if (Duration.isDuration(by) || Array.isArray(by)) return true
  const named = Object.keys(by)
  return named.length > 0 && named.every((unit) => unit in units)
}

const units: Readonly<Record<keyof Duration.DurationObject, true>> = {
  weeks: true,
  days: true,
  hours: true,
  minutes: true,
  seconds: true,
  milliseconds: true,
  microseconds: true,
  nanoseconds: true
}

/** Returns a duration in milliseconds, or undefined if it is invalid. */
const millisOf = (by: Duration.Input): number | undefined => {
  const seconds = typeof by === "string" ? secondsOfStep(by) : undefined
  if (seconds !== undefined) return seconds * 1_000
  if (typeof by === "number") return by
  if (typeof by === "object" && (by === null || !namesTime(by))) return undefined
  return Option.getOrUndefined(Option.map(Duration.fromInput(by), Duration.toMillis))
}

/**
 * Returns the number of milliseconds to advance the clock by, a whole number from 0 to a hundred years, or the reason why it
 * can't be advanced.
 */
export const parseStep = (by: Duration.Input): number | AdvanceRefused => {
  const millis = Math.round(millisOf(by) ?? Number.NaN)
  if (millis < 0) return new AdvanceRefused({ message: "The clock can't go backwards." })
  if (millis <= MAX_STEP_SECONDS * 1_000) return millis
  if (Number.isFinite(millis)) return new AdvanceRefused({ message: `${inspectInline(by)} is more than 100 years.` })
  return new AdvanceRefused({
    message: `Not a duration: ${inspectInline(by)}. Use text in seconds, minutes, hours, days or weeks such as "30 days", or an object such as { days: 30 }; at most 100 years.`
  })
}

/** Like `parseStep`, but rejects numbers other than 0, because they have no unit. */
export const parseStepWithUnit = (by: Duration.Input): number | AdvanceRefused => {
  if (typeof by !== "number" || by === 0 || !Number.isFinite(by)) return parseStep(by)
  return new AdvanceRefused({ message: `${by} has no unit. Use "${by} seconds" or { milliseconds: ${by} }.` })
}

/** Like `parseStep`, as an effect. */
export const parseStepOrFail = (by: Duration.Input): Effect.Effect<number, AdvanceRefused> =>
  Effect.suspend(() => {
    const step = parseStep(by)
    return typeof step === "number" ? Effect.succeed(step) : Effect.fail(step)
  })
