import { deflateSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { clean } from "#core/appearance/Cleaning"
import { logoReader } from "#core/appearance/LogoImages"
import { readPng } from "#core/appearance/PngLogo"
import { MAX_LOGO_LENGTH } from "#domain/Appearance"
import { ACCOUNT } from "#domain/Ids"
import { chunk, dataUrl, png } from "../support/logos.ts"

describe("a PNG logo", () => {
  it("is accepted unchanged in every color type", () => {
    for (const [type, depth] of [
      [0, 1],
      [2, 8],
      [4, 16],
      [6, 8]
    ] as const) {
      expect(readPng(png({ type, depth }))).toEqual(png({ type, depth }))
    }
    const palette = [chunk("PLTE", Buffer.from([1, 2, 3]))]
    expect(readPng(png({ type: 3, more: palette }))).toEqual(png({ type: 3, more: palette }))
  })

  it("SEC-138: loses everything outside the image, such as text chunks and trailing data", () => {
    const page = Buffer.from("<!doctype html><script>alert(1)</script>")
    const more = [chunk("tEXt", page), chunk("iTXt", page), chunk("zzZz", page), chunk("eXIf", page)]
    expect(readPng(Buffer.concat([png({ more }), page]))).toEqual(png())
  })

  const header = png().subarray(8, 33)
  const end = chunk("IEND", Buffer.alloc(0))
  const signature = png().subarray(0, 8)
  it.each<[string, Buffer]>([
    ["no content", Buffer.alloc(0)],
    ["only a signature", signature],
    ["HTML after a signature", Buffer.concat([signature, Buffer.from("<script>alert(1)</script>")])],
    ["a JPEG", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["only a header", Buffer.concat([signature, header])],
    ["no pixels", Buffer.concat([signature, header, end])],
    ["no end", png().subarray(0, -12)],
    ["a wrong checksum", Buffer.from(png()).fill(1, 30, 32)],
    ["two headers", png({ more: [header] })],
    ["an unknown critical chunk", png({ more: [chunk("ABCD", Buffer.alloc(1))] })],
    ["a missing palette", png({ type: 3 })],
    ["a bit depth invalid for its color type", png({ type: 2, depth: 4 })],
    ["no height", png({ height: 0 })],
    [
      "a chunk length beyond its end",
      Buffer.concat([signature, Buffer.from("ffffffff49444154", "hex"), Buffer.alloc(20)])
    ]
  ])("is rejected as broken with %s", (_, file) => {
    expect(readPng(file)).toBe("logo_broken")
  })

  it("can have up to 4,096 pixels per side", () => {
    expect(readPng(png({ width: 4_096, height: 4_096 }))).toEqual(png({ width: 4_096, height: 4_096 }))
    expect(readPng(png({ width: 4_097 }))).toBe("logo_dimensions")
    expect(readPng(png({ height: 0x7fffffff, more: [chunk("IDAT", deflateSync(Buffer.alloc(9)))] }))).toBe(
      "logo_dimensions"
    )
  })
})

const readLogos = logoReader({ clean: (_, content, text) => Effect.sync(() => clean(content, text)) })

const read = (logo: string) => Effect.runPromise(readLogos(ACCOUNT, { logo }))

/** The stored content of an SVG logo, or the reason for its rejection. */
const readSvg = async (file: string | Buffer) => {
  const {
    logos: { logo },
    problems
  } = await read(dataUrl("svg+xml", file))
  return logo === undefined ? problems[0]?.code : Buffer.from(logo.bytes).toString()
}

const PATH = '<path d="M0 0h9v9z"></path>'
const svg = (inside: string, attributes = "") => `<svg${attributes} xmlns="http://www.w3.org/2000/svg">${inside}</svg>`

describe("an SVG logo", () => {
  it("keeps the drawing and loses editor metadata", async () => {
    const kept = `<defs><style>.a > .b{fill:#f00}</style><linearGradient id="g"><stop offset="0" stop-color="red"></stop></linearGradient></defs>${PATH}<rect fill="url(#g)" style="stroke:url(#g)"></rect><use href="#g"></use><text x="1">A &amp; B</text>`
    const file = `\uFEFF<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/a.css"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- made by --><svg viewBox="0 0 9 9" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:export-filename="C:\\logo.png" data-x="1">${kept.replace("href=", "xlink:href=")}<metadata><rdf:RDF>me</rdf:RDF></metadata><sodipodi:namedview id="v"/></svg>`
    const drawing = await readSvg(file)
    expect(drawing).toBe(svg(kept, ' viewBox="0 0 9 9"'))
    expect(await readSvg(drawing ?? "")).toBe(drawing)
  })

  it.each([
    ["a script", svg(`${PATH}<script>alert(1)</script>`)],
    ["a script in upper case", svg(`${PATH}<SCRIPT>alert(1)</SCRIPT>`)],
    [
      "a script with a namespace prefix",
      svg(`${PATH}<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>`)
    ],
    ["an external script", svg(`${PATH}<script href="https://evil.example/a.js"/>`)],
    ["an event handler", svg(PATH, ' onload="alert(1)"')],
    ["an event handler on an unknown element", svg(`${PATH}<zzz ONCLICK="alert(1)"/>`)],
    ["embedded HTML", svg(`${PATH}<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">x</body></foreignObject>`)],
    ["an iframe", svg(`${PATH}<iframe src="https://evil.example"/>`)],
    ["an external image", svg(`${PATH}<image href="https://evil.example/pixel.png"/>`)],
    ["an external drawing", svg(`${PATH}<use xlink:href="https://evil.example/a.svg#x"/>`)],
    ["a drawing in a data URL", svg(`${PATH}<use href="data:image/svg+xml;base64,PHN2Zz4="/>`)],
    ["an external fill", svg('<path d="M0" fill="url(https://evil.example/a.svg#x)"/>')],
    ["an external style sheet", svg(`<style>@import "https://evil.example/a.css";</style>${PATH}`)],
    ["an external font", svg(`<style>@font-face{font-family:x;src:url( 'https://evil.example/f')}</style>${PATH}`)],
    ["an escaped url() in a style", svg(`<style>a{fill:u\\72l(https://evil.example)}</style>${PATH}`)],
    ["a closing style tag in CDATA", svg(`<style><![CDATA[</style><script>alert(1)</script>]]></style>${PATH}`)],
    ["an entity", `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${svg(`${PATH}<text>&b;</text>`)}`],
    ["an external entity", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`<text>&x;</text>`)}`]
  ])("SEC-138: is rejected with %s", async (_, text) => {
    expect(await readSvg(text)).toBe("logo_unsafe")
  })

  it.each([
    ["a link that runs a script", svg(`<a href="javascript:alert(1)">${PATH}</a>`), svg(PATH)],
    [
      "an animation that sets a script URL",
      svg(`${PATH}<animate attributeName="href" to="javascript:alert(1)"/>`),
      svg(PATH)
    ],
    ["markup in a text", svg("<text>&lt;script&gt;</text>"), svg("<text>&lt;script&gt;</text>")],
    [
      "quotes in an attribute",
      svg('<path d="M0&quot; onload=&quot;x"/>'),
      svg('<path d="M0&quot; onload=&quot;x"></path>')
    ]
  ])("SEC-138: loses everything executable from %s", async (_, text, drawing) => {
    expect(await readSvg(text)).toBe(drawing)
  })

  it.each([
    ["no content", " "],
    ["an HTML page", "<!doctype html><html><body><svg><path d=''/></svg></body></html>"],
    ["two drawings", `${svg(PATH)}${svg(PATH)}`],
    ["text before the drawing", `hello ${svg(PATH)}`],
    ["HTML after the drawing", `${svg(PATH)}<html></html>`],
    ["no shapes", svg("")],
    ["a character that is invalid in XML", svg("<text>&#1;</text>")],
    ["elements nested too deeply", svg(`${"<g>".repeat(101)}${PATH}${"</g>".repeat(101)}`)]
  ])("is rejected as broken with %s", async (_, text) => {
    expect(await readSvg(text)).toBe("logo_broken")
  })

  it("is rejected in an encoding other than UTF-8", async () => {
    expect(await readSvg(Buffer.from(svg(PATH), "utf16le"))).toBe("logo_broken")
    expect(await readSvg(Buffer.from(svg("<text>é</text>"), "latin1"))).toBe("logo_broken")
  })
})

describe("a data URL of a logo", () => {
  it("may contain line breaks and surrounding whitespace", async () => {
    const lines = png().toString("base64").replaceAll(/.{20}/g, "$&\r\n")
    expect((await read(` data:image/png;base64,${lines}\n`)).logos.logo?.bytes).toEqual(png())
  })

  it("SEC-142: is rejected quickly if it is mostly whitespace followed by a single character", async () => {
    const begun = performance.now()
    for (const filling of [" ", "\n", "A", "A\n"]) {
      const logo = `data:image/png;base64,A${filling.repeat(MAX_LOGO_LENGTH / filling.length - 30)}!`
      expect((await read(logo)).problems).toMatchObject([{ field: "appearance.logo", code: "logo_form" }])
    }
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
