import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { constantTimeEqual } from "#platform/Tokens"

const root = resolve(import.meta.dirname, "../../src")

const lines = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .map((line, n) => ({ where: `${path}:${n + 1}`, line }))
  )

/** The last word of a name that contains a secret or a digest of one. */
const secret = /(?:secret|token|password|digest|hash|signature|mac|apiKey|keyDigest|verifier|nonce)$/i

/** The operands of `===` and similar operators. */
const comparison = /([\w.?()]+)\s*[!=]==?\s*([\w.?"'`[\]()]+)/g

/** Harmless operands: null checks, types and lengths, and constants in the code. */
const harmless = /^\(*(?:null|undefined|true|false|OF_THE_TOKEN)\b|^\(*[\d"'`]|\.(length|size|_tag)$/

const suspicious = (line: string): boolean =>
  !/^\s*(\/\/|\/?\*)/.test(line) &&
  [...line.matchAll(comparison)].some(
    ([, left = "", right = ""]) =>
      !line.includes("typeof") &&
      !harmless.test(left) &&
      !harmless.test(right) &&
      [left, right].some((one) => secret.test(one))
  )

/** Comparisons in which one operand may be null, so that the result reveals nothing about the other. */
const known = ["core/external/OAuthStates.ts: ? callerNonce === nonceDigest"]

describe("SEC-45 (CVE-2024-52307): secrets are compared in constant time", () => {
  test("no line compares a secret by ===", () => {
    const found = lines
      .filter(({ line }) => suspicious(line))
      .map(({ where, line }) => `${where.split(":")[0]}: ${line.trim()}`)
    expect(found.filter((one) => !known.includes(one))).toEqual([])
    expect(lines.length).toBeGreaterThan(10_000)
  })

  test.each([
    ["if (token === row.token) return", true],
    ["const ok = given.signature !== signed", true],
    ["return digest == known.digest", true],
    ["if (secret === undefined) return", false],
    ['if (token.length === 43 && kind === "token") return', false],
    ["// token === other", false]
  ])("the check finds the comparison in: %s", (line, found) => {
    expect(suspicious(line)).toBe(found)
  })

  test("byte strings of different lengths are unequal, and identical byte strings are equal", () => {
    const bytes = (text: string) => Buffer.from(text)
    expect(constantTimeEqual(bytes("abc"), bytes("abc"))).toBe(true)
    expect(constantTimeEqual(bytes("abc"), bytes("abd"))).toBe(false)
    expect(constantTimeEqual(bytes("abc"), bytes("ab"))).toBe(false)
    expect(constantTimeEqual(bytes(""), bytes(""))).toBe(true)
  })
})
