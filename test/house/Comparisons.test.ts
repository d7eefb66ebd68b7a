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

/** The last word of a name that holds a secret, or a digest of one. */
const secret = /(?:secret|token|password|digest|hash|signature|mac|apiKey|keyDigest|verifier|nonce)$/i

/** What is compared with what, by `===` or its like. */
const comparison = /([\w.?()]+)\s*[!=]==?\s*([\w.?"'`[\]()]+)/g

/** What is no secret to be guessed: whether there is one, of what kind or length it is, or a word of ours. */
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

/** Where one of the two is null, and nothing is told of the other. */
const known = ["core/external/OAuthStates.ts: ? callerNonce === nonceDigest"]

describe("SEC-45 (CVE-2024-52307): secrets are compared in constant time", () => {
  test("no line compares one by ===", () => {
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
  ])("what it looks for: %s", (line, found) => {
    expect(suspicious(line)).toBe(found)
  })

  test("bytes of different lengths are different, and equal ones equal", () => {
    const bytes = (text: string) => Buffer.from(text)
    expect(constantTimeEqual(bytes("abc"), bytes("abc"))).toBe(true)
    expect(constantTimeEqual(bytes("abc"), bytes("abd"))).toBe(false)
    expect(constantTimeEqual(bytes("abc"), bytes("ab"))).toBe(false)
    expect(constantTimeEqual(bytes(""), bytes(""))).toBe(true)
  })
})
