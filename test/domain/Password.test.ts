import { describe, expect, it } from "@effect/vitest"
import { checkPassword, isHashable } from "#domain/Password"
import { matching } from "../support/arbitraries.ts"

const codes = (password: string, minLength = 8) => checkPassword(password, { minLength }).map(({ code }) => code)

describe("a new password", () => {
  it.each([
    ["SEC-01: nothing", "", 8, [{ code: "blank", params: {} }]],
    ["SEC-01: seven characters", "1234567", 8, [{ code: "too_short", params: { minimum: 8 } }]],
    ["SEC-01: eight characters", "12345678", 8, []],
    ["SEC-01: a realm cannot go under 8", "1234567", 1, [{ code: "too_short", params: { minimum: 8 } }]],
    ["SEC-01: a realm can ask for more", "12345678901234", 15, [{ code: "too_short", params: { minimum: 15 } }]],
    ["SEC-01: what the realm asks for", "123456789012345", 15, []],
    ["SEC-03: spaces count, at the ends too", "        ", 8, []],
    ["SEC-03: no composition is asked for", "aaaaaaaa", 8, []],
    [
      "SEC-03: characters outside the BMP count once",
      "😀".repeat(7),
      8,
      [{ code: "too_short", params: { minimum: 8 } }]
    ],
    ["SEC-03: eight of them", "😀".repeat(8), 8, []],
    ["SEC-03: counted after NFKC: four ligatures of two letters", "ﬁ".repeat(4), 8, []],
    [
      "SEC-03: counted after NFKC: letters with separate accents",
      "e\u0301".repeat(7),
      8,
      [{ code: "too_short", params: { minimum: 8 } }]
    ],
    ["SEC-04: 512 characters", "x".repeat(512), 8, []],
    ["SEC-04: 513 characters", "x".repeat(513), 8, [{ code: "too_long", params: { maximum: 512 } }]],
    ["SEC-04: 512 characters of two UTF-16 units", "😀".repeat(512), 8, []],
    ["SEC-04: 513 of them", "😀".repeat(513), 8, [{ code: "too_long", params: { maximum: 512 } }]],
    ["SEC-04: 513 after NFKC", "ﬁ".repeat(257), 8, [{ code: "too_long", params: { maximum: 512 } }]],
    ["a lone surrogate", "12345678\ud800", 8, [{ code: "invalid", params: {} }]],
    ["a lone low surrogate", "\udc001234567", 8, [{ code: "invalid", params: {} }]],
    ["NUL", "1234\u00005678", 8, [{ code: "invalid", params: {} }]]
  ])("%s", (_, password, minLength, problems) => {
    expect(checkPassword(password, { minLength })).toEqual(problems)
  })

  it("SEC-04: a 1 MB password is refused before anything is done with it", () => {
    const started = performance.now()
    for (let i = 0; i < 1000; i++) expect(codes("ﷺ".repeat(1_000_000 / 2))).toEqual(["too_long"])
    expect(performance.now() - started).toBeLessThan(1000)
    expect(isHashable("x".repeat(1_000_000))).toBe(false)
  })

  it.prop(
    "SEC-03: any Unicode of 8 to 512 characters is accepted",
    [matching(/^[^\0]{8,60}$/u)],
    ([text]) =>
      Array.from(text.normalize("NFKC")).length >= 8 ? codes(text).length === 0 : codes(text).join() === "too_short",
    { arbitrary: { size: 60 } }
  )

  it("a password too short for today may be an old one: it is still compared", () => {
    expect(isHashable("1234")).toBe(true)
    expect(["", "a\0b", "\ud800", "x".repeat(513)].filter(isHashable)).toEqual([])
  })
})
