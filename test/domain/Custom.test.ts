import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { customProblem, isFlat } from "#domain/Custom"

const key = fc.stringMatching(/^[A-Za-z0-9_]{1,20}$/)
const text = fc.string({ unit: "binary", maxLength: 20 }).filter((some) => !some.includes("\0"))
const scalar = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null))
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 5 }))

/** As a caller's JSON makes it: a member named `__proto__` is one like any other. */
const custom = fc
  .array(fc.tuple(fc.oneof(key, fc.constantFrom("__proto__", "constructor", "toString")), value), { maxLength: 8 })
  .map((members): object => {
    const texts = members.map(([name, some]) => `${JSON.stringify(name)}:${JSON.stringify(some)}`)
    return JSON.parse(`{${texts.join(",")}}`)
  })

describe("custom attributes", () => {
  test("keys match [A-Za-z0-9_]+; values are text, numbers, booleans, null, or arrays of those", () => {
    fc.assert(
      fc.property(custom, (some) => {
        expect(customProblem(some)).toBeUndefined()
        expect(isFlat(some)).toBe(true)
      })
    )
  })

  test("a key with any other character is refused", () => {
    const other = fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter((one) => !/[A-Za-z0-9_]/.test(one))
    fc.assert(
      fc.property(fc.string({ maxLength: 3 }), other, value, (before, one, some) => {
        expect(customProblem({ [before + one]: some })).toBe("custom_key")
      })
    )
    for (const wrong of ["", "a b", "a-b", "a.b", "é", "a\n"]) expect(customProblem({ [wrong]: 1 })).toBe("custom_key")
  })

  test("any other value is refused, in an array too", () => {
    const other = fc.oneof(
      fc.constantFrom(Number.NaN, Infinity, -Infinity, undefined, "a\0b", "\ud800", "a\udc00b"),
      fc.dictionary(key, scalar)
    )
    fc.assert(
      fc.property(key, other, fc.array(scalar, { maxLength: 3 }), (name, wrong, good) => {
        for (const some of [wrong, [...good, wrong], [wrong, ...good]]) {
          expect(customProblem({ [name]: some })).toBe("custom_value")
          expect(isFlat({ [name]: some })).toBe(false)
        }
      })
    )
    expect(customProblem({ a: [[]] })).toBe("custom_value")
  })

  test("SEC-76: what is nested without end is refused without a fall", () => {
    const deep: object = JSON.parse(`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)
    expect(customProblem(deep)).toBe("custom_value")
    expect(isFlat(deep)).toBe(false)
  })

  test("16 KiB of JSON are allowed, in bytes", () => {
    const longest = 16 * 1024 - JSON.stringify({ a: "" }).length
    expect(customProblem({ a: "x".repeat(longest) })).toBeUndefined()
    expect(customProblem({ a: "x".repeat(longest + 1) })).toBe("custom_too_large")
    expect(customProblem({ a: "é".repeat(longest / 2) })).toBeUndefined()
    expect(customProblem({ a: "é".repeat(longest / 2 + 1) })).toBe("custom_too_large")
  })
})
