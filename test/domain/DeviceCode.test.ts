import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, DateTime } from "effect"
import {
  DEVICE_CODE_SECONDS,
  type DeviceState,
  deviceStates,
  MAX_POLL_SECONDS,
  POLL_SECONDS,
  parseUserCode,
  pollResponse,
  shownUserCode,
  USER_CODE_BYTES,
  userCodeOf
} from "#domain/oauth/DeviceCode"
import { anyText, elementOf, integer } from "../support/arbitraries.ts"

const START = 1_800_000_000_000

const at = (seconds: number) => DateTime.makeUnsafe(START + seconds * 1_000)

const bytes = Arbitrary.array(Arbitrary.schema(integer(0, 255)), {
  minLength: USER_CODE_BYTES,
  maxLength: USER_CODE_BYTES
})

describe("SEC-172: user codes", () => {
  it.prop("have eight consonants in two groups, and are recognized in any spelling", [bytes], ([random]) => {
    const code = userCodeOf(Uint8Array.from(random))
    const shown = shownUserCode(code)
    expect(shown).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    for (const typed of [
      code,
      shown,
      shown.toLowerCase(),
      ` ${shown} `,
      shown.replace("-", " "),
      shown.replace("-", "\u2013"),
      code.split("").join(" ")
    ]) {
      expect(parseUserCode(typed)).toBe(code)
    }
  })

  it("are roughly equally likely", () => {
    const counts = new Map<string, number>()
    const random = new Uint8Array(USER_CODE_BYTES)
    for (let index = 0; index < 4_000; index++) {
      for (const letter of userCodeOf(crypto.getRandomValues(random))) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    expect(counts.size).toBe(20)
    for (const count of counts.values()) expect(Math.abs(count - 1_600)).toBeLessThan(250)
  })

  it.prop("are not found in arbitrary text, and parsing never throws", [anyText({ maxLength: 60 })], ([text]) => {
    const code = parseUserCode(text)
    expect(code === undefined || /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(code)).toBe(true)
  })

  it("contain no vowels or digits, and are rejected at any other length", () => {
    for (const text of ["", "WDJB", "WDJBMJHA", "WDJB-MJH1", "WDJBMJHTW", "WDJBMJHY", " ".repeat(50)]) {
      expect(parseUserCode(text), text).toBeUndefined()
    }
  })
})

const device = (state: DeviceState, polledAt: number | null, pollSeconds = POLL_SECONDS) => ({
  state,
  pollSeconds,
  polledAt: polledAt === null ? null : at(polledAt),
  expiresAt: at(DEVICE_CODE_SECONDS)
})

describe("the response to a polling device", () => {
  it("is pending until the user decides, with a longer interval after polling too soon", () => {
    expect(pollResponse(device("pending", null), at(0))).toEqual({ reason: "authorization_pending", pollSeconds: 5 })
    expect(pollResponse(device("pending", 0), at(5))).toEqual({ reason: "authorization_pending", pollSeconds: 5 })
    expect(pollResponse(device("pending", 0), at(4.999))).toEqual({ reason: "slow_down", pollSeconds: 10 })
    expect(pollResponse(device("pending", 5, 10), at(14))).toEqual({ reason: "slow_down", pollSeconds: 15 })
    expect(pollResponse(device("pending", 5, MAX_POLL_SECONDS), at(6))).toEqual({
      reason: "slow_down",
      pollSeconds: 60
    })
  })

  it("allows tokens from approval until the code expires", () => {
    expect(pollResponse(device("approved", 9), at(10)).reason).toBeUndefined()
    expect(pollResponse(device("approved", null), at(599)).reason).toBeUndefined()
    expect(pollResponse(device("approved", null), at(600)).reason).toBe("device_code_expired")
  })

  it("reports the decision even after the expiry", () => {
    for (const seconds of [1, 700]) {
      expect(pollResponse(device("denied", 0), at(seconds)).reason).toBe("access_denied")
      expect(pollResponse(device("redeemed", 0), at(seconds)).reason).toBe("device_code_used")
    }
  })

  it.prop(
    "allows tokens only for approved, valid codes, and never shortens the interval",
    [
      elementOf(deviceStates),
      Arbitrary.schema(integer(0, 1_000)),
      Arbitrary.schema(integer(0, 1_000)),
      Arbitrary.schema(integer(5, 60))
    ],
    ([state, polled, now, wait]) => {
      const answer = pollResponse(device(state, polled, wait), at(now))
      expect(answer.reason === undefined).toBe(state === "approved" && now < DEVICE_CODE_SECONDS)
      expect(answer.pollSeconds).toBeGreaterThanOrEqual(wait)
      expect(answer.pollSeconds).toBeLessThanOrEqual(MAX_POLL_SECONDS)
    }
  )
})
