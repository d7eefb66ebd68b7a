import { join } from "node:path"
import type { BrowserContext, CDPSession, Page } from "playwright-core"
import { ownBrowser } from "./Chromium.ts"

/** How somebody looks at a page. */
export interface Look {
  readonly width: number
  readonly scheme: "light" | "dark"
  readonly scripts: boolean
}

/**
 * The look of a test that needs only one: the narrowest window, the scheme that developers see least, and scripts, so that
 * a script that a policy refuses is noticed.
 */
export const phone: Look = { width: 390, scheme: "dark", scripts: true }

/** A look as the title of a test and the name of a picture. */
export const titleOf = ({ width, scheme, scripts }: Look): string =>
  `${width} px, ${scheme}, ${scripts ? "with" : "without"} scripts`

/** The look of whoever says nothing about it. */
export const usual: Look = { width: 1280, scheme: "light", scripts: true }

/** The height of every window, in pixels. */
const HEIGHT = 844

/** A tab of a browser that nobody has used before. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** The debugger of the page: it reaches the page from outside, whatever the page's policy says. */
  readonly devtools: CDPSession
  /** The frame of the page, whatever it shows. */
  readonly frameId: string
  readonly look: Look
  /** What the browser had to complain of: scripts, styles and frames that a policy refused, errors, dialogs. */
  readonly complaints: Array<string>
  /** Every address that was asked for. */
  readonly asked: ReadonlyArray<string>
}

/** Lets a page run scripts from now on, or none. */
const setScripts = async (devtools: CDPSession, scripts: boolean): Promise<void> => {
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: !scripts })
}

/** A visit by somebody new, until `use` is done. */
export const visiting = async <A>(use: (visitor: Visitor) => Promise<A>, look: Partial<Look> = {}): Promise<A> => {
  const seen: Look = { ...usual, ...look }
  // Visits keep apart by context.
  const { browser } = await ownBrowser()
  const context = await browser.newContext({
    viewport: { width: seen.width, height: HEIGHT },
    colorScheme: seen.scheme,
    locale: "en-US"
  })
  const [complaints, asked]: [Array<string>, Array<string>] = [[], []]
  // Long enough for a page that takes seconds to draw, on a machine that does other things too.
  context.setDefaultTimeout(120_000)
  context.on("request", (request) => asked.push(request.url()))
  context.on("weberror", (error) => complaints.push(error.error().message))
  context.on("console", (message) => {
    // That a form came back with status 422 is no news.
    const isStatus = message.text().startsWith("Failed to load resource: the server responded with a status of 4")
    if (message.type() === "error" && !isStatus) complaints.push(message.text())
  })
  context.on("dialog", (dialog) => {
    // Whoever leaves a form that they have typed into means it.
    if (dialog.type() === "beforeunload") return void dialog.accept()
    complaints.push(`A dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    if (!seen.scripts) await setScripts(devtools, false)
    const { frameTree } = await devtools.send("Page.getFrameTree")
    return await use({ page, context, devtools, frameId: frameTree.frame.id, look: seen, complaints, asked })
  } finally {
    await context.close()
  }
}

/** The same visit in another look. What moves is there at once, so that nobody waits for it. */
export const lookingBy = async (visitor: Visitor, look: Omit<Look, "scripts">): Promise<Visitor> => {
  await visitor.page.emulateMedia({ colorScheme: look.scheme, reducedMotion: "reduce" })
  await visitor.page.setViewportSize({ width: look.width, height: HEIGHT })
  return { ...visitor, look: { ...visitor.look, ...look } }
}

/**
 * The world of a tab's evaluations. One without a name would be another each time, and every page that the tab loads from then
 * on would be given each of them: after two hundred, a page took twice as long.
 */
const WORLD = "tests"

/**
 * Evaluates an expression in a world of its own: not that of the page, whose policy allows no script but one. A page that
 * was loaded without scripts stays as it is while they are allowed for this expression: its own script runs at loading only.
 */
export const evaluate = async ({ devtools, frameId, look }: Visitor, expression: string): Promise<unknown> => {
  const world = { frameId, worldName: WORLD }
  const { executionContextId: contextId } = await devtools.send("Page.createIsolatedWorld", world)
  if (!look.scripts) await setScripts(devtools, true)
  const asked = { expression, contextId, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", asked)
  if (!look.scripts) await setScripts(devtools, false)
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

/** Keeps a picture of a page, if `SCREENSHOTS` names a folder for them. */
export const pictured = async (page: Page, name: string, { fullPage = true } = {}): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || folder === "") return
  const file = `${name.toLowerCase().replaceAll(/[^a-z\d]+/g, "-")}.png`
  await page.screenshot({ path: join(folder, file), fullPage })
}
