import type { Page } from "playwright-core"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { browserService } from "./Service.ts"
import { type Site, withSite } from "./Site.ts"

/** An app with its pages, and the site that it belongs to. */
export interface BrowserApp {
  readonly realm: GivenRealm
  readonly app: Reply
  /** Where its pages are. */
  readonly pages: string
  readonly site: Site
}

type Attributes = Readonly<Record<string, unknown>>

/** A realm with an app that hands over to a site of its own, until `use` is done. */
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

/** Waits until the site of an app got a token, and takes it. */
export const handedOver = async (page: Page, { site }: BrowserApp): Promise<URL> => {
  await page.waitForURL((url) => url.origin === site.origin && url.pathname === "/callback")
  return new URL(page.url())
}

/** The page with this heading is shown. */
export const headed = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

/** Fills in fields of a form and presses its button. */
export const sent = async (page: Page, fields: Readonly<Record<string, string>>, button: string): Promise<void> => {
  const press = page.getByRole("button", { name: button, exact: true })
  const form = page.locator("form").filter({ has: press })
  for (const [label, value] of Object.entries(fields)) {
    const field = form.getByRole("textbox", { name: label, exact: true }).or(form.getByLabel(label, { exact: true }))
    await field.fill(value)
  }
  await press.click()
}

/** A form came back: what is wrong is said first and has the focus, or below its only field, which has the focus. */
export const refused = async (page: Page, sentence: string): Promise<void> => {
  const summary = page.getByRole("alert").and(page.locator(":focus"))
  const field = page.locator(".field").filter({ has: page.locator("[aria-invalid=true][aria-describedby]:focus") })
  // No line of a page ends within “e-mail”.
  const shown = sentence.replaceAll("e-mail", "e\u2011mail")
  await summary.or(field).filter({ hasText: shown }).waitFor()
}
