import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { expectAccessible } from "./Axe.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

const question = (page: Page) => page.getByRole("dialog", { name: "Discard unsaved changes?" })

const answer = (page: Page, name: "Keep editing" | "Discard changes") =>
  question(page).getByRole("button", { name }).click()

const navigateTo = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name, exact: true }).click()

const typeEmail = async (page: Page, email: string) => {
  await waitForPage(page, "Create user")
  await page.getByLabel("Email", { exact: true }).fill(email)
}

const emailOf = (page: Page) => page.getByLabel("Email", { exact: true }).inputValue()

test("C291: links, the palette, Back, Cancel and logging out ask before unsaved changes are lost", async () => {
  const { realm, at } = await consoleRealm()
  await withConsoleVisitor(async (visitor) => {
    const { page, open } = visitor
    await open(`${at}/users`)
    await waitForPage(page, "Users")
    await page.getByRole("link", { name: "Create user" }).first().click()
    await typeEmail(page, "ada@example.com")

    const leave: ReadonlyArray<() => Promise<unknown>> = [
      () => navigateTo(page, "Orgs"),
      async () => {
        await page.keyboard.press("Control+k")
        await page.getByRole("combobox", { name: "Jump to" }).fill("Webhooks")
        await page.getByRole("option", { name: "Webhooks" }).click()
      },
      () => page.goBack(),
      () => page.getByRole("button", { name: "Cancel" }).click(),
      async () => {
        await page.getByRole("button", { name: "Account" }).click()
        await page.getByRole("menuitem", { name: "Log out", exact: true }).click()
      }
    ]
    for (const go of leave) {
      await go()
      await question(page).waitFor()
      await answer(page, "Keep editing")
      await question(page).waitFor({ state: "hidden" })
      expect([await emailOf(page), new URL(page.url()).pathname]).toEqual([
        "ada@example.com",
        `/console/realms/${realm.id}/users/new`
      ])
    }
    await page.goBack()
    await question(page).waitFor()
    await expectAccessible(visitor, "Unsaved changes")
    await answer(page, "Discard changes")
    await waitForPage(page, "Users")
    await page.goForward()
    await waitForPage(page, "Create user")
    expect(await emailOf(page)).toBe("")
    await navigateTo(page, "Orgs")
    await waitForPage(page, "Orgs")
  })
})

test("SEC-272: unsaved changes survive a reload, except for passwords, until they are discarded or saved", async () => {
  const { at } = await consoleRealm()
  await withConsoleVisitor(async ({ page, open }) => {
    const dialogs: Array<string> = []
    page.on("dialog", (dialog) => void dialogs.push(dialog.type()))
    await open(`${at}/users/new`)
    await typeEmail(page, "ada@example.com")
    await page.getByLabel("First login").selectOption("password")
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery")
    await page.reload()
    await waitForPage(page, "Create user")
    const restored = page.getByRole("status").filter({ hasText: "Restored your unsaved changes." })
    await restored.waitFor()
    expect(dialogs).toEqual(["beforeunload"])
    expect(await emailOf(page)).toBe("ada@example.com")
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("")
    expect(await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")).not.toContain("correct horse")
    await restored.getByRole("button", { name: "Discard" }).click()
    expect(await emailOf(page)).toBe("")

    await typeEmail(page, "grace@example.com")
    await page.getByRole("button", { name: "Create user" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().click()
    await waitForPage(page, "grace")
    await open(`${at}/users/new`)
    await waitForPage(page, "Create user")
    expect(await emailOf(page)).toBe("")
  })
})

test("C291: a restored draft says when someone else has changed the same resource", async () => {
  const { realm, at } = await consoleRealm()
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}/settings`)
    await waitForPage(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Typed here")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { name: "Changed elsewhere" } })
    await page.reload()
    await basics.getByRole("status").filter({ hasText: "Someone else has changed this since" }).waitFor()
    expect(await basics.getByLabel("Name", { exact: true }).inputValue()).toBe("Typed here")
    await basics.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Typed here")
  })
})

test("the buttons of a form with unsaved changes stay in view, and Ctrl+S saves", async () => {
  const { realm, at } = await consoleRealm()
  const app = (await realm.post("/v2/client_apps", { client_app: { name: "Notes" } })).string("id")
  const name = async () => (await realm.get(`/v2/client_apps/${app}`)).member("name")
  for (const look of [{ width: 1280 }, { width: 390, scheme: "dark" }] as const) {
    await withConsoleVisitor(async (visitor) => {
      const { page, open } = visitor
      await open(`${at}/apps/${app}`)
      const field = page.getByLabel("Name", { exact: true })
      const bar = page.locator(".save-bar")
      const isInView = () =>
        page.evaluate(`(() => {
          const { top, bottom } = document.querySelector(".save-bar").getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        })()`)
      await field.waitFor()
      expect(await bar.count()).toBe(0)
      await field.fill(`Notes ${look.width}`)
      await bar.getByText("Unsaved changes").waitFor()
      expect(await isInView()).toBe(true)
      await expectAccessible(visitor, `Unsaved changes at ${look.width}`)
      await bar.getByRole("button", { name: "Discard" }).click()
      await bar.waitFor({ state: "detached" })

      await field.fill(`Notes ${look.width}`)
      await page.keyboard.press("Control+s")
      await page.getByRole("status").getByText("Changes saved").first().waitFor()
      expect(await bar.count()).toBe(0)
    }, look)
    expect(await name()).toBe(`Notes ${look.width}`)
  }
})
