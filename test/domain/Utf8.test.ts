import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeUtf8, hasUtf8Escapes } from "#domain/Utf8"
import { anyCharacter } from "../support/arbitraries.ts"

const anyBytes = fc.uint8Array({ maxLength: 12 }).map((bytes) => new Uint8Array(bytes))
const anyWellFormed = fc.string({ unit: anyCharacter, maxLength: 12 })

const escaped = (bytes: Uint8Array) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

/** Returns whether bytes are UTF-8, checked by encoding the output of a lenient decoder. */
const isUtf8 = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString()).equals(bytes)

describe("SEC-237: UTF-8", () => {
  test("SEC-237: decodes UTF-8 without loss, including U+FFFD, and rejects all other bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const text = decodeUtf8(bytes)
        expect(text !== undefined).toBe(isUtf8(bytes))
      })
    )
    fc.assert(
      fc.property(anyWellFormed, (text) => {
        fc.pre(!text.startsWith("\uFEFF"))
        expect(decodeUtf8(Buffer.from(text))).toBe(text)
      })
    )
    expect(decodeUtf8(Buffer.from("a\uFFFD"))).toBe("a\uFFFD")
  })

  test("SEC-237: accepts percent escapes only if their bytes are UTF-8", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyBytes.map(escaped), fc.constantFrom("a", "%", "%z", "ü", "&x=")), { maxLength: 4 }),
        (parts) => {
          const text = parts.join("")
          const bytes = Buffer.concat(
            (text.match(/%[\da-f]{2}|[^%]|%/giu) ?? []).map((part) =>
              /^%[\da-f]{2}$/i.test(part) ? Buffer.from(part.slice(1), "hex") : Buffer.from(part)
            )
          )
          expect(hasUtf8Escapes(text)).toBe(isUtf8(bytes))
        }
      )
    )
    fc.assert(
      fc.property(anyWellFormed, (text) => {
        expect(hasUtf8Escapes(encodeURIComponent(text))).toBe(true)
      })
    )
  })
})
