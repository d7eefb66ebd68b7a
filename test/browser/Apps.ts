import type { Page } from "playwright-core"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { browserService } from "./Service.ts"
import { type Site, withSite } from "./Site.ts"

/** An app with its hosted pages, and the site it belongs to. */
export interface BrowserApp {
  readonly realm: GivenRealm
  readonly app: Reply
  /** The origin of its hosted pages. */
  readonly pages: string
  readonly site: Site
}

type Attributes = Readonly<Record<string, unknown>>

/** Runs `use` with a realm whose app redirects to its own site after a login. */
export const withApp = async <A>(
  use: (at: BrowserApp) => Promise<A>,
  { realm: settings = {}, app: attributes = {} }: { readonly realm?: Attributes; readonly app?: Attributes } = {}
): Promise<A> => {
  const { given, publicUrl } = await browserService()
  return withSite("app.localhost", async (site) => {
    const realm = await given.realm({ username_validation_human: "email", ...settings })
    const app = await realm.connectedApp({ login_handler: `${site.origin}/callback`, ...attributes })
    const pages = `http://${app.string("domains", 0)}:${new URL(publicUrl).port}`
    return use({ realm, app, pages, site })
  })
}

/** Waits until the app's site receives a token and returns the URL. */
export const waitForHandover = async (page: Page, { site }: BrowserApp): Promise<URL> => {
  await page.waitForURL((url) => url.origin === site.origin && url.pathname === "/callback")
  return new URL(page.url())
}

/** Waits for a page with this heading. */
export const waitForHeading = (page: Page, name: string) =>
  page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

/** Fills in the fields of a form and presses its button. */
export const submitForm = async (
  page: Page,
  fields: Readonly<Record<string, string>>,
  button: string
): Promise<void> => {
  const press = page.getByRole("button", { name: button, exact: true })
  const form = page.locator("form").filter({ has: press })
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByRole("textbox", { name: label, exact: true }).or(form.getByLabel(label, { exact: true }))
    await field.fill(value)
  }
  await press.click()
}

/** Waits for a rejected form. The errors have the focus, or the wrong field, or the field that the only error describes. */
export const waitForError = async (page: Page, sentence: string): Promise<void> => {
  const summary = page.getByRole("alert").and(page.locator(":focus"))
  const field = page.locator(".field").filter({ has: page.locator("[aria-invalid=true][aria-describedby]:focus") })
  const described = page.getByRole("alert").and(page.locator(":has(~ form [aria-describedby~=errors]:focus)"))
  await summary.or(field).or(described).filter({ hasText: sentence }).waitFor()
}
