import fc from "fast-check"
import { expect, test } from "vitest"
import { graceMinutes } from "#domain/JwtKey"

const minutes = fc.integer({ min: 0, max: 1_052_640 })

test("a retired key verifies for max(6 h, min(session_minutes, 24 h))", () => {
  expect([0, 360, 361, 1_440, 1_441, 1_052_640].map(graceMinutes)).toEqual([360, 360, 361, 1_440, 1_440, 1_440])
})

test("longer sessions never shorten it, and it outlives every session of up to a day", () => {
  fc.assert(
    fc.property(minutes, minutes, (a, b) => {
      expect(graceMinutes(Math.max(a, b))).toBeGreaterThanOrEqual(graceMinutes(Math.min(a, b)))
      expect(graceMinutes(a)).toBeGreaterThanOrEqual(Math.min(a, 1_440))
    })
  )
})
