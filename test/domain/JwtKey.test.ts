import { describe, expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { encodeId } from "#domain/Ids"
import { graceCutoff, graceMinutes, isPastGrace, type JwtKey, rsaProblems, secretProblems } from "#domain/JwtKey"
import { integer, longText } from "../support/arbitraries.ts"

const Minutes = integer(0, 1_052_640)

it("a retired key verifies for max(6 h, min(session_minutes, 24 h))", () => {
  expect([0, 360, 361, 1_440, 1_441, 1_052_640].map(graceMinutes)).toEqual([360, 360, 361, 1_440, 1_440, 1_440])
})

it.prop(
  "longer sessions never shorten it, and it outlives every session of up to a day",
  [Minutes, Minutes],
  ([a, b]) => {
    expect(graceMinutes(Math.max(a, b))).toBeGreaterThanOrEqual(graceMinutes(Math.min(a, b)))
    expect(graceMinutes(a)).toBeGreaterThanOrEqual(Math.min(a, 1_440))
  }
)

const now = DateTime.makeUnsafe("2026-01-02T00:00:00Z")

const keyExpiredAt = (expiredAt: DateTime.Utc | null): JwtKey => ({
  id: encodeId("jwtKey", { millis: 1, random: [0, 0] }),
  realmId: encodeId("realm", { millis: 1, random: [0, 0] }),
  algo: "hs256",
  publicKey: null,
  secret: "",
  createdAt: now,
  expiredAt
})

it.prop(
  "a key is gone from the very millisecond its grace time is over",
  [Minutes, integer(0, 2 * 86_400_000)],
  ([sessionMinutes, millis]) => {
    const key = keyExpiredAt(DateTime.subtract(now, { milliseconds: millis }))
    expect(isPastGrace(key, sessionMinutes, now)).toBe(millis >= graceMinutes(sessionMinutes) * 60_000)
  }
)

it("a key is gone at its cutoff, and one that has not expired never is", () => {
  expect(isPastGrace(keyExpiredAt(graceCutoff(0, now)), 0, now)).toBe(true)
  expect(isPastGrace(keyExpiredAt(null), 0, now)).toBe(false)
})

const codesOf = (problems: ReadonlyArray<{ readonly code: string }>) => problems.map(({ code }) => code)

describe("SEC-43", () => {
  it.prop(
    "a secret of random characters is taken between 32 bytes and 255 characters",
    [longText({ minLength: 1, maxLength: 300 })],
    ([text]) => {
      const [bytes, characters] = [Buffer.byteLength(text), Array.from(text).length]
      const codes = codesOf(secretProblems(text)).filter((code) => code !== "known_key")
      expect(codes).toEqual([...(bytes < 32 ? ["too_few_bytes"] : []), ...(characters > 255 ? ["too_long"] : [])])
    },
    { arbitrary: { size: 300 } }
  )

  it.prop(
    "no text that is a shorter one again and again is taken, wherever it ends",
    [Schema.String.check(Schema.isBetweenLength(1, 20)), integer(40, 255)],
    ([text, length]) => {
      const repeated = text.repeat(Math.ceil(length / text.length)).slice(0, length)
      expect(codesOf(secretProblems(repeated))).toContain("known_key")
    },
    { arbitrary: { size: 20 } }
  )

  it.prop(
    "one's own random secret is not called known",
    [Schema.Array(integer(0, 15)).check(Schema.isBetweenLength(40, 64))],
    ([digits]) => {
      // Distinct characters before and after keep a drawn text from repeating itself.
      const text = `<${digits.map((digit) => digit.toString(16)).join("")}>`
      expect(secretProblems(text)).toEqual([])
    },
    { arbitrary: { size: 64 } }
  )

  it("an RSA key has 2048 to 8192 bits and a public exponent of 65537 to 2 ** 31 - 1", () => {
    const judged = (bits: number, exponent: bigint) => codesOf(rsaProblems({ modulus: "AQAB", bits, exponent }))
    for (const bits of [2_048, 3_072, 4_096, 8_192]) expect(judged(bits, 65_537n)).toEqual([])
    for (const bits of [0, 512, 1_024, 2_047, 8_193, 16_384]) expect(judged(bits, 65_537n)).toEqual(["rsa_size"])
    for (const exponent of [0n, 1n, 3n, 17n, 65_535n, 2n ** 31n, 2n ** 64n]) {
      expect(judged(2_048, exponent)).toEqual(["rsa_exponent"])
    }
    expect(judged(2_048, 2n ** 31n - 1n)).toEqual([])
    expect(judged(1_024, 3n)).toEqual(["rsa_size", "rsa_exponent"])
  })
})
