import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { checkImportedHash, checkPassword, isHashable } from "#domain/Password"

const codes = (password: string, minLength = 8) => checkPassword(password, { minLength }).map(({ code }) => code)

describe("a new password", () => {
  test.each([
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

  test("SEC-04: a 1 MB password is refused before anything is done with it", () => {
    const started = performance.now()
    for (let i = 0; i < 1000; i++) expect(codes("ﷺ".repeat(1_000_000 / 2))).toEqual(["too_long"])
    expect(performance.now() - started).toBeLessThan(1000)
    expect(isHashable("x".repeat(1_000_000))).toBe(false)
  })

  test("SEC-03: any Unicode of 8 to 512 characters is accepted", () => {
    const codePoint = fc.integer({ min: 1, max: 0x10ffff }).filter((code) => code < 0xd800 || code > 0xdfff)
    const text = fc.array(codePoint, { minLength: 8, maxLength: 60 }).map((codes) => String.fromCodePoint(...codes))
    const acceptedOrNormalisedShorter = (text: string) =>
      Array.from(text.normalize("NFKC")).length >= 8 ? codes(text).length === 0 : codes(text).join() === "too_short"
    fc.assert(fc.property(text, acceptedOrNormalisedShorter))
  })

  test("a password too short for today may be an old one: it is still compared", () => {
    expect(isHashable("1234")).toBe(true)
    expect(["", "a\0b", "\ud800", "x".repeat(513)].filter(isHashable)).toEqual([])
  })
})

describe("an imported hash", () => {
  const salt = "c29tZXNhbHRzb21lc2FsdA"
  const hash = "A".repeat(43)
  const phc = (parameters: string, type = "argon2id", version = "$v=19") =>
    `$${type}${version}$${parameters}$${salt}$${hash}`

  test.each([
    phc("m=19456,t=2,p=1"),
    phc("m=65536,t=3,p=4", "argon2i"),
    phc("m=4096,t=3,p=1", "argon2d"),
    phc("m=4096,t=3,p=1", "argon2i", "$v=16"),
    phc("m=4096,t=3,p=1", "argon2i", ""),
    phc("m=262144,t=10,p=8")
  ])("is accepted: %s", (text) => expect(checkImportedHash(text)).toBeUndefined())

  test.each([
    ["m=2147483648,t=2,p=1"],
    ["m=262145,t=2,p=1"],
    ["m=19456,t=11,p=1"],
    ["m=19456,t=2,p=9"],
    ["m=0,t=2,p=1"],
    ["m=63,t=2,p=8"],
    ["m=19456,t=0,p=1"],
    ["m=19456,t=2,p=0"],
    [`m=${"9".repeat(300)},t=2,p=1`]
  ])("SEC-16: %s would cost too much, or nothing", (parameters) =>
    expect(checkImportedHash(phc(parameters))).toBe("hash_parameters_out_of_range"))

  test("SEC-16: salts and hashes of odd lengths are refused", () => {
    const built = (salt: string, hash: string) => checkImportedHash(`$argon2id$v=19$m=19456,t=2,p=1$${salt}$${hash}`)
    expect(built("AAAA", hash)).toBe("hash_parameters_out_of_range")
    expect(built("A".repeat(68), hash)).toBe("hash_parameters_out_of_range")
    expect(built(salt, "AAAA")).toBe("hash_parameters_out_of_range")
    expect(built(salt, "")).toBe("hash_parameters_out_of_range")
    expect(built(salt, "A".repeat(88))).toBe("hash_parameters_out_of_range")
  })

  test.each([
    "",
    "plain text",
    "$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
    "{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=",
    phc("m=19456,t=2,p=1", "argon2x"),
    phc("m=19456,t=2,p=1", "argon2id", "$v=18"),
    phc("t=2,m=19456,p=1"),
    phc("m=-1,t=2,p=1"),
    phc("m=1e9,t=2,p=1"),
    `${phc("m=19456,t=2,p=1")}\n`,
    `${phc("m=19456,t=2,p=1")}=`,
    `${phc("m=19456,t=2,p=1").slice(0, -1)}B`,
    phc(`m=19456,t=2,p=1${" ".repeat(1000)}`)
  ])("is of no supported form: %j", (text) => expect(checkImportedHash(text)).toBe("unsupported_hash"))
})
