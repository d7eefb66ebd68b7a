import { deflateSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { clean } from "#core/apps/Cleaning"
import { logoReader } from "#core/apps/LogoImages"
import { readPng } from "#core/apps/PngLogo"
import { MAX_LOGO_LENGTH } from "#domain/Appearance"
import { ACCOUNT } from "#domain/Ids"
import { chunk, dataUrl, png } from "../support/logos.ts"

describe("A PNG", () => {
  it("is taken as it is, in every type of color", () => {
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

  it("SEC-138: loses what is not part of the image: texts, other chunks, and whatever follows its end", () => {
    const page = Buffer.from("<!doctype html><script>alert(1)</script>")
    const more = [chunk("tEXt", page), chunk("iTXt", page), chunk("zzZz", page), chunk("eXIf", page)]
    expect(readPng(Buffer.concat([png({ more }), page]))).toEqual(png())
  })

  const header = png().subarray(8, 33)
  const end = chunk("IEND", Buffer.alloc(0))
  const signature = png().subarray(0, 8)
  it.each<[string, Buffer]>([
    ["nothing", Buffer.alloc(0)],
    ["a signature", signature],
    ["a page behind a signature", Buffer.concat([signature, Buffer.from("<script>alert(1)</script>")])],
    ["a JPEG", Buffer.from("ffd8ffe000104a464946", "hex")],
    ["a header alone", Buffer.concat([signature, header])],
    ["no pixels", Buffer.concat([signature, header, end])],
    ["no end", png().subarray(0, -12)],
    ["a wrong sum", Buffer.from(png()).fill(1, 30, 32)],
    ["two headers", png({ more: [header] })],
    ["a chunk that is needed and unknown", png({ more: [chunk("ABCD", Buffer.alloc(1))] })],
    ["a palette that is missing", png({ type: 3 })],
    ["a depth that its type of color does not have", png({ type: 2, depth: 4 })],
    ["no height", png({ height: 0 })],
    ["a length beyond its end", Buffer.concat([signature, Buffer.from("ffffffff49444154", "hex"), Buffer.alloc(20)])]
  ])("with %s is none", (_, file) => {
    expect(readPng(file)).toBe("logo_broken")
  })

  it("may have 4,096 pixels to a side", () => {
    expect(readPng(png({ width: 4_096, height: 4_096 }))).toEqual(png({ width: 4_096, height: 4_096 }))
    expect(readPng(png({ width: 4_097 }))).toBe("logo_dimensions")
    expect(readPng(png({ height: 0x7fffffff, more: [chunk("IDAT", deflateSync(Buffer.alloc(9)))] }))).toBe(
      "logo_dimensions"
    )
  })
})

const readLogos = logoReader({ clean: (_, content, text) => Effect.sync(() => clean(content, text)) })

const read = (logo: string) => Effect.runPromise(readLogos(ACCOUNT, { logo }))

/** The content of a drawing as it is stored, or why it is refused. */
const readSvg = async (file: string | Buffer) => {
  const { logo, problems } = await read(dataUrl("svg+xml", file))
  return logo === undefined ? problems[0]?.code : Buffer.from(logo.bytes).toString()
}

const PATH = '<path d="M0 0h9v9z"></path>'
const svg = (inside: string, attributes = "") => `<svg${attributes} xmlns="http://www.w3.org/2000/svg">${inside}</svg>`

describe("An SVG", () => {
  it("keeps what is drawn, and loses what editors leave in it", async () => {
    const kept = `<defs><style>.a > .b{fill:#f00}</style><linearGradient id="g"><stop offset="0" stop-color="red"></stop></linearGradient></defs>${PATH}<rect fill="url(#g)" style="stroke:url(#g)"></rect><use href="#g"></use><text x="1">A &amp; B</text>`
    const file = `\uFEFF<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/a.css"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd"><!-- made by --><svg viewBox="0 0 9 9" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" inkscape:export-filename="C:\\logo.png" data-x="1">${kept.replace("href=", "xlink:href=")}<metadata><rdf:RDF>me</rdf:RDF></metadata><sodipodi:namedview id="v"/></svg>`
    const drawing = await readSvg(file)
    expect(drawing).toBe(svg(kept, ' viewBox="0 0 9 9"'))
    expect(await readSvg(drawing ?? "")).toBe(drawing)
  })

  it.each([
    ["a script", svg(`${PATH}<script>alert(1)</script>`)],
    ["a script of another spelling", svg(`${PATH}<SCRIPT>alert(1)</SCRIPT>`)],
    [
      "a script of another namespace's name",
      svg(`${PATH}<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>`)
    ],
    ["a script from elsewhere", svg(`${PATH}<script href="https://evil.example/a.js"/>`)],
    ["a handler of events", svg(PATH, ' onload="alert(1)"')],
    ["a handler on an element that would be left out", svg(`${PATH}<zzz ONCLICK="alert(1)"/>`)],
    ["a page inside", svg(`${PATH}<foreignObject><body xmlns="http://www.w3.org/1999/xhtml">x</body></foreignObject>`)],
    ["a frame inside", svg(`${PATH}<iframe src="https://evil.example"/>`)],
    ["a picture from elsewhere", svg(`${PATH}<image href="https://evil.example/pixel.png"/>`)],
    ["a drawing from elsewhere", svg(`${PATH}<use xlink:href="https://evil.example/a.svg#x"/>`)],
    ["a drawing in an address", svg(`${PATH}<use href="data:image/svg+xml;base64,PHN2Zz4="/>`)],
    ["a fill from elsewhere", svg('<path d="M0" fill="url(https://evil.example/a.svg#x)"/>')],
    ["a style from elsewhere", svg(`<style>@import "https://evil.example/a.css";</style>${PATH}`)],
    [
      "a font from elsewhere",
      svg(`<style>@font-face{font-family:x;src:url( 'https://evil.example/f')}</style>${PATH}`)
    ],
    ["a style that hides what it does", svg(`<style>a{fill:u\\72l(https://evil.example)}</style>${PATH}`)],
    ["the end of a style in its text", svg(`<style><![CDATA[</style><script>alert(1)</script>]]></style>${PATH}`)],
    ["an entity", `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${svg(`${PATH}<text>&b;</text>`)}`],
    ["an entity from a file", `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg(`<text>&x;</text>`)}`]
  ])("SEC-138: with %s is refused", async (_, text) => {
    expect(await readSvg(text)).toBe("logo_unsafe")
  })

  it.each([
    ["a link that runs a script", svg(`<a href="javascript:alert(1)">${PATH}</a>`), svg(PATH)],
    ["an animation that sets one", svg(`${PATH}<animate attributeName="href" to="javascript:alert(1)"/>`), svg(PATH)],
    ["markup in a text", svg("<text>&lt;script&gt;</text>"), svg("<text>&lt;script&gt;</text>")],
    [
      "quotes in an attribute",
      svg('<path d="M0&quot; onload=&quot;x"/>'),
      svg('<path d="M0&quot; onload=&quot;x"></path>')
    ]
  ])("SEC-138: of %s nothing is left that could run", async (_, text, drawing) => {
    expect(await readSvg(text)).toBe(drawing)
  })

  it.each([
    ["nothing", " "],
    ["a page", "<!doctype html><html><body><svg><path d=''/></svg></body></html>"],
    ["two drawings", `${svg(PATH)}${svg(PATH)}`],
    ["a text before it", `hello ${svg(PATH)}`],
    ["a page behind it", `${svg(PATH)}<html></html>`],
    ["nothing drawn", svg("")],
    ["a character that XML does not have", svg("<text>&#1;</text>")],
    ["elements nested too deeply", svg(`${"<g>".repeat(101)}${PATH}${"</g>".repeat(101)}`)]
  ])("with %s is none", async (_, text) => {
    expect(await readSvg(text)).toBe("logo_broken")
  })

  it("in another encoding than UTF-8 is none", async () => {
    expect(await readSvg(Buffer.from(svg(PATH), "utf16le"))).toBe("logo_broken")
    expect(await readSvg(Buffer.from(svg("<text>é</text>"), "latin1"))).toBe("logo_broken")
  })
})

describe("A data URL", () => {
  it("may have lines, and white space around it", async () => {
    const lines = png().toString("base64").replaceAll(/.{20}/g, "$&\r\n")
    expect((await read(` data:image/png;base64,${lines}\n`)).logo?.bytes).toEqual(png())
  })

  it("SEC-142: of nothing but white space with something behind it is refused at once", async () => {
    const begun = performance.now()
    for (const filling of [" ", "\n", "A", "A\n"]) {
      const logo = `data:image/png;base64,A${filling.repeat(MAX_LOGO_LENGTH / filling.length - 30)}!`
      expect((await read(logo)).problems).toMatchObject([{ field: "appearance.logo", code: "logo_form" }])
    }
    expect(performance.now() - begun).toBeLessThan(2_000)
  })
})
