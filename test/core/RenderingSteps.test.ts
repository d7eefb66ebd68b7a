import { afterEach, describe, expect, test, vi } from "vitest"
import { fillHtml, placeholder } from "#core/mail/HtmlTemplate"
import { render } from "#core/mail/Rendering"
import { harmless } from "../support/mails.ts"

afterEach(() => void vi.restoreAllMocks())

/**
 * The maximum time for a template of 200,000 characters, in milliseconds. Linear parsing takes about 50 ms, on a very
 * busy machine 1 s; quadratic parsing takes half a minute.
 */
const MAX_MILLIS = 10_000

/** The characters that our own expression for text examines while Markdown is rendered. */
const examinedIn = (action: () => void): number => {
  const { exec } = RegExp.prototype
  let examined = 0
  vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
    const found = exec.call(this, text)
    // Text after the match isn't examined, except for a short lookahead.
    if (this.source.includes("ftp:") && this.source.includes("uFDD0")) examined += (found ?? [text])[0].length + 8
    return found
  })
  action()
  vi.restoreAllMocks()
  return examined
}

/** Four times the length takes four times the steps. Quadratic growth would take sixteen. */
const MAX_GROWTH_OF_STEPS = 4.5

describe("SEC-83: parsing of templates takes linear time", () => {
  test.each([
    "<!",
    "<!x",
    "</ ",
    "<a ",
    "<p a=",
    "<p a='",
    "<!--",
    "<!--[if",
    "<!--[if>-->",
    "<title>",
    "<title></title",
    "<style></style>",
    "<style>",
    "<",
    `<${placeholder(0)}`,
    `<!${placeholder(0)}>`,
    " ",
    "a"
  ])("in HTML with %j", (part) => {
    const template = `${part.repeat(200_000 / part.length)}${placeholder(0)}`
    const started = performance.now()
    fillHtml(template, () => "x")
    expect(performance.now() - started).toBeLessThan(MAX_MILLIS)
  })

  test.each([
    "*a_",
    "- - ",
    "a\n-\n",
    "~~*a",
    "`~",
    "a  ",
    "a  \n",
    "https://a ",
    "{{url}} ",
    "{{url}}",
    "{{email}}*"
  ])("in Markdown with %j", (part) => {
    const examined = (length: number) => {
      const mail = { renderer: "markdown", subject: "", template: part.repeat(length / part.length) } as const
      let written = 0
      const steps = examinedIn(() => (written = render(mail, harmless).html?.length ?? 0))
      return steps + written
    }
    expect(examined(2_000) / examined(500)).toBeLessThan(MAX_GROWTH_OF_STEPS)
  })
})
