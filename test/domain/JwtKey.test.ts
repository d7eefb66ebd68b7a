import { describe, expect, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { accessTokenMinutes } from "#domain/clients/OAuthClientInput"
import { encodeId } from "#domain/Ids"
import {
  graceCutoff,
  graceMinutes,
  isPastGrace,
  type JwtAlgorithm,
  type JwtKey,
  rsaProblems,
  secretProblems,
  substituteFor
} from "#domain/JwtKey"
import { integer, longText } from "../support/arbitraries.ts"

const Minutes = integer(0, 1_052_640)

it("a retired hs256 key verifies for max(6 h, min(session_minutes, 24 h))", () => {
  const grace = (minutes: number) => graceMinutes("hs256", minutes)
  expect([0, 360, 361, 1_440, 1_441, 1_052_640].map(grace)).toEqual([360, 360, 361, 1_440, 1_440, 1_440])
})

it.prop("a retired rs256 key outlives every access token signed with the key (C270)", [Minutes], ([sessionMinutes]) => {
  // It may still sign in the minute in which its successor becomes known.
  expect(graceMinutes("rs256", sessionMinutes)).toBe(accessTokenMinutes.most + 1)
})

it.prop(
  "a longer session never shortens the grace period, which covers sessions of up to a day",
  [Minutes, Minutes],
  ([a, b]) => {
    for (const algo of ["hs256", "rs256"] as const) {
      expect(graceMinutes(algo, Math.max(a, b))).toBeGreaterThanOrEqual(graceMinutes(algo, Math.min(a, b)))
      expect(graceMinutes(algo, a)).toBeGreaterThanOrEqual(Math.min(a, 1_440))
    }
  }
)

const now = DateTime.makeUnsafe("2026-01-02T00:00:00Z")

const keyExpiredAt = (expiredAt: DateTime.Utc | null, algo: JwtAlgorithm = "hs256"): JwtKey => ({
  id: encodeId("jwtKey", { millis: 1, random: [0, 0] }),
  realmId: encodeId("realm", { millis: 1, random: [0, 0] }),
  algo,
  publicKey: null,
  secret: "",
  createdAt: now,
  expiredAt
})

it.prop(
  "a key expires in the exact millisecond when its grace period ends",
  [Minutes, integer(0, 2 * 86_400_000)],
  ([sessionMinutes, millis]) => {
    const key = keyExpiredAt(DateTime.subtract(now, { milliseconds: millis }))
    expect(isPastGrace(key, sessionMinutes, now)).toBe(millis >= graceMinutes("hs256", sessionMinutes) * 60_000)
  }
)

it("a retired key is expired at its cutoff, and a current key never expires", () => {
  expect(isPastGrace(keyExpiredAt(graceCutoff("hs256", 0, now)), 0, now)).toBe(true)
  expect(isPastGrace(keyExpiredAt(graceCutoff("rs256", 0, now), "rs256"), 0, now)).toBe(true)
  expect(isPastGrace(keyExpiredAt(null), 0, now)).toBe(false)
})

describe("SEC-253: a new rs256 key unknown to verifiers", () => {
  const secondsAgo = (seconds: number) => DateTime.subtract(now, { seconds })
  const key = (createdAgo: number, expiredAgo: number | null, algo: JwtAlgorithm = "rs256"): JwtKey => ({
    ...keyExpiredAt(expiredAgo === null ? null : secondsAgo(expiredAgo), algo),
    createdAt: secondsAgo(createdAgo)
  })

  it("is replaced by the newest known key retired within the last minute", () => {
    const [oldest, old, tooYoung, added] = [key(900, 59), key(60, 1), key(59, 1), key(1, null)]
    expect(substituteFor(added, [oldest, old, tooYoung, added], now)).toBe(old)
    expect(substituteFor(added, [oldest, tooYoung, added], now)).toBe(oldest)
  })

  it("isn't replaced by a key that was retired earlier, has another algorithm or is also unknown", () => {
    const added = key(1, null)
    for (const other of [key(900, 60), key(900, 1, "hs256"), key(59, 1)]) {
      expect(substituteFor(added, [other, added], now)).toBeUndefined()
    }
  })

  it("isn't replaced once verifiers know the key, or with hs256, which isn't published", () => {
    const old = key(900, 1)
    for (const added of [key(60, null), key(1, null, "hs256")]) {
      expect(substituteFor(added, [old, added], now)).toBeUndefined()
    }
  })
})

const codesOf = (problems: ReadonlyArray<{ readonly code: string }>) => problems.map(({ code }) => code)

describe("SEC-43: keys supplied by the caller", () => {
  it.prop(
    "accepts a random secret of at least 32 bytes and at most 255 characters",
    [longText({ minLength: 1, maxLength: 300 })],
    ([text]) => {
      const [bytes, characters] = [Buffer.byteLength(text), Array.from(text).length]
      const codes = codesOf(secretProblems(text)).filter((code) => code !== "known_key")
      expect(codes).toEqual([...(bytes < 32 ? ["too_few_bytes"] : []), ...(characters > 255 ? ["too_long"] : [])])
    },
    { arbitrary: { size: 300 } }
  )

  it.prop(
    "rejects a secret that repeats a shorter text, even if the last repetition is cut",
    [Schema.String.check(Schema.isBetweenLength(1, 20)), integer(40, 255)],
    ([text, length]) => {
      const repeated = text.repeat(Math.ceil(length / text.length)).slice(0, length)
      expect(codesOf(secretProblems(repeated))).toContain("known_key")
    },
    { arbitrary: { size: 20 } }
  )

  it.prop(
    "doesn't report a random secret as a known key",
    [Schema.Array(integer(0, 15)).check(Schema.isBetweenLength(40, 64))],
    ([digits]) => {
      // Distinct characters at both ends keep the generated text from being repetitive.
      const text = `<${digits.map((digit) => digit.toString(16)).join("")}>`
      expect(secretProblems(text)).toEqual([])
    },
    { arbitrary: { size: 64 } }
  )

  it("requires an RSA key of 2048 to 8192 bits and a public exponent of 65537 to 2 ** 31 - 1", () => {
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
