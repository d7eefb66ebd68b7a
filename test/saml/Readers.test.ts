import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeBase64 } from "#saml/Base64"
import { readIdentityProvider } from "#saml/IdentityProvider"
import { formatInstant, parseInstant } from "#saml/Times"
import { readXml, type XmlElement } from "#saml/Xml"
import { escapeXml } from "#saml/XmlText"
import { NOW, provider, readEncoded } from "../support/saml.ts"

const limits = { elements: 1_000, comments: false }

const name = fc.stringMatching(/^[A-Za-z_][\w.-]{0,8}$/).filter((text) => !/^(?:xml|id$)/i.test(text))

/** Characters that XML allows. Line ends and tabs are written as references. */
const text = fc
  .string({ unit: "binary", maxLength: 20 })
  .filter((written) => /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u.test(written))

type Node = Pick<XmlElement, "name" | "attributes" | "text"> & { readonly children: ReadonlyArray<Node> }

const withChildren = (children: fc.Arbitrary<ReadonlyArray<Node>>): fc.Arbitrary<Node> =>
  fc.record({
    name,
    attributes: fc.dictionary(name, text, { maxKeys: 4 }).map((found) => new Map(Object.entries(found))),
    text,
    children
  })

/** Elements with up to three levels below them. */
const node = [1, 2, 3].reduce((below) => withChildren(fc.array(below, { maxLength: 3 })), withChildren(fc.constant([])))

const write = (element: Node): string => {
  const attributes = [...element.attributes].map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const content = `${escapeXml(element.text)}${element.children.map(write).join("")}`
  return `<${element.name}${attributes.join("")}>${content}</${element.name}>`
}

const withoutNamespaces = (element: XmlElement): Node => ({
  name: element.name,
  attributes: element.attributes,
  text: element.text,
  children: element.children.map(withoutNamespaces)
})

/** Documents that are nearly well-formed. */
const pieces = fc
  .array(
    fc.constantFrom(
      "<a>",
      "</a>",
      "<a/>",
      "<b:a>",
      ' c="d"',
      " xmlns:b='e'",
      "<a",
      ">",
      "&amp;",
      "&#x41;",
      "&",
      "x",
      " ",
      "<!--",
      "-->",
      "<?",
      "?>",
      "]]>",
      "\r",
      "<!DOCTYPE a>",
      "\u2028"
    ),
    { maxLength: 30 }
  )
  .map((found) => found.join(""))

describe("SEC-299: the reader of XML", () => {
  test("returns what was written", () => {
    fc.assert(
      fc.property(node, (element) => {
        const read = readXml(write(element), limits)
        if (Result.isFailure(read)) throw new Error(read.failure)
        expect(withoutNamespaces(read.success)).toEqual(element)
      })
    )
  })

  test("never throws, and accepts a document only with balanced tags", () => {
    fc.assert(
      fc.property(fc.oneof(pieces, fc.string({ unit: "binary" })), (document) => {
        const read = readXml(document, { elements: 1_000, comments: true })
        if (Result.isSuccess(read)) {
          const tags = document.replaceAll(/<!--.*?-->/gs, "")
          expect(tags.match(/<\w[^>]*[^/>]>|<\w>/g)?.length ?? 0).toBe(tags.match(/<\//g)?.length ?? 0)
        }
      }),
      { numRuns: 2_000 }
    )
  })

  test("takes time in proportion to the length of a document", () => {
    const elements = 200_000
    for (const piece of ["<a>", "<a ", "&", "<!--", "<a b='", "-", " ", "<!-- -->"]) {
      const read = readXml(`<a>${piece.repeat(elements)}`, { elements, comments: true })
      expect(Result.isFailure(read)).toBe(true)
    }
  })
})

test("reading metadata never throws", () => {
  const xml = provider.metadata()
  const cut = fc.tuple(fc.nat(xml.length), fc.nat(xml.length), fc.string({ maxLength: 8 }))
  fc.assert(
    fc.property(cut, ([from, to, between]) => {
      const read = readIdentityProvider(`${xml.slice(0, from)}${between}${xml.slice(to)}`, { now: NOW })
      expect(Result.isSuccess(read) || read.failure.code.length > 0).toBe(true)
    }),
    { numRuns: 1_000 }
  )
})

test("reading a response never throws", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(pieces, fc.string()), async (document) => {
      expect(await readEncoded(Buffer.from(document).toString("base64"))).toHaveProperty("check")
    })
  )
})

test("base64 has one text for each value, apart from white space", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(200), (bytes, at) => {
      const encoded = Buffer.from(bytes).toString("base64")
      expect(decodeBase64(`${encoded.slice(0, at)}\r\n ${encoded.slice(at)}`)).toEqual(Buffer.from(bytes))
      expect(decodeBase64(`${encoded}=`)).toBeUndefined()
    })
  )
})

describe("a time", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        expect(parseInstant(formatInstant(seconds * 1_000))).toBe(seconds * 1_000)
      })
    )
  })

  test.each([
    ["2026-06-01T12:00:00Z", NOW],
    ["2026-06-01T12:00:00.1Z", NOW + 100],
    ["2026-06-01T12:00:00.1234567Z", NOW + 123],
    ["2026-06-01T12:00:00", undefined],
    ["2026-06-01T14:00:00+02:00", undefined],
    ["2026-02-30T12:00:00Z", undefined],
    ["2026-06-01T24:00:00Z", undefined],
    ["2026-06-01T12:00:60Z", undefined],
    ["2026-06-01", undefined],
    [" 2026-06-01T12:00:00Z", undefined]
  ])("%j is %j", (written, time) => {
    expect(parseInstant(written)).toBe(time)
  })
})
