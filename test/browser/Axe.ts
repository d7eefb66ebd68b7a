import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect } from "vitest"
import { defaultLook, evaluate, lookTitle, phoneLook, saveScreenshot, type Visitor, withLook } from "./Browser.ts"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
const options = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] }

/** The rules whose result can change with the color scheme. */
const colorRules = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }

/** The minified build, since every examined page has to parse it. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** An expression for the problems of a page: a line per element that axe reports, and one if the page is too wide. */
const problemsExpression = (chosen: object) => `
  axe.run(document, ${JSON.stringify({ ...options, ...chosen })}).then(({ violations }) => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html + " " + node.failureSummary)),
      ...(scrollWidth === clientWidth ? [] : ["wider than its window: " + scrollWidth + " px"])
    ]
  })`

/** Asserts that a page is accessible and fits its window, and saves a screenshot. */
export const expectAccessible = async (
  visitor: Visitor,
  what: string,
  rules: "all" | "colors" = "all"
): Promise<void> => {
  const name = `${what}, ${lookTitle(visitor.look)}`
  await saveScreenshot(visitor.page, name)
  const examined = problemsExpression(rules === "all" ? {} : colorRules)
  const known = await evaluate(visitor, `"axe" in globalThis ? ${examined} : null`)
  const found = known ?? (await evaluate(visitor, `${axe};${examined}`))
  expect(found, `problems of: ${name}`).toEqual([])
}

/**
 * Asserts that a page is accessible and fits its window in both widths and both color schemes, without reloading it.
 * Starts with the current look and returns a visitor with the other width.
 */
export const expectAccessibleInEveryLook = async (visitor: Visitor, what: string): Promise<Visitor> => {
  const { width, scheme } = visitor.look
  const otherWidth = width === phoneLook.width ? defaultLook.width : phoneLook.width
  const otherScheme = scheme === "light" ? "dark" : "light"
  await expectAccessible(visitor, what)
  await expectAccessible(await withLook(visitor, { width, scheme: otherScheme }), what, "colors")
  await expectAccessible(await withLook(visitor, { width: otherWidth, scheme: otherScheme }), what)
  const last = await withLook(visitor, { width: otherWidth, scheme })
  await expectAccessible(last, what, "colors")
  return last
}
