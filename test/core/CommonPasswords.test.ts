import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { brotliDecompressSync } from "node:zlib"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { CommonPasswords } from "#core/passwords/CommonPasswords"
import { canonical } from "#domain/Text"
import { integer, matching, Natural, UnicodeText } from "../support/arbitraries.ts"
import { defectOf } from "../support/defects.ts"

const packed = readFileSync(new URL("../../src/core/passwords/CommonPasswords.br", import.meta.url))
const text = brotliDecompressSync(packed).toString()
const entries = text.split("\n").slice(0, -1)
const known = new Set(entries)

const fullWidth = (password: string) =>
  password.replace(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0))

describe("the list", () => {
  it("SEC-02: has 100,000 entries, one per line", () => {
    expect(entries).toHaveLength(100_000)
    expect(text.endsWith("\n")).toBe(true)
    expect(Buffer.from(text).equals(brotliDecompressSync(packed))).toBe(true)
  })

  it("SEC-02: has canonical entries without control characters or blanks", () => {
    expect(entries.filter((entry) => entry === "" || entry !== canonical(entry) || /\p{C}/u.test(entry))).toEqual([])
  })

  it("SEC-02: is sorted bytewise without duplicates", () => {
    const bytes = entries.map((entry) => Buffer.from(entry))
    expect(bytes.filter((entry, index) => Buffer.compare(bytes[index + 1] ?? Buffer.from([255]), entry) <= 0)).toEqual(
      []
    )
  })
})

layer(CommonPasswords.layer)("a lookup in the list", (it) => {
  it.effect.each([
    "Password1",
    "QWERTYUIOP",
    "iLoveYou1",
    "letmein123",
    "TrustNo1",
    "1234567890",
    "1QAZ2wsx",
    "sunshine"
  ])("SEC-02: finds %s, in any case and form", (password) =>
    Effect.gen(function* () {
      const { includes } = yield* CommonPasswords
      for (const form of [password, password.toLowerCase(), password.toUpperCase(), fullWidth(password)]) {
        expect(yield* includes(form)).toBe(true)
        expect(yield* includes(` ${form}\t`)).toBe(true)
      }
    })
  )

  it.effect("SEC-02: finds every entry, including the first and the last", () =>
    Effect.gen(function* () {
      const { includes } = yield* CommonPasswords
      const some = [entries[0], entries[1], entries.at(-2), entries.at(-1), ...entries.filter((_, at) => at % 97 === 0)]
      for (const entry of some) expect([entry, yield* includes(entry ?? "")]).toEqual([entry, true])
    })
  )

  it.effect("SEC-02: doesn't match passwords outside the list or across two lines", () =>
    Effect.gen(function* () {
      const { includes } = yield* CommonPasswords
      const [first = "", second = ""] = entries
      const outside = ["", " ", "\n", "!", "\u{10ffff}", "\ud800", `${first}\n`.repeat(2), `${first}\n${second}`]
      for (const password of outside) expect([password, yield* includes(password)]).toEqual([password, false])
    })
  )

  it.effect.prop(
    "SEC-02: matches a shortened or extended entry only if the result is also an entry",
    { index: integer(0, entries.length - 1), cut: Natural, more: Schema.String.check(Schema.isMaxLength(3)) },
    ({ index, cut, more }) =>
      Effect.gen(function* () {
        const { includes } = yield* CommonPasswords
        const entry = entries[index] ?? ""
        const at = cut % (entry.length + 1)
        for (const password of [entry.slice(0, at), entry.slice(at), entry + more, more + entry]) {
          expect(yield* includes(password)).toBe(known.has(canonical(password)))
        }
      }),
    { arbitrary: { runs: 500 } }
  )

  const Other = Schema.Union([UnicodeText, Schema.String.check(Schema.isMaxLength(5)), matching(/^\d{4,6}$/)])

  it.effect.prop(
    "SEC-02: matches a text exactly when the list contains the text",
    [Other],
    ([password]) =>
      Effect.gen(function* () {
        const { includes } = yield* CommonPasswords
        expect(yield* includes(password)).toBe(known.has(canonical(password)))
      }),
    { arbitrary: { runs: 500 } }
  )

  it.effect("SEC-02: doesn't match a phrase of common words", () =>
    Effect.gen(function* () {
      const { includes } = yield* CommonPasswords
      expect(yield* includes("correct horse battery staple")).toBe(false)
    })
  )
})

describe("the file", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-common-"))

  const read = (file: string) => Effect.provide(CommonPasswords, CommonPasswords.layerFrom(pathToFileURL(file)))

  it.effect("SEC-02: causes a defect that names the file if missing, and is read again at the next lookup", () =>
    Effect.gen(function* () {
      const file = join(folder, "missing.br")
      const { includes } = yield* read(file)
      expect(yield* defectOf(includes("password1"))).toMatchObject({
        message: `The list of common passwords cannot be read: ${file}.`
      })
      writeFileSync(file, packed)
      expect(yield* includes("password1")).toBe(true)
    })
  )

  it.effect("SEC-02: causes a defect that names the file if damaged", () =>
    Effect.gen(function* () {
      const flipped = Buffer.from(packed)
      flipped[1_000] = 255 - (flipped[1_000] ?? 0)
      const damaged = { flipped, short: packed.subarray(0, 1_000), empty: Buffer.alloc(0) }
      for (const [name, bytes] of Object.entries(damaged)) {
        const file = join(folder, name)
        writeFileSync(file, bytes)
        const { includes } = yield* read(file)
        expect(yield* defectOf(includes("correct horse"))).toMatchObject({
          message: `The list of common passwords is damaged: ${file}.`
        })
      }
    })
  )

  it.live("SEC-02: is read once for simultaneous first lookups, even if a lookup is interrupted", () =>
    Effect.gen(function* () {
      const { includes } = yield* CommonPasswords
      const answers = yield* Effect.all(
        [Effect.timeoutOption(includes("password1"), 0), includes("password1"), includes("correct horse")],
        { concurrency: "unbounded" }
      )
      expect(answers.slice(1)).toEqual([true, false])
    }).pipe(Effect.provide(CommonPasswords.layer))
  )
})
