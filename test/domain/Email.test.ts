import { domainToASCII } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { canonicalEmail, EMAIL_LENGTH, foldedEmail, isSameEmail, localPart } from "#domain/Email"
import { canonical, nonBlank, sortKey, TEXT_LENGTH } from "#domain/Text"
import { integer, matching, oneOf, UnicodeText } from "../support/arbitraries.ts"

const AnyText = UnicodeText.check(Schema.isMaxLength(40))
/** Includes malformed text: lone surrogates, NUL and control characters. */
const anyUnits = Arbitrary.map(
  Arbitrary.schema(Schema.Array(integer(0, 0xffff)).check(Schema.isMaxLength(40))),
  (units) => String.fromCharCode(...units)
)
const Letters = matching(/^[a-zà-öø-þ0-9]{1,20}$/)
const Email = matching(/^[a-zà-öø-þ0-9]{1,20}@[a-zà-öø-þ0-9]{1,20}\.test$/)

const often = { arbitrary: { runs: 2_000, size: 40 } }

describe("the canonical form", () => {
  it("SEC-80: skips normalization of overlong text, because combining marks take quadratic time", () => {
    const marks = "a" + "\u0301".repeat(58_000) + "\u0323".repeat(58_000)
    expect(canonical(` ${marks} `)).toBe(marks)
    const longest = "\u03b1\u0313\u0301\u0345".repeat(TEXT_LENGTH)
    expect(Array.from(canonical(longest)).length).toBe(TEXT_LENGTH)
  })

  it("is idempotent for every code point, alone and between letters", () => {
    for (let code = 1; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const alone = canonical(String.fromCodePoint(code))
      const amid = canonical(`a${String.fromCodePoint(code)}B`)
      if (canonical(alone) !== alone || canonical(amid) !== amid) expect.fail(`U+${code.toString(16)}`)
    }
  })

  it.prop("is idempotent for any text", [AnyText], ([text]) => canonical(canonical(text)) === canonical(text), often)

  it.prop(
    "is the same for all Unicode forms of a text",
    [AnyText, Schema.Literals(["NFC", "NFD", "NFKC", "NFKD"])],
    ([text, form]) => canonical(text.normalize(form)) === canonical(text),
    often
  )

  it.prop(
    "is empty if and only if the text is blank",
    [AnyText],
    ([text]) => (canonical(text) === "") === (nonBlank(text) === null)
  )

  it.prop(
    "limits sort keys to the length of a name and keeps them well-formed",
    [Schema.Array(Schema.Literals(["ﷺ", "㍍", "😀", "a"])).check(Schema.isMaxLength(400))],
    ([characters]) => {
      const key = sortKey(characters.join(""))
      expect(key.length).toBeLessThanOrEqual(TEXT_LENGTH)
      expect(key.isWellFormed()).toBe(true)
    },
    { arbitrary: { size: 400 } }
  )
})

describe("an email", () => {
  it.prop(
    "is trimmed and converted to lower case",
    [Email, matching(/^[ \t\u00a0\u3000]{0,3}$/)],
    ([typed, space]) => {
      expect(canonicalEmail(space + typed.toUpperCase() + space)).toBe(typed)
    },
    { arbitrary: { size: 46 } }
  )

  it.each([
    ["upper case", "JO@EXAMPLE.TEST"],
    ["full-width letters", "ｊｏ@ｅｘａｍｐｌｅ.ｔｅｓｔ"],
    ["a full-width @", "jo＠example.test"],
    ["letters of a mathematical font", "𝓳𝓸@example.test"],
    ["surrounding space", " jo@example.test\n"]
  ])("is the same address with %s (C21)", (_, typed) => {
    expect(canonicalEmail(typed)).toBe("jo@example.test")
  })

  it("is the same with combining accents as with precomposed letters", () => {
    expect(canonicalEmail("E\u0301va@example.test")).toBe("\u00e9va@example.test")
    expect(canonicalEmail("\u00c9VA@example.test")).toBe("\u00e9va@example.test")
  })

  it("SEC-59: is different with a dotless i", () => {
    expect(canonicalEmail("\u0131@example.test")).toBe("\u0131@example.test")
    expect(canonicalEmail("\u0130@example.test")).not.toBe("i@example.test")
  })

  it.each([
    ["no text", ""],
    ["no @", "example.test"],
    ["two @", "jo@evil.test@example.test"],
    ["a second, full-width @", "jo＠evil.test@example.test"],
    ["no local part", "@example.test"],
    ["no domain", "jo@"],
    ["a trailing dot", "jo@example.test."],
    ["a domain of only a dot", "jo@."],
    ["a trailing full-width dot", "jo@example.test．"],
    ["a space inside", "jo smith@example.test"],
    ["two addresses", "jo@example.test,al@example.test"],
    ["a name and an address", "Jo <jo@example.test>"],
    ["quotes", '"jo"@example.test'],
    ["a line break", "jo@example.test\r\nBcc: al@example.test"],
    ["NUL", "jo\u0000@example.test"],
    ["a control character", "jo\u0007@example.test"],
    ["a zero-width joiner", "jo\u200d@example.test"],
    ["a right-to-left override", "jo\u202e@example.test"],
    ["a lone surrogate", "jo\ud800@example.test"],
    ["255 characters", `${"x".repeat(255 - "@example.test".length)}@example.test`],
    ["100 KB", `${"x".repeat(100_000)}@example.test`],
    ["a canonical form that is too long", `${"ﷺ".repeat(20)}@example.test`]
  ])("is rejected with %s", (_, typed) => {
    expect(canonicalEmail(typed)).toBeUndefined()
  })

  it("may have 254 characters", () => {
    const longest = `${"x".repeat(EMAIL_LENGTH - "@example.test".length)}@example.test`
    expect(canonicalEmail(longest)).toBe(longest)
  })

  const anyText = Arbitrary.schema(AnyText)
  const typed = oneOf(
    anyUnits,
    anyText,
    Arbitrary.map(Arbitrary.all([anyText, anyText]), ([a, b]) => `${a}@${b}`),
    Arbitrary.schema(Email)
  )

  it.prop(
    "is canonical and short, with one @ and no control character, for any accepted input",
    [typed],
    ([text]) => {
      const accepted = canonicalEmail(text)
      if (accepted === undefined) return
      expect(canonicalEmail(accepted)).toBe(accepted)
      expect(accepted).toBe(canonical(accepted))
      expect(accepted.split("@")).toHaveLength(2)
      expect(accepted.length).toBeLessThanOrEqual(EMAIL_LENGTH)
      expect(accepted).not.toMatch(/[\p{C}\s]/u)
    },
    often
  )

  it.prop(
    "has the text before the @ as local part",
    [Letters, Letters],
    ([local, domain]) => localPart(`${local}@${domain}`) === local
  )
})

