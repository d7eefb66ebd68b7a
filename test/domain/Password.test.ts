import { describe, expect, it } from "@effect/vitest"
import { checkPassword, isHashable } from "#domain/Password"
import { matching } from "../support/arbitraries.ts"

const codes = (password: string, minLength = 8) => checkPassword(password, { minLength }).map(({ code }) => code)

describe("a new password", () => {
  it.each([
    ["SEC-01: is rejected if empty", "", 8, [{ code: "blank", params: {} }]],
    ["SEC-01: is rejected with seven characters", "1234567", 8, [{ code: "too_short", params: { minimum: 8 } }]],
    ["SEC-01: is accepted with eight characters", "12345678", 8, []],
    [
      "SEC-01: needs 8 characters even if the realm asks for fewer",
      "1234567",
      1,
      [{ code: "too_short", params: { minimum: 8 } }]
    ],
    [
      "SEC-01: is rejected if shorter than the realm's minimum",
      "12345678901234",
      15,
      [{ code: "too_short", params: { minimum: 15 } }]
    ],
    ["SEC-01: is accepted at the realm's minimum", "123456789012345", 15, []],
    ["SEC-03: may consist of spaces, including leading and trailing ones", "        ", 8, []],
    ["SEC-03: needs no mix of character kinds", "aaaaaaaa", 8, []],
    [
      "SEC-03: is rejected with seven characters outside the BMP, which count once",
      "😀".repeat(7),
      8,
      [{ code: "too_short", params: { minimum: 8 } }]
    ],
    ["SEC-03: is accepted with eight characters outside the BMP", "😀".repeat(8), 8, []],
    ["SEC-03: is counted after NFKC: four ligatures of two letters", "ﬁ".repeat(4), 8, []],
    [
      "SEC-03: is counted after NFKC: letters with combining accents",
      "e\u0301".repeat(7),
      8,
      [{ code: "too_short", params: { minimum: 8 } }]
    ],
    ["SEC-04: is accepted with 512 characters", "x".repeat(512), 8, []],
    ["SEC-04: is rejected with 513 characters", "x".repeat(513), 8, [{ code: "too_long", params: { maximum: 512 } }]],
    ["SEC-04: is accepted with 512 characters of two UTF-16 units", "😀".repeat(512), 8, []],
    [
      "SEC-04: is rejected with 513 characters of two UTF-16 units",
      "😀".repeat(513),
      8,
      [{ code: "too_long", params: { maximum: 512 } }]
    ],
    [
      "SEC-04: is rejected with 513 characters after NFKC",
      "ﬁ".repeat(257),
      8,
      [{ code: "too_long", params: { maximum: 512 } }]
    ],
    ["is rejected with a lone surrogate", "12345678\ud800", 8, [{ code: "invalid", params: {} }]],
    ["is rejected with a lone low surrogate", "\udc001234567", 8, [{ code: "invalid", params: {} }]],
    ["is rejected with NUL", "1234\u00005678", 8, [{ code: "invalid", params: {} }]]
  ])("%s", (_, password, minLength, problems) => {
    expect(checkPassword(password, { minLength })).toEqual(problems)
  })

  it("SEC-04: is rejected immediately if it is 1 MB long", () => {
    const started = performance.now()
    for (let i = 0; i < 1000; i++) expect(codes("ﷺ".repeat(1_000_000 / 2))).toEqual(["too_long"])
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(isHashable("x".repeat(1_000_000))).toBe(false)
  })

  it.prop(
    "SEC-03: may be any Unicode text of 8 to 512 characters",
    [matching(/^[^\0]{8,60}$/u)],
    ([text]) =>
      Array.from(text.normalize("NFKC")).length >= 8 ? codes(text).length === 0 : codes(text).join() === "too_short",
    { arbitrary: { size: 60 } }
  )

  it("is compared even if it is too short for the current rules, because the rules may have changed", () => {
    expect(isHashable("1234")).toBe(true)
    expect(["", "a\0b", "\ud800", "x".repeat(513)].filter(isHashable)).toEqual([])
  })
})
