import { afterEach, describe, expect, test, vi } from "vitest"
import { fillHtml, placeholder } from "#core/mail/HtmlTemplate"
import { render } from "#core/mail/Rendering"
import { harmless } from "../support/mails.ts"
import { stepsOf } from "../support/regexSteps.ts"

afterEach(() => void vi.restoreAllMocks())

const ENOUGH = 50_000_000

/** The steps of all searches with our own expressions during an action, plus the characters that `indexOf` passes over. */
const stepsIn = (isOurs: (expression: RegExp) => boolean, action: () => void): number => {
  const { exec } = RegExp.prototype
  const { indexOf } = String.prototype
  const looks: Array<readonly [expression: RegExp, text: string]> = []
  let passed = 0
  vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
    const from = this.sticky || this.global ? this.lastIndex : 0
    const found = exec.call(this, text)
    // Text after the match wasn't examined, except for a short lookahead.
    const seen = found === null ? undefined : found.index + found[0].length + 8
    if (isOurs(this)) looks.push([this, text.slice(from, seen)])
    return found
  })
  vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, sought, from = 0) {
    const found = indexOf.call(this, sought, from)
    passed += (found < 0 ? this.length : found) - from
    return found
  })
  action()
  vi.restoreAllMocks()
  return looks.reduce((sum, [expression, text]) => sum + stepsOf(expression, text, ENOUGH), passed)
}

const grown = (steps: (length: number) => number) => steps(2_000) / steps(500)

/** Four times the length takes four times the steps; quadratic growth would take sixteen. */
const LINEAR = 4.5

describe("SEC-83: our parsing of templates takes time linear in their length", () => {
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
  ])("for %j in HTML", (part) => {
    const steps = (length: number) =>
      stepsIn(
        () => true,
        () => fillHtml(`${part.repeat(length / part.length)}${placeholder(0)}`, () => "x")
      )
    expect(grown(steps)).toBeLessThan(LINEAR)
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
  ])("for %j in Markdown", (part) => {
    // Only the current piece is examined: the text pieces together make up the template.
    const isOurs = ({ source }: RegExp) => source.includes("ftp:") && source.includes("uFDD0")
    const steps = (length: number) => {
      let looked = 0
      const all = stepsIn(isOurs, () => {
        const mail = { renderer: "markdown", subject: "", template: part.repeat(length / part.length) } as const
        looked = render(mail, harmless).html?.length ?? 0
      })
      return all + looked
    }
    expect(grown(steps)).toBeLessThan(LINEAR)
  })
})
