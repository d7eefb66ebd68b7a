import { expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { credentialTypes, customKeyProblems, isSocial, ownerTypeOf } from "#domain/Credential"
import { UnicodeText } from "../support/arbitraries.ts"

const codes = (key: string) => customKeyProblems(key).map(({ code }) => code)

it("SEC-46: a custom key has 20 to 255 visible ASCII characters, at least 10 of them different", () => {
  for (const [key, expected] of [
    ["0123456789abcdefghij", []],
    ["0123456789012345678 ", ["key_form"]],
    ["0123456789abcdefgh\tij", ["key_form"]],
    ["0123456789abcdefghé0", ["key_form"]],
    ["０１２３４５６７８９abcdefghij", ["key_form"]],
    ["", ["key_form"]],
    ["0123456789abcdefghi", ["too_short"]],
    ["012345678".repeat(3), ["too_simple"]],
    ["0123456789".repeat(2), []],
    [`${"0123456789".repeat(25)}abcde`, []],
    [`${"0123456789".repeat(25)}abcdef`, ["too_long"]],
    ['~!@#$%^&*()_+{}|:"<>?', []]
  ] as const) {
    expect([key, codes(key)]).toEqual([key, expected])
  }
})

const LongText = Schema.String.check(Schema.isBetweenLength(15, 300))

it.prop(
  "SEC-46: a custom key never gets more than a single error",
  [Schema.Union([UnicodeText.check(Schema.isMaxLength(20)), LongText])],
  ([key]) => {
    const good = /^[\x21-\x7e]{20,255}$/.test(key) && new Set(key).size >= 10
    expect(codes(key).length).toBe(good ? 0 : 1)
  },
  { arbitrary: { size: 300 } }
)

it("API keys belong to API users, and all other credential types to humans", () => {
  expect(credentialTypes.filter((type) => ownerTypeOf(type) === "api")).toEqual(["api_key"])
  expect(credentialTypes.filter((type) => !isSocial(type))).toEqual([
    "api_key",
    "password",
    "totp",
    "passkey",
    "recovery_codes"
  ])
})
