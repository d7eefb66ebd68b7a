import { join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { inject } from "vitest"

/** How somebody looks at a page. */
export interface Look {
  readonly width: number
  readonly scheme: "light" | "dark"
  readonly scripts: boolean
}

/** On a phone and on a desk, by day and by night, with scripts and without. */
export const looks: ReadonlyArray<Look> = [390, 1280].flatMap((width) =>
  (["light", "dark"] as const).flatMap((scheme) => [true, false].map((scripts) => ({ width, scheme, scripts })))
)

/** A look as the title of a test and the name of a picture. */
export const titleOf = ({ width, scheme, scripts }: Look): string =>
  `${width} px, ${scheme}, ${scripts ? "with" : "without"} scripts`

const usual: Look = { width: 1280, scheme: "light", scripts: true }

/** A tab of a browser that nobody has used before. */
export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  readonly look: Look
  /** What the browser had to complain of: scripts, styles and frames that a policy refused, errors, dialogs. */
  readonly complaints: ReadonlyArray<string>
  /** Every address that was asked for. */
  readonly asked: ReadonlyArray<string>
}

let connected: Promise<Browser> | undefined

const browser = () => (connected ??= chromium.connect(inject("chromium")))

/** A visit by somebody new, until `use` is done. */
export const visiting = async <A>(use: (visitor: Visitor) => Promise<A>, look: Partial<Look> = {}): Promise<A> => {
  const seen: Look = { ...usual, ...look }
  const context = await (await browser()).newContext({
    viewport: { width: seen.width, height: 844 },
    colorScheme: seen.scheme,
    javaScriptEnabled: seen.scripts,
    locale: "en-US"
  })
  const [complaints, asked]: [Array<string>, Array<string>] = [[], []]
  context.setDefaultTimeout(30_000)
  context.on("request", (request) => asked.push(request.url()))
  context.on("weberror", (error) => complaints.push(error.error().message))
  context.on("console", (message) => {
    // That a form came back with status 422 is no news.
    const isStatus = message.text().startsWith("Failed to load resource: the server responded with a status of 4")
    if (message.type() === "error" && !isStatus) complaints.push(message.text())
  })
  context.on("dialog", (dialog) => {
    complaints.push(`A dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  try {
    return await use({ page: await context.newPage(), context, look: seen, complaints, asked })
  } finally {
    await context.close()
  }
}

/** Keeps a picture of a page, if `SCREENSHOTS` names a folder for them. */
export const pictured = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.SCREENSHOTS
  if (folder === undefined || folder === "") return
  const file = `${name.toLowerCase().replaceAll(/[^a-z\d]+/g, "-")}.png`
  await page.screenshot({ path: join(folder, file), fullPage: true })
}
