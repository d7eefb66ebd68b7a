import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { brotliDecompressSync } from "node:zlib"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { CommonPasswords } from "#core/passwords/CommonPasswords"
import { canonical } from "#domain/Text"

const packed = readFileSync(new URL("../../src/core/passwords/CommonPasswords.br", import.meta.url))
const text = brotliDecompressSync(packed).toString()
const entries = text.split("\n").slice(0, -1)
const known = new Set(entries)

const make = (layer = CommonPasswords.layer) => Effect.runPromise(Effect.provide(CommonPasswords, layer))
const asker = async (layer = CommonPasswords.layer) => {
  const passwords = await make(layer)
  return (password: string) => Effect.runPromise(passwords.includes(password))
}
const fullWidth = (password: string) =>
  password.replace(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))

describe("the list", () => {
  test("SEC-02: holds 100,000 entries, each on a line of its own", () => {
    expect(entries).toHaveLength(100_000)
    expect(text.endsWith("\n")).toBe(true)
    expect(Buffer.from(text).equals(brotliDecompressSync(packed))).toBe(true)
  })

  test("SEC-02: its entries are canonical, without control characters, none of them blank", () => {
    expect(entries.filter((entry) => entry === "" || entry !== canonical(entry) || /\p{C}/u.test(entry))).toEqual([])
  })

  test("SEC-02: is sorted bytewise, each entry once", () => {
    const bytes = entries.map((entry) => Buffer.from(entry))
    expect(bytes.filter((entry, index) => Buffer.compare(bytes[index + 1] ?? Buffer.from([255]), entry) <= 0)).toEqual(
      []
    )
  })
})

describe("a question", () => {
  test.each([
    "Password1",
    "QWERTYUIOP",
    "iLoveYou1",
    "letmein123",
    "TrustNo1",
    "1234567890",
    "1QAZ2wsx",
    "sunshine"
  ])("SEC-02: %s is common, in any case and form", async (password) => {
    const isCommon = await asker()
    for (const form of [password, password.toLowerCase(), password.toUpperCase(), fullWidth(password)]) {
      expect(await isCommon(form)).toBe(true)
      expect(await isCommon(` ${form}\t`)).toBe(true)
    }
  })

  test("SEC-02: finds every entry, the first and the last included", async () => {
    const isCommon = await asker()
    const some = [entries[0], entries[1], entries.at(-2), entries.at(-1), ...entries.filter((_, at) => at % 97 === 0)]
    for (const entry of some) expect([entry, await isCommon(entry ?? "")]).toEqual([entry, true])
  })

  test("SEC-02: what is before the first entry, behind the last one or across two lines is not common", async () => {
    const isCommon = await asker()
    const [first = "", second = ""] = entries
    const outside = ["", " ", "\n", "!", "\u{10ffff}", "\ud800", `${first}\n`.repeat(2), `${first}\n${second}`]
    for (const password of outside) expect([password, await isCommon(password)]).toEqual([password, false])
  })

  test("SEC-02: a part of an entry, or an entry with more, is common only when it is an entry too", async () => {
    const isCommon = await asker()
    const entry = fc.constantFrom(...entries)
    await fc.assert(
      fc.asyncProperty(entry, fc.nat(), fc.string({ maxLength: 3 }), async (entry, cut, more) => {
        const at = cut % (entry.length + 1)
        for (const password of [entry.slice(0, at), entry.slice(at), entry + more, more + entry]) {
          expect(await isCommon(password)).toBe(known.has(canonical(password)))
        }
      }),
      { numRuns: 500 }
    )
  })

  test("SEC-02: any other text is answered as the list says", async () => {
    const isCommon = await asker()
    const password = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({ maxLength: 5 }),
      fc.stringMatching(/^\d{4,6}$/)
    )
    await fc.assert(
      fc.asyncProperty(password, async (password) => {
        expect(await isCommon(password)).toBe(known.has(canonical(password)))
      }),
      { numRuns: 500 }
    )
    expect(await isCommon("correct horse battery staple")).toBe(false)
  })
})

describe("the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-common-"))

  test("SEC-02: a missing file is a defect that names it, and is looked for again", async () => {
    const file = join(folder, "missing.br")
    const isCommon = await asker(CommonPasswords.layerFrom(pathToFileURL(file)))
    await expect(isCommon("password1")).rejects.toThrow(`The list of common passwords cannot be read: ${file}.`)
    writeFileSync(file, packed)
    expect(await isCommon("password1")).toBe(true)
  })

  test("SEC-02: a damaged file is a defect that names it", async () => {
    const flipped = Buffer.from(packed)
    flipped[1_000] = 255 - (flipped[1_000] ?? 0)
    for (const [name, bytes] of Object.entries({ flipped, short: packed.subarray(0, 1_000), empty: Buffer.alloc(0) })) {
      const file = join(folder, name)
      writeFileSync(file, bytes)
      const isCommon = await asker(CommonPasswords.layerFrom(pathToFileURL(file)))
      await expect(isCommon("correct horse")).rejects.toThrow(`The list of common passwords is damaged: ${file}.`)
    }
  })

  test("SEC-02: first questions at once, one of them given up, are all answered", async () => {
    const passwords = await make()
    const answers = await Effect.runPromise(
      Effect.all(
        [
          Effect.timeoutOption(passwords.includes("password1"), 0),
          passwords.includes("password1"),
          passwords.includes("correct horse")
        ],
        { concurrency: "unbounded" }
      )
    )
    expect(answers.slice(1)).toEqual([true, false])
  })
})
