import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { withVisitor } from "./Browser.ts"
import { consoleRealm, waitForPage } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

/** The accessible name of the focused element. */
const focusedName = (page: Page): Promise<unknown> =>
  page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent"
  )

/** The focused element, if it is outside the dialog, a dismissible message and the browser's own interface. */
const focusOutsideDialog = `document.activeElement === document.body || document.activeElement.closest("[role=dialog], .toasts") !== null
  ? null : document.activeElement.outerHTML`

/** Presses Tab until the element with this name has the focus. */
const tabTo = async (page: Page, name: string | RegExp): Promise<void> => {
  for (let presses = 0; presses < 60; presses++) {
    if (String(await focusedName(page)).match(name) !== null) return
    await page.keyboard.press("Tab")
  }
  throw new Error(`Tab never reaches ${name}.`)
}

test("every part of the console can be used with only the keyboard", async () => {
  const { publicUrl, key } = await browserService()
  const { realm, at } = await consoleRealm({ name: "By keys" })
  await withVisitor(async ({ page, complaints }) => {
    await page.goto(`${publicUrl}/console${at}/settings`)
    await page.getByLabel("API key").waitFor()
    await tabTo(page, /^API key$/)
    await page.keyboard.type(key)
    await page.keyboard.press("Enter")
    await waitForPage(page, "Realm settings")

    // The first tab stop skips the navigation.
    await page.keyboard.press("Tab")
    expect(await focusedName(page)).toBe("Skip to content")
    await page.keyboard.press("Enter")
    expect(await page.evaluate("document.activeElement.id")).toBe("content")

    // Submit a form.
    await tabTo(page, /^Name$/)
    await page.keyboard.press("Control+a")
    await page.keyboard.type("Typed by keys")
    await page.keyboard.press("Enter")
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Typed by keys")

    // A dialog traps the focus while it is open and restores it afterwards.
    await tabTo(page, /^Reset realm$/)
    await page.keyboard.press("Enter")
    const dialog = page.getByRole("dialog", { name: "Reset Typed by keys?" })
    await dialog.waitFor()
    for (let presses = 0; presses < 15; presses++) {
      await page.keyboard.press("Tab")
      expect(await page.evaluate(focusOutsideDialog)).toBe(null)
    }
    await page.keyboard.press("Escape")
    await dialog.waitFor({ state: "detached" })
    expect(await focusedName(page)).toBe("Reset realm")

    // Choose an option of the command palette by name.
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Jump to" }).waitFor()
    await page.keyboard.type("API keys")
    // The option is listed before anything is typed, when another one is still active.
    await page.locator("[role=option][data-active-item]").filter({ hasText: "API keys" }).waitFor()
    await page.keyboard.press("Enter")
    await waitForPage(page, "API keys")

    // Choose a menu item with the arrow keys.
    await tabTo(page, /^Account$/)
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "Log out", exact: true }).waitFor()
    await page.keyboard.press("End")
    expect(await focusedName(page)).toBe("Log out")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Log in to the console" }).waitFor()
    expect(complaints).toEqual([])
  })
})
