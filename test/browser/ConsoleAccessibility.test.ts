import { expect, test } from "vitest"
import { expectAccessible, expectAccessibleInEveryLook } from "./Axe.ts"
import { defaultLook, type Look, phoneLook, type Visitor, withLook } from "./Browser.ts"
import { type ConsoleVisitor, withConsoleVisitor } from "./ConsoleVisit.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"

/** Waits until a page has loaded all its data. */
const waitUntilLoaded = async ({ page }: ConsoleVisitor) => {
  await page.locator("h1").waitFor()
  await expect.poll(() => page.locator(".loading").count()).toBe(0)
}

/** The name and path of each page of the console. */
const consolePages = async () => {
  const { at, pages } = await furnishedRealm()
  const ofRealm = Object.entries(pages).map(([name, path]) => [name, at + path] as const)
  return [["Realms", "/realms"] as const, ...ofRealm]
}

test("every console page is accessible and fits its window, wide and narrow, light and dark", async () => {
  const pages = await consolePages()
  await withConsoleVisitor(async (visitor) => {
    await visitor.open("/realms")
    let seen: Visitor = visitor
    for (const [name, address] of pages) {
      await visitor.go(address)
      await waitUntilLoaded(visitor)
      seen = await expectAccessibleInEveryLook(seen, `Console ${name}`)
    }
  })
})

/** The looks in which the pages are checked in turn. */
const looks: ReadonlyArray<Look> = [
  defaultLook,
  phoneLook,
  { ...defaultLook, scheme: "dark" },
  { ...phoneLook, scheme: "light" }
]

test("every console page in Spanish is accessible and fits its window", async () => {
  const pages = await consolePages()
  await withConsoleVisitor(async (visitor) => {
    const { page, open, go } = visitor
    await open("/realms")
    await page.getByRole("button", { name: "Account", exact: true }).click()
    await page.getByRole("menuitem", { name: "Español" }).click()
    await page.locator("html[lang=es]").waitFor()
    // The browser remembers the language.
    await open("/realms")
    await page.locator("html[lang=es]").waitFor()
    for (const [index, [name, address]] of pages.entries()) {
      await go(address)
      const seen = await withLook(visitor, looks[index % looks.length] ?? defaultLook)
      await waitUntilLoaded(visitor)
      await expectAccessible(seen, `Console ${name} in Spanish`)
    }
  })
})
