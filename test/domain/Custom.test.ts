import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { customProblems, keysOfInvalidValues, mergeCustom } from "#domain/Custom"
import { elementOf, matching, oneOf } from "../support/arbitraries.ts"

const Key = matching(/^[A-Za-z0-9_]{1,20}$/)
const Text = matching(/^[^\0]{0,20}$/u)
const Scalar = Schema.Union([Text, Schema.Finite, Schema.Boolean, Schema.Null])
const Value = Schema.Union([Scalar, Schema.Array(Scalar).check(Schema.isMaxLength(5))])
const AnyKey = Schema.Union([Key, Schema.Literals(["__proto__", "constructor", "toString"])])

/** Objects as parsed from JSON, where a member named `__proto__` is an ordinary one. */
const custom = Arbitrary.schema(Schema.Array(Schema.Tuple([AnyKey, Value])).check(Schema.isMaxLength(8))).pipe(
  Arbitrary.map((members): object => {
    const texts = members.map(([name, some]) => `${JSON.stringify(name)}:${JSON.stringify(some)}`)
    return JSON.parse(`{${texts.join(",")}}`)
  })
)

/** The fields and codes of the problems of custom attributes. */
const problemsIn = (some: object) => customProblems(some).map(({ field, code }) => `${field} ${code}`)

const options = { arbitrary: { size: 20 } }

describe("custom attributes", () => {
  it.prop(
    "have keys matching [A-Za-z0-9_]+, and primitives or arrays of primitives as values",
    [custom],
    ([some]) => {
      expect(problemsIn(some)).toEqual([])
      expect(keysOfInvalidValues(some)).toEqual([])
    },
    options
  )

  it.prop(
    "are rejected with any other character in a key",
    [Schema.String.check(Schema.isMaxLength(3)), matching(/^[^A-Za-z0-9_]$/u), Value],
    ([before, other, some]) => {
      expect(problemsIn({ [before + other]: some })).toEqual([`custom.${(before + other).toWellFormed()} custom_key`])
    },
    options
  )

  it("are rejected with an empty key or a key that ends in another character", () => {
    for (const wrong of ["", "a b", "a-b", "a.b", "é", "a\n"]) {
      expect(customProblems({ [wrong]: 1 })).toEqual([
        { field: `custom.${wrong}`, code: "custom_key", params: { key: wrong } }
      ])
    }
  })

  const other = oneOf(
    elementOf([Number.NaN, Infinity, -Infinity, undefined, "a\0b", "\ud800", "a\udc00b"]),
    Arbitrary.schema(Schema.Record(Key, Scalar))
  )

  it.prop(
    "are rejected with any other value, including inside an array",
    [Key, other, Schema.Array(Scalar).check(Schema.isMaxLength(3))],
    ([name, wrong, good]) => {
      for (const some of [wrong, [...good, wrong], [wrong, ...good]]) {
        expect(problemsIn({ [name]: some })).toEqual([`custom.${name} custom_value`])
        expect(keysOfInvalidValues({ [name]: some })).toEqual([name])
      }
    },
    options
  )

  it("are rejected with nested arrays", () => {
    expect(problemsIn({ a: [[]] })).toEqual(["custom.a custom_value"])
  })

  it("SEC-76: are rejected without a stack overflow when nested extremely deeply", () => {
    const deep: object = JSON.parse(`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)
    expect(problemsIn(deep)).toEqual(["custom.a custom_value"])
  })

  it("may have up to 16 KiB of JSON, in bytes", () => {
    const longest = 16 * 1024 - JSON.stringify({ a: "" }).length
    expect(problemsIn({ a: "x".repeat(longest) })).toEqual([])
    expect(problemsIn({ a: "x".repeat(longest + 1) })).toEqual(["custom custom_too_large"])
    expect(problemsIn({ a: "é".repeat(longest / 2) })).toEqual([])
    expect(problemsIn({ a: "é".repeat(longest / 2 + 1) })).toEqual(["custom custom_too_large"])
  })

  it("report up to twenty wrong keys, each cut to 64 characters", () => {
    expect(problemsIn({ good: 1, "a b": 1, address: { city: "London" }, "c-d": {} })).toEqual([
      "custom.a b custom_key",
      "custom.c-d custom_key",
      "custom.address custom_value",
      "custom.c-d custom_value"
    ])
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`key${n}`, {}]))
    expect(problemsIn(many)).toHaveLength(20)
    expect(problemsIn({ ["é".repeat(3_000)]: 1 })).toEqual([`custom.${"é".repeat(64)} custom_key`])
  })

  it.prop(
    "are merged by adding or replacing keys, and removed entirely by null",
    [custom, custom],
    ([before, sent]) => {
      const merged = mergeCustom({ ...before }, { ...sent })
      expect(new Map(Object.entries(merged))).toEqual(new Map([...Object.entries(before), ...Object.entries(sent)]))
      expect(mergeCustom({ ...before }, null)).toEqual({})
    },
    options
  )
})
