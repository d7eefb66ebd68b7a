import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect } from "vitest"
import { evaluate, lookingBy, phone, pictured, titleOf, usual, type Visitor } from "./Browser.ts"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
const options = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] }

/** The rules whose result can change with the color scheme. */
const ofColors = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }

/** The minified build, since every examined page has to parse it. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** An expression for the problems of a page: a line per element that axe reports, and one if the page is too wide. */
const examination = (chosen: object) => `
  axe.run(document, ${JSON.stringify({ ...options, ...chosen })}).then(({ violations }) => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html + " " + node.failureSummary)),
      ...(scrollWidth === clientWidth ? [] : ["wider than its window: " + scrollWidth + " px"])
    ]
  })`

/** Asserts that a page is accessible and fits its window, and saves a screenshot. */
export const sound = async (visitor: Visitor, what: string, rules: "all" | "colors" = "all"): Promise<void> => {
  const name = `${what}, ${titleOf(visitor.look)}`
  await pictured(visitor.page, name)
  const examined = examination(rules === "all" ? {} : ofColors)
  const known = await evaluate(visitor, `"axe" in globalThis ? ${examined} : null`)
  const found = known ?? (await evaluate(visitor, `${axe};${examined}`))
  expect(found, `problems of: ${name}`).toEqual([])
}

/**
 * Asserts the same in both widths and both color schemes without reloading, starting with the current look. The
 * returned visitor has the other width.
 */
export const soundInEveryLook = async (visitor: Visitor, what: string): Promise<Visitor> => {
  const { width, scheme } = visitor.look
  const otherWidth = width === phone.width ? usual.width : phone.width
  const otherScheme = scheme === "light" ? "dark" : "light"
  await sound(visitor, what)
  await sound(await lookingBy(visitor, { width, scheme: otherScheme }), what, "colors")
  await sound(await lookingBy(visitor, { width: otherWidth, scheme: otherScheme }), what)
  const last = await lookingBy(visitor, { width: otherWidth, scheme })
  await sound(last, what, "colors")
  return last
}
