import type { Locator, Page } from "playwright-core"
import { expect } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Look, type Visitor, visiting } from "./Browser.ts"
import { browserService } from "./Service.ts"

/** Somebody who is logged in to the console. */
export interface ConsoleVisitor extends Visitor {
  /** Loads a page of the console, by its address below `/console`. The first one asks for the key. */
  readonly open: (path: string) => Promise<void>
  /** Goes on to a page as the console's own links do, which load no more than what is new. */
  readonly go: (path: string) => Promise<void>
}

/** Types an API key into the login form. */
export const enterKey = async (page: Page | Locator, key: string): Promise<void> => {
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Log in", exact: true }).click()
}

/** Waits for the page of this title, all of whose parts have been read. */
export const shown = async (page: Page, title: string): Promise<void> => {
  await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
  await expect.poll(() => page.locator(".loading").count()).toBe(0)
}

/** A visit by somebody who logs in with the root key where they first open a page. Nothing that a policy refuses may happen on it. */
export const visitingConsole = async <A>(
  use: (visitor: ConsoleVisitor) => Promise<A>,
  look: Partial<Look> = {},
  key?: string
): Promise<A> => {
  const service = await browserService()
  return visiting(async (visitor) => {
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

/** A realm to look at, and its address in the console. */
export const consoleRealm = async (
  settings: Readonly<Record<string, unknown>> = {}
): Promise<{ readonly realm: GivenRealm; readonly at: string }> => {
  const { given } = await browserService()
  const realm = await given.realm(settings)
  return { realm, at: `/realms/${realm.id}` }
}