describe("SEC-239: the form in which emails are compared", () => {
  it.each([
    ["jo@müller.example", "jo@xn--mller-kva.example"],
    ["c@example。com", "c@example.com"],
    ["jo@straße.example", "jo@xn--strae-oqa.example"],
    ["jö@example.com", "jö@example.com"],
    ["jo@ü.1", "jo@xn--tda.1"],
    ["jo@1.2", "jo@1.2"],
    ["jo@a_b.ü", "jo@a_b.xn--tda"]
  ])("of %s is %s", (email, folded) => {
    expect(canonicalEmail(email)).toBe(email)
    expect(foldedEmail(email)).toBe(folded)
    expect(isSameEmail(email, folded)).toBe(true)
  })

  it("matches the browser's form for every letter in domains of the basic plane", () => {
    for (let code = 0x80; code <= 0xffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const email = canonicalEmail(`jo@a${String.fromCodePoint(code)}b.example`)
      if (email === undefined || foldedEmail(email) === email) continue
      const domain = foldedEmail(email).slice("jo@".length)
      if (domain !== domainToASCII(email.slice("jo@".length))) expect.fail(`U+${code.toString(16)}`)
    }
  })

  it.prop(
    "has an ASCII domain, is idempotent, and is also a valid email",
    [UnicodeText.check(Schema.isMaxLength(12)), UnicodeText.check(Schema.isMaxLength(12))],
    ([label, other]) => {
      const email = canonicalEmail(`jo@${label}.${other}`)
      if (email === undefined) return
      const folded = foldedEmail(email)
      expect(folded).toMatch(/^jo@[\x21-\x7e]+$/)
      expect([foldedEmail(folded), canonicalEmail(folded)]).toEqual([folded, folded])
    },
    often
  )

  const parts = [
    "a",
    "-",
    "_",
    "..",
    ".",
    "xn--a",
    "xn--",
    "xn--mller-kva",
    "%2e",
    "℀",
    "ü",
    "!",
    "。",
    "1",
    "x".repeat(40)
  ]

  it.prop(
    "requires domain labels that a mail server can have",
    [Arbitrary.schema(Schema.Array(Schema.Literals(parts)).check(Schema.isMaxLength(6)))],
    ([chosen]) => {
      const email = canonicalEmail(`jo@${chosen.join("")}`)
      if (email === undefined) return
      const domain = foldedEmail(email).slice("jo@".length)
      for (const label of domain.split(".")) expect(label).toMatch(/^[a-z0-9_-]+$/)
      expect(domainToASCII(`${domain}.é`)).toBe(`${domain}.xn--9ca`)
    },
    often
  )

  it.each([
    "a@..example",
    "a@.example",
    "a@example.",
    "a@foo%2e.example",
    "a@xn--a.example",
    "a@XN--A.example",
    "a@xn--a-.example",
    "a@℀.example",
    "a@a/c.example"
  ])("rejects %s, whose domain no mail server can have", (email) => {
    expect(canonicalEmail(email)).toBeUndefined()
  })

  it("is the address itself if the domain can't be converted", () => {
    for (const text of ["no address at ü", "jo@a℀b.ü", "a@..example", ""]) expect(foldedEmail(text)).toBe(text)
  })
})
