import { describe, expect, it } from "@effect/vitest"
import { DateTime, Duration, Schema } from "effect"
import {
  decideDelivery,
  hasFailedTooLong,
  mailLimits,
  nextMailAllowedAt,
  type Outcome,
  retryDelays
} from "#domain/Delivery"
import { integer } from "../support/arbitraries.ts"

const at = (millis: number) => DateTime.makeUnsafe(millis)

const now = at(1_767_225_600_000)

const later = (by: Duration.Input) => DateTime.addDuration(now, by)

const refused = (retryAfter?: DateTime.Utc): Outcome => ({ _tag: "Refused", result: "HTTP 500", retryAfter })

/** The wait before the next attempt in milliseconds, or undefined if there is none. */
const delayAfter = (attempts: number, outcome: Outcome, chance = 0): number | undefined => {
  const after = decideDelivery(attempts, outcome, now, chance)
  return "dueAt" in after ? after.dueAt.epochMilliseconds - now.epochMilliseconds : undefined
}

const Attempt = integer(1, 12)

/** An attempt that is followed by another one. */
const EarlyAttempt = integer(1, 8)

const Chance = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

describe("decideDelivery", () => {
  it("allows nine attempts with the delays of C37, about 47.6 hours in total", () => {
    expect(retryDelays.map(Duration.format)).toEqual(["5s", "5m", "30m", "2h", "5h", "10h", "14h", "16h"])
    expect(retryDelays.reduce((sum, wait) => sum + Duration.toHours(wait), 0)).toBeCloseTo(47.58, 2)
    for (const [index, wait] of retryDelays.entries())
      expect(delayAfter(index + 1, refused())).toBe(Duration.toMillis(wait))
    for (const attempt of [9, 10, 11]) expect(decideDelivery(attempt, refused(), now, 0)).toEqual({ state: "failed" })
  })

  const endings: ReadonlyArray<readonly [outcome: Outcome, expected: object]> = [
    [{ _tag: "Delivered", result: "HTTP 200" }, { state: "completed" }],
    [{ _tag: "Gone", result: "HTTP 410" }, { state: "failed" }],
    [{ _tag: "Undeliverable", result: "550" }, { state: "failed" }],
    [{ _tag: "Skipped", result: "Nobody." }, { state: "canceled" }],
    [
      { _tag: "Postponed", until: later("1 minute") },
      { state: "in_progress", dueAt: later("1 minute") }
    ]
  ]

  for (const [outcome, expected] of endings) {
    it.prop(
      `${JSON.stringify(outcome)} has the same result on every attempt`,
      [Attempt, Chance],
      ([attempt, chance]) => {
        expect(decideDelivery(attempt, outcome, now, chance)).toEqual(expected)
      }
    )
  }

  it.prop("adds a random delay of at most 10 %", [EarlyAttempt, Chance], ([attempt, chance]) => {
    const wait = Duration.toMillis(retryDelays[attempt - 1] ?? 0)
    expect(delayAfter(attempt, refused(), chance)).toBeGreaterThanOrEqual(wait)
    expect(delayAfter(attempt, refused(), chance)).toBeLessThanOrEqual(wait * 1.1)
  })

  it("adds 10 % for the highest random value", () => {
    expect(delayAfter(1, refused(), 1)).toBe(5_500)
  })

  it.prop(
    "waits longer for Retry-After, but at most a day and never less than the schedule",
    [EarlyAttempt, Chance, integer(-1e9, 1e12)],
    ([attempt, chance, millis]) => {
      const wait = delayAfter(attempt, refused(at(now.epochMilliseconds + millis)), chance) ?? 0
      const least = delayAfter(attempt, refused(), chance) ?? 0
      expect(wait).toBe(Math.max(least, Math.min(millis, 86_400_000)))
    }
  )

  it("grants no additional attempt for Retry-After", () => {
    expect(decideDelivery(9, refused(later("1 hour")), now, 0)).toEqual({ state: "failed" })
  })
})

describe("hasFailedTooLong", () => {
  it("returns true after exactly five days of failures", () => {
    const since = DateTime.subtractDuration(now, "5 days")
    expect(hasFailedTooLong(since, now)).toBe(true)
    expect(hasFailedTooLong(DateTime.addDuration(since, 1), now)).toBe(false)
    expect(hasFailedTooLong(now, now)).toBe(false)
  })
})

describe("nextMailAllowedAt", () => {
  const ago = (...seconds: ReadonlyArray<number>) => seconds.map((n) => DateTime.subtractDuration(now, n * 1000))

  it.each<[string, ReadonlyArray<number>, number | undefined]>([
    ["no earlier emails", [], undefined],
    ["two in the current second", [0, 0], undefined],
    ["three in the current second", [0, 0, 0], 60],
    ["three within a minute", [1, 30, 59.999], 0.001],
    ["three, the first one a minute ago", [1, 30, 60], undefined],
    ["nine in the hour", [61, 62, 63, 64, 65, 66, 67, 68, 69], undefined],
    ["ten in the hour", [61, 62, 63, 64, 65, 66, 67, 68, 69, 70], 3_530],
    ["ten, the first one an hour ago", [61, 62, 63, 64, 65, 66, 67, 68, 69, 3_600], undefined],
    ["three in the minute and ten in the hour", [1, 2, 3, 64, 65, 66, 67, 68, 69, 3_590], 57],
    ["the same, but the hourly limit lasts longer", [1, 2, 3, 64, 65, 66, 67, 68, 69, 70], 3_530]
  ])("returns the time for %s", (_, sent, wait) => {
    const expected = wait === undefined ? undefined : later(wait * 1000)
    expect(nextMailAllowedAt(ago(...sent), now)).toEqual(expected)
  })

  it.prop(
    "stays within the limits, and every email is sent in the end",
    [Schema.Array(integer(0, 7_200_000)).check(Schema.isMaxLength(60))],
    ([asked]) => {
      const sent: Array<number> = []
      for (const arrival of asked.toSorted((a, b) => a - b)) {
        let time = Math.max(arrival, sent[0] ?? 0)
        const before = sent.map((millis) => at(millis))
        const until = nextMailAllowedAt(before, at(time))
        if (until !== undefined) {
          expect(until.epochMilliseconds).toBeGreaterThan(time)
          time = until.epochMilliseconds
        }
        expect(nextMailAllowedAt(before, at(time))).toBe(undefined)
        sent.unshift(time)
      }
      for (const { most, within } of mailLimits) {
        for (const [index, time] of sent.entries()) {
          const earlier = sent[index + most]
          if (earlier !== undefined) expect(time - earlier).toBeGreaterThanOrEqual(Duration.toMillis(within))
        }
      }
    },
    { arbitrary: { size: 60 } }
  )
})
