import { createHash } from "node:crypto"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { Entropy } from "#platform/Entropy"
import { base62, constantTimeEqual, randomSecret, sha256 } from "#platform/Tokens"

const entropy = await Effect.runPromise(Effect.provide(Entropy, Entropy.layer))

describe("secret texts", () => {
  test("SEC-28: a secret of 32 bytes is 43 characters of base62, unique over many draws", () => {
    const draws = Array.from({ length: 20_000 }, () => randomSecret(entropy))
    expect(draws.every((text) => /^[0-9A-Za-z]{43}$/.test(text))).toBe(true)
    expect(new Set(draws).size).toBe(draws.length)
  })

  test("SEC-28: no bit is lost: different bytes give different texts, in the same order and of the same length", () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(bytes, bytes, (a, b) => {
        const [left, right] = [base62(a), base62(b)]
        expect(Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right)))).toBe(Buffer.compare(a, b))
        expect([left.length, right.length]).toEqual([43, 43])
      })
    )
    expect(base62(new Uint8Array(32))).toBe("0".repeat(43))
    expect(base62(new Uint8Array(32).fill(255))).toMatch(/^[0-9A-Za-z]{43}$/)
  })

  test("SEC-28: every character is as likely as another", () => {
    const text = Array.from({ length: 5000 }, () => randomSecret(entropy).slice(1)).join("")
    const expected = text.length / 62
    const counts = Array.from(Map.groupBy(text, (character) => character).values(), (found) => found.length)
    const chiSquare = counts.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0)
    expect(counts.length).toBe(62)
    // 61 degrees of freedom: above 130 once in a million runs.
    expect(chiSquare).toBeLessThan(130)
  })

  test("other sizes have a length of their own", () => {
    expect([16, 20, 24].map((bytes) => randomSecret(entropy, bytes).length)).toEqual([22, 27, 33])
  })
})

describe("entropy", () => {
  test("SEC-28: draws of every size are of that size and never alike", () => {
    const sizes = [1, 10, 12, 32, 1000, 1024, 1025, 4096, 100_000]
    for (const size of sizes) expect(entropy.bytes(size).length).toBe(size)
    const draws = Array.from({ length: 20_000 }, (_, i) =>
      Buffer.from(entropy.bytes(16 + (i % 7))).toString("hex", 0, 16)
    )
    expect(new Set(draws).size).toBe(draws.length)
  })

  test("what was drawn is the caller's own: later draws leave it alone", () => {
    const drawn = entropy.bytes(32)
    const kept = Uint8Array.from(drawn)
    for (let i = 0; i < 500; i++) entropy.bytes(32).fill(0)
    expect(drawn).toEqual(kept)
    expect(drawn.buffer.byteLength).toBe(32)
  })
})

describe("digests", () => {
  test("SEC-46: sha256 is SHA-256 of the UTF-8 text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(Buffer.from(sha256(text)).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"))
      })
    )
  })

  test("SEC-42: a shortened or lengthened text has another digest, and digests are compared whole", () => {
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
})
