import axe from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { pictured, titleOf, type Visitor, visiting } from "./Browser.ts"

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

interface Found {
  readonly id: string
  readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }>
}

const isFound = (one: unknown): one is Found =>
  typeof one === "object" && one !== null && "id" in one && "nodes" in one && Array.isArray(one.nodes)

/** Evaluates in a world of its own: not that of the page, whose policy lets no script in. */
const evaluated = async (page: Page, expression: string): Promise<unknown> => {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send("Page.getFrameTree")
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id
  })
  const asked = { expression, contextId, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", asked)
  await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

/** What axe finds wrong with a page: one line for each element. */
const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const options = JSON.stringify({ runOnly: { type: "tag", values: tags }, resultTypes: ["violations"] })
  const run = `${axe.source}; axe.run(document, ${options}).then(({ violations }) => violations)`
  const found = await evaluated(page, run)
  if (!Array.isArray(found)) throw new Error("Axe has not answered.")
  return found
    .filter(isFound)
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`))
}

const examined = async (page: Page, name: string): Promise<void> => {
  expect(await violations(page), `axe finds in: ${name}`).toEqual([])
  const tooWide = await evaluated(page, "document.documentElement.scrollWidth - document.documentElement.clientWidth")
  expect(tooWide, `wider than its window: ${name}`).toBe(0)
}

/** Demands that a page keeps nobody out and fits its window; keeps a picture of it. */
export const sound = async ({ page, look }: Visitor, what: string): Promise<void> => {
  const name = `${what}, ${titleOf(look)}`
  await pictured(page, name)
  if (look.scripts) return examined(page, name)
  // Axe is a script: where none runs, it examines a copy of what is shown.
  const [url, body] = [page.url(), await page.content()]
  const copied = async ({ page: copy }: Visitor) => {
    await copy.route(url, (route) => route.fulfill({ contentType: "text/html; charset=utf-8", body }))
    await copy.goto(url)
    await examined(copy, name)
  }
  return visiting(copied, { ...look, scripts: true })
}
