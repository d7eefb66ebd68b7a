import { inspect } from "node:util"
import { Data, Duration, Effect, Option } from "effect"
import { LONGEST_STEP, secondsOfStep } from "#domain/TestClock"

/** The clock is not advanced. `message` says why. */
export class AdvanceRefused extends Data.TaggedError("AdvanceRefused")<{ readonly message: string }> {}

/** Whether an object names an amount of time. Others, such as `{}` and dates, would read as no time at all. */
const namesTime = (by: object): boolean =>
  Duration.isDuration(by) || Array.isArray(by) || Object.keys(by).some((unit) => unit in units)

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

/** The milliseconds of what is meant as a duration; undefined if it is none. */
const millisOf = (by: Duration.Input): number | undefined => {
  const seconds = typeof by === "string" ? secondsOfStep(by) : undefined
  if (seconds !== undefined) return seconds * 1_000
  if (typeof by === "number") return by
  if (typeof by === "object" && (by === null || !namesTime(by))) return undefined
  return Option.getOrUndefined(Option.map(Duration.fromInput(by), Duration.toMillis))
}

/** By how many whole milliseconds to advance the clock: from 0 to a hundred years. */
export const stepOf = (by: Duration.Input): Effect.Effect<number, AdvanceRefused> =>
  Effect.suspend(() => {
    const millis = Math.round(millisOf(by) ?? Number.NaN)
    if (millis < 0) return Effect.fail(new AdvanceRefused({ message: "The clock can't go backwards." }))
    if (millis <= LONGEST_STEP * 1_000) return Effect.succeed(millis)
    const given = inspect(by, { breakLength: Number.POSITIVE_INFINITY })
    return Effect.fail(
      new AdvanceRefused({
        message: `Not a duration: ${given}. Take milliseconds, or text in seconds, minutes, hours, days or weeks such as "30 days", at most 100 years.`
      })
    )
  })
