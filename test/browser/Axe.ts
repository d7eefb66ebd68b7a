import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect } from "vitest"
import { evaluate, pictured, titleOf, type Visitor } from "./Browser.ts"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
const options = { runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] }

/** The minified build: each page examined has to parse all of it. */
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Resolves to what is wrong with a page: one line for each element that axe finds, and one if the page is too wide. */
const examination = `${axe};
  axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => {
    const { scrollWidth, clientWidth } = document.documentElement
    return [
      ...violations.flatMap(({ id, nodes }) => nodes.map((node) => id + ": " + node.html + " " + node.failureSummary)),
      ...(scrollWidth === clientWidth ? [] : ["wider than its window: " + scrollWidth + " px"])
    ]
  })`

/** Demands that a page keeps nobody out and fits its window; keeps a picture of it. */
export const sound = async (visitor: Visitor, what: string): Promise<void> => {
  const name = `${what}, ${titleOf(visitor.look)}`
  await pictured(visitor.page, name)
  expect(await evaluate(visitor, examination), `wrong with: ${name}`).toEqual([])
}
