import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { customProblem, isFlat } from "#domain/Custom"
import { elementOf, matching, oneOf } from "../support/arbitraries.ts"

const Key = matching(/^[A-Za-z0-9_]{1,20}$/)
const Text = matching(/^[^\0]{0,20}$/u)
const Scalar = Schema.Union([Text, Schema.Finite, Schema.Boolean, Schema.Null])
const Value = Schema.Union([Scalar, Schema.Array(Scalar).check(Schema.isMaxLength(5))])
const AnyKey = Schema.Union([Key, Schema.Literals(["__proto__", "constructor", "toString"])])

/** As a caller's JSON makes it: a member named `__proto__` is one like any other. */
const custom = Arbitrary.schema(Schema.Array(Schema.Tuple([AnyKey, Value])).check(Schema.isMaxLength(8))).pipe(
  Arbitrary.map((members): object => {
    const texts = members.map(([name, some]) => `${JSON.stringify(name)}:${JSON.stringify(some)}`)
    return JSON.parse(`{${texts.join(",")}}`)
  })
)

const options = { arbitrary: { size: 20 } }

describe("custom attributes", () => {
  it.prop(
    "keys match [A-Za-z0-9_]+; values are text, numbers, booleans, null, or arrays of those",
    [custom],
    ([some]) => {
      expect(customProblem(some)).toBeUndefined()
      expect(isFlat(some)).toBe(true)
    },
    options
  )

  it.prop(
    "a key with any other character is refused",
    [Schema.String.check(Schema.isMaxLength(3)), matching(/^[^A-Za-z0-9_]$/u), Value],
    ([before, other, some]) => {
      expect(customProblem({ [before + other]: some })).toBe("custom_key")
    },
    options
  )

  it("so are an empty key and one that only ends in another character", () => {
    for (const wrong of ["", "a b", "a-b", "a.b", "é", "a\n"]) expect(customProblem({ [wrong]: 1 })).toBe("custom_key")
  })

  const other = oneOf(
    elementOf([Number.NaN, Infinity, -Infinity, undefined, "a\0b", "\ud800", "a\udc00b"]),
    Arbitrary.schema(Schema.Record(Key, Scalar))
  )

  it.prop(
    "any other value is refused, in an array too",
    [Key, other, Schema.Array(Scalar).check(Schema.isMaxLength(3))],
    ([name, wrong, good]) => {
      for (const some of [wrong, [...good, wrong], [wrong, ...good]]) {
        expect(customProblem({ [name]: some })).toBe("custom_value")
        expect(isFlat({ [name]: some })).toBe(false)
      }
    },
    options
  )

  it("an array in an array is refused", () => {
    expect(customProblem({ a: [[]] })).toBe("custom_value")
  })

  it("SEC-76: what is nested without end is refused without a fall", () => {
    const deep: object = JSON.parse(`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)
    expect(customProblem(deep)).toBe("custom_value")
    expect(isFlat(deep)).toBe(false)
  })

  it("16 KiB of JSON are allowed, in bytes", () => {
    const longest = 16 * 1024 - JSON.stringify({ a: "" }).length
    expect(customProblem({ a: "x".repeat(longest) })).toBeUndefined()
    expect(customProblem({ a: "x".repeat(longest + 1) })).toBe("custom_too_large")
    expect(customProblem({ a: "é".repeat(longest / 2) })).toBeUndefined()
    expect(customProblem({ a: "é".repeat(longest / 2 + 1) })).toBe("custom_too_large")
  })
})
