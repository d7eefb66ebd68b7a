import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Look, type Visitor, withVisitor } from "./Browser.ts"
import { type BrowserService, browserService } from "./Service.ts"

/** A user who is logged in to the console. */
export interface ConsoleVisitor extends Visitor {
  /** Loads a page of the console by its path below `/console`. The first call logs in with the key. */
  readonly open: (path: string) => Promise<void>
  /** Navigates to a page as the console's own links do, without a page load. */
  readonly go: (path: string) => Promise<void>
}

/** Types an API key into the login form, which is behind a button if there are accounts. */
export const enterKey = async (page: Page | Locator, key: string): Promise<void> => {
  const other = page.getByRole("button", { name: "Use an API key instead" })
  await page.getByLabel("API key").or(other).waitFor()
  if (await other.isVisible()) await other.click()
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Log in with a key" }).click()
}

/** Waits for the page with this title and all its data. */
export const waitForPage = async (page: Page, title: string): Promise<void> => {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
  await expect.poll(() => page.locator(".loading").count()).toBe(0)
}

/**
 * Runs `use` with a visitor who logs in with the root key on the first page. Fails if the browser reports problems.
 * `own`: a separate service.
 */
export const withConsoleVisitor = async <A>(
  use: (visitor: ConsoleVisitor) => Promise<A>,
  look: Partial<Look> = {},
  key?: string,
  own?: BrowserService
): Promise<A> => {
  const service = own ?? (await browserService())
  return withVisitor(async (visitor) => {
    const { page, complaints } = visitor
    let isLoggedIn = false
    const open = async (path: string) => {
      await page.goto(`${service.publicUrl}/console${path}`)
      if (isLoggedIn) return
      await enterKey(page, key ?? service.key)
      await page.locator(".shell").waitFor()
      isLoggedIn = true
    }
    const go = async (path: string) => {
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/console${path}`)})`)
    }
    const answer = await use({ ...visitor, open, go })
    expect(complaints).toEqual([])
    return answer
  }, look)
}

/** A new realm and its path in the console. */
export const consoleRealm = async (
  settings: Readonly<Record<string, unknown>> = {}
): Promise<{ readonly realm: GivenRealm; readonly at: string }> => {
  const { given } = await browserService()
  const realm = await given.realm(settings)
  return { realm, at: `/realms/${realm.id}` }
}
