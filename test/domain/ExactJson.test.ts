import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { InexactNumber, parseJson, parseWithDigits, readJson } from "#domain/ExactJson"

describe("SEC-238: numbers in JSON", () => {
  test("SEC-238: reads JSON without inexact numbers like JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(readJson(text)).toEqual({ value: JSON.parse(text), inexact: [] })
      })
    )
  })

  test("SEC-238: keeps each integer exactly, or reports its digits", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (number) => {
        const value = parseJson(String(number))
        const isExact =
          Number.isSafeInteger(Number(number)) || BigInt(String(number)) === BigInt(decimal(Number(number)))
        expect(value).toEqual(isExact ? Number(number) : new InexactNumber(String(number)))
        expect(JSON.stringify([{ a: parseJson(String(number)) }])).toBe(
          isExact ? JSON.stringify([{ a: Number(number) }]) : `[{"a":${number}}]`
        )
        expect(String(parseWithDigits(`[${number}]`))).toBe(isExact ? String(Number(number)) : String(number))
      })
    )
  })

  test.each([
    "9007199254740993",
    "10155555555555557",
    "-9007199254740993",
    "9007199254740993.0",
    "9007199254740993e0"
  ])("SEC-238: reports %s as inexact", (text) => expect(parseJson(text)).toEqual(new InexactNumber(text)))
  test.each([
    "1e400",
    "-1e999",
    "1152921504606846976",
    "123456789012345678901234567890"
  ])("SEC-238: also reports %s as inexact", (text) => expect(parseJson(text)).toEqual(new InexactNumber(text)))
  test.each([
    "9007199254740991",
    "9007199254740992",
    "1e308",
    "1E+22",
    "100000000000000000000",
    "0.1"
  ])("SEC-238: keeps the value of %s", (text) => expect(parseJson(text)).toBe(Number(text)))
  test.each([
    "1.0000000000000000001",
    "3.14159265358979323846",
    "0.30000000000000000004"
  ])("SEC-238: rounds %s like any fraction", (text) => expect(parseJson(text)).toBe(Number(text)))

  test("SEC-238: finds an inexact number nested a thousand levels deep among many lists", () => {
    const depth = 1_500
    const text = `${"[".repeat(depth)}${"[],".repeat(80_000)}9007199254740993${"]".repeat(depth)}`
    const { inexact } = readJson(text)
    expect(inexact.map((way) => [way.length, way.at(-1)])).toEqual([[depth, 80_000]])
  })

  test("SEC-238: finds inexact numbers everywhere except in strings", () => {
    const text =
      '{"a":[1,{"b":9007199254740993}],"__proto__":9007199254740995,"c":"9007199254740993","d":9007199254740992}'
    expect(readJson(text).inexact).toEqual([["a", 1, "b"], ["__proto__"]])
    expect(readJson(`[${"9007199254740993,".repeat(99)}1]`).inexact.length).toBe(20)
  })

  test("SEC-238: throws for invalid JSON of any depth", () => {
    for (const text of ["{", "9007199254740993a", `${"[".repeat(200_000)}9007199254740993`]) {
      expect(() => readJson(text)).toThrow()
    }
  })
})

/** The decimal digits that JavaScript prints for a number. */
const decimal = (value: number): string => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e\+(\d+))?$/.exec(String(value)) ?? []
  return sign + whole + fraction + "0".repeat(Number(exponent) - fraction.length)
}
