import fc from "fast-check"
import { expect, test } from "vitest"
import { credentialTypes, customKeyProblems, isSocial, ownerTypeOf } from "#domain/Credential"

const codes = (key: string) => customKeyProblems(key).map(({ code }) => code)

test("SEC-46: a key of one's own has 20 to 255 visible ASCII characters, at least 10 of them different", () => {
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
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ minLength: 15, maxLength: 300 })), (key) => {
      const good = /^[\x21-\x7e]{20,255}$/.test(key) && new Set(key).size >= 10
      expect(codes(key).length).toBe(good ? 0 : 1)
    })
  )
})

test("API keys are for api users, all the rest for humans; the social types are those that log in elsewhere", () => {
  expect(credentialTypes.filter((type) => ownerTypeOf(type) === "api")).toEqual(["api_key"])
  expect(credentialTypes.filter((type) => !isSocial(type))).toEqual(["api_key", "password", "totp"])
})
