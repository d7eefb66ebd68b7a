import { expect, test } from "vitest"
import { sound, soundInEveryLook } from "./Axe.ts"
import { type Look, lookingBy, phone, usual, type Visitor } from "./Browser.ts"
import { type ConsoleVisitor, visitingConsole } from "./ConsoleVisit.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"

/** Waits until a page has loaded all its data. */
const read = async ({ page }: ConsoleVisitor) => {
  await page.locator("h1").waitFor()
  await expect.poll(() => page.locator(".loading").count()).toBe(0)
}

/** The name and path of each page of the console. */
const addresses = async () => {
  const { at, pages } = await furnishedRealm()
  const ofRealm = Object.entries(pages).map(([name, path]) => [name, at + path] as const)
  return [["Realms", "/realms"] as const, ...ofRealm]
}

test("every page of the console is accessible and fits its window, wide and narrow, light and dark", async () => {
  const pages = await addresses()
  await visitingConsole(async (visitor) => {
    await visitor.open("/realms")
    let seen: Visitor = visitor
    for (const [name, address] of pages) {
      await visitor.go(address)
      await read(visitor)
      seen = await soundInEveryLook(seen, `Console ${name}`)
    }
  })
})

/** The looks in which the pages are checked in turn. */
const looks: ReadonlyArray<Look> = [usual, phone, { ...usual, scheme: "dark" }, { ...phone, scheme: "light" }]

test("every page in Spanish is accessible and fits its window, each in one of these looks", async () => {
  const pages = await addresses()
  await visitingConsole(async (visitor) => {
    const { page, open, go } = visitor
    await open("/realms")
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("menuitem", { name: "Español" }).click()
    await page.locator("html[lang=es]").waitFor()
    // The browser remembers the language.
    await open("/realms")
    await page.locator("html[lang=es]").waitFor()
    for (const [index, [name, address]] of pages.entries()) {
      await go(address)
      const seen = await lookingBy(visitor, looks[index % looks.length] ?? usual)
      await read(visitor)
      await sound(seen, `Console ${name} in Spanish`)
    }
  })
})
