import { createHash } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Entropy } from "#platform/Entropy"
import { base62, constantTimeEqual, randomSecret, sha256 } from "#platform/Tokens"
import { UnicodeText } from "../support/arbitraries.ts"

layer(Entropy.layer)("secret strings", (it) => {
  it.effect("SEC-28: a secret of 32 bytes has 43 base62 characters and is unique over many draws", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const draws = Array.from({ length: 20_000 }, () => randomSecret(entropy))
      expect(draws.every((text) => /^[0-9A-Za-z]{43}$/.test(text))).toBe(true)
      expect(new Set(draws).size).toBe(draws.length)
    })
  )

  const ThirtyTwoBytes = Schema.Uint8Array.check(Schema.isBetweenLength(32, 32))

  it.prop(
    "SEC-28: base62 is lossless: different bytes give different strings of the same length and order",
    [ThirtyTwoBytes, ThirtyTwoBytes],
    ([a, b]) => {
      const [left, right] = [base62(a), base62(b)]
      expect(Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)))).toBe(Buffer.compare(a, b))
      expect([left.length, right.length]).toEqual([43, 43])
    }
  )

  it("SEC-28: base62 gives the smallest and largest values the same length", () => {
    expect(base62(new Uint8Array(32))).toBe("0".repeat(43))
    expect(base62(new Uint8Array(32).fill(255))).toMatch(/^[0-9A-Za-z]{43}$/)
  })

  it.effect("SEC-28: all characters are equally likely", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const text = Array.from({ length: 5000 }, () => randomSecret(entropy).slice(1)).join("")
      const expected = text.length / 62
      const counts = Array.from(Map.groupBy(text, (character) => character).values(), (found) => found.length)
      const chiSquare = counts.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0)
      expect(counts.length).toBe(62)
      // 61 degrees of freedom. Chance exceeds 130 once in a million runs.
      expect(chiSquare).toBeLessThan(130)
    })
  )

  it.effect("secrets of other sizes also have a fixed length", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy
      expect([16, 20, 24].map((bytes) => randomSecret(entropy, bytes).length)).toEqual([22, 27, 33])
    })
  )
})

layer(Entropy.layer)("random bytes", (it) => {
  it.effect("SEC-28: have the requested size and never repeat", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const sizes = [1, 10, 12, 32, 1000, 1024, 1025, 4096, 100_000]
      for (const size of sizes) expect(entropy.bytes(size).length).toBe(size)
      const draws = Array.from({ length: 20_000 }, (_, i) =>
        Buffer.from(entropy.bytes(16 + (i % 7))).toString("hex", 0, 16)
      )
      expect(new Set(draws).size).toBe(draws.length)
    })
  )

  it.effect("don't change in later draws", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const drawn = entropy.bytes(32)
      const copy = Uint8Array.from(drawn)
      for (let i = 0; i < 500; i++) entropy.bytes(32).fill(0)
      expect(drawn).toEqual(copy)
      expect(drawn.buffer.byteLength).toBe(32)
    })
  )
})

layer(Entropy.layer)("digests", (it) => {
  it.prop("SEC-46: are the SHA-256 of the UTF-8 string", [UnicodeText], ([text]) => {
    expect(Buffer.from(sha256(text)).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"))
  })

  it.effect("SEC-42: differ for a shortened or lengthened string, and are compared in full", () =>
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const text = randomSecret(entropy)
      const digest = sha256(text)
      expect(constantTimeEqual(digest, sha256(text))).toBe(true)
      for (let length = 0; length < text.length; length++) {
        expect(constantTimeEqual(digest, sha256(text.slice(0, length)))).toBe(false)
      }
      expect(constantTimeEqual(digest, sha256(`${text}0`))).toBe(false)
      expect(constantTimeEqual(digest, digest.subarray(0, 31))).toBe(false)
      expect(constantTimeEqual(digest, new Uint8Array())).toBe(false)
    })
  )
})
