import { join } from "node:path"
import type { BrowserContext, CDPSession, Page } from "playwright-core"
import { ownBrowser } from "./Chromium.ts"

/** The window and browser settings of a visitor. */
export interface Look {
  readonly width: number
  readonly scheme: "light" | "dark"
  readonly scripts: boolean
}

/**
 * The variant for tests that run only once: the narrowest window, the color scheme that developers see least, and scripts
 * enabled, so that scripts blocked by the content security policy are reported.
 */
export const phoneLook: Look = { width: 390, scheme: "dark", scripts: true }

/** Formats the variant for a test title or screenshot name. */
export const lookTitle = ({ width, scheme, scripts }: Look): string =>
  `${width} px, ${scheme}, ${scripts ? "with" : "without"} scripts`

/** The default look. */
export const defaultLook: Look = { width: 1280, scheme: "light", scripts: true }

/** The height of every window, in pixels. */
const HEIGHT = 844

/** A tab in a new browser context. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  /** The page's debugger, which isn't subject to the page's policy. */
  readonly devtools: CDPSession
  /** The page's main frame, which stays the same across navigations. */
  readonly frameId: string
  readonly look: Look
  /** Problems reported by the browser: blocked scripts, styles and frames, errors, dialogs. */
  readonly complaints: Array<string>
  /** The URL of every request that was sent. */
  readonly requestedUrls: ReadonlyArray<string>
}

/** Enables or disables the scripts of a page. */
const setScripts = async (devtools: CDPSession, scripts: boolean): Promise<void> => {
  await devtools.send("Emulation.setScriptExecutionDisabled", { value: !scripts })
}

/** Runs `use` with a new visitor. */
export const withVisitor = async <A>(use: (visitor: Visitor) => Promise<A>, look: Partial<Look> = {}): Promise<A> => {
  const seen: Look = { ...defaultLook, ...look }
  // Each visitor has a browser context, so that they share no cookies.
  const { browser } = await ownBrowser()
  const context = await browser.newContext({
    viewport: { width: seen.width, height: HEIGHT },
    colorScheme: seen.scheme,
    locale: "en-US"
  })
  const [complaints, requestedUrls]: [Array<string>, Array<string>] = [[], []]
  // Long enough for a page that takes seconds to render on a busy machine.
  context.setDefaultTimeout(120_000)
  context.on("request", (request) => requestedUrls.push(request.url()))
  context.on("requestfailed", (request) => {
    // A blocked request was never sent.
    if (request.failure()?.errorText === "csp") requestedUrls.splice(requestedUrls.indexOf(request.url()), 1)
  })
  context.on("weberror", (error) => complaints.push(error.error().message))
  context.on("console", (message) => {
    // Forms that are shown again with status 422 are expected.
    const isStatus = message.text().startsWith("Failed to load resource: the server responded with a status of 4")
    // The console shows hostile emails in a frame, whose policy blocks their scripts and what they load.
    const isBlocked =
      message.location().url.endsWith("/console/preview/mail") && /Content Security Policy|^Unsafe/.test(message.text())
    if (message.type() === "error" && !isStatus && !isBlocked) complaints.push(message.text())
  })
  context.on("dialog", (dialog) => {
    // Tests leave edited forms on purpose.
    if (dialog.type() === "beforeunload") return void dialog.accept()
    complaints.push(`A dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    if (!seen.scripts) await setScripts(devtools, false)
    const { frameTree } = await devtools.send("Page.getFrameTree")
    return await use({
      page,
      context,
      devtools,
      frameId: frameTree.frame.id,
      look: seen,
      complaints,
      requestedUrls
    })
  } finally {
    await context.close()
  }
}

/** The same visitor with another look. Animations are turned off. */
export const withLook = async (visitor: Visitor, look: Omit<Look, "scripts">): Promise<Visitor> => {
  await visitor.page.emulateMedia({ colorScheme: look.scheme, reducedMotion: "reduce" })
  await visitor.page.setViewportSize({ width: look.width, height: HEIGHT })
  return { ...visitor, look: { ...visitor.look, ...look } }
}

/**
 * The name of the isolated world for evaluations. Unnamed worlds pile up: each is recreated on every page load, and
 * after two hundred a page took twice as long.
 */
const WORLD_NAME = "tests"

/**
 * Evaluates an expression in an isolated world, since the page's policy allows only its own script. On a page loaded
 * without scripts they are enabled just for the expression, which doesn't start the page's own script.
 */
export const evaluate = async ({ devtools, frameId, look }: Visitor, expression: string): Promise<unknown> => {
  const world = { frameId, worldName: WORLD_NAME }
  const { executionContextId: contextId } = await devtools.send("Page.createIsolatedWorld", world)
  if (!look.scripts) await setScripts(devtools, true)
  const requestedUrls = { expression, contextId, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails } = await devtools.send("Runtime.evaluate", requestedUrls)
  if (!look.scripts) await setScripts(devtools, false)
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}

/** Saves a screenshot of a page if `SCREENSHOTS` names a folder. */
export const saveScreenshot = async (page: Page, name: string, { fullPage = true } = {}): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || folder === "") return
  const file = `${name.toLowerCase().replaceAll(/[^a-z\d]+/g, "-")}.png`
  await page.screenshot({ path: join(folder, file), fullPage })
}
