import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { expect, test } from "vitest"
import { strengthFunction } from "#hosted/markup/StrengthScript"

const estimate: (password: string, words?: ReadonlyArray<string>, least?: number) => unknown = (
  password,
  words = [],
  least = 8
) => runInNewContext(`(${strengthFunction})(password, words, least)`, { password, words: [...words], least })

test.each([
  [0, ["", "short", "sevench", "ñandú12"]],
  [
    1,
    [
      "password",
      "password1!",
      "P@ssw0rd2024",
      "qwertyuiop",
      "12345678901234",
      "aaaaaaaaaaaaaaaa",
      "abcdefgh",
      "abcabcabcabc",
      "summer2024",
      "Summer2024!",
      "lkjhgfdsa",
      "iloveyou99",
      "letmein123"
    ]
  ],
  [2, ["lemonade7", "xK9#mQ2$", "sallyport1", "tr1ck-pony"]],
  [3, ["nine blue walruses", "xK9#mQ2$vT"]],
  [4, ["correct horse battery staple", "v7#Kq!z2Wm@e9RtL", "Der Igel trägt am Sonntag grüne Stiefel"]]
])("C159: rates strength %i of 4: %j", (level, passwords) => {
  for (const password of passwords) expect([password, estimate(password)]).toEqual([password, level])
})

test("C159: gives little weight to the user's own details and the name on the pages", () => {
  expect(estimate("henrietta walton")).toBeGreaterThan(
    Number(estimate("henrietta walton", ["henrietta.walton@example.com"]))
  )
  expect(estimate("harborharbor1", ["Create your account – Harbor"])).toBe(1)
})

test("C159: never rates a longer password as weaker, and rates every text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (password) => {
      expect([0, 1, 2, 3, 4]).toContain(estimate(password))
    }),
    { numRuns: 50 }
  )
  const phrase = "violet rivers sing to stones"
  const levels = [...phrase].map((_, end) => Number(estimate(phrase.slice(0, end + 1))))
  expect(levels).toEqual(levels.toSorted())
})
