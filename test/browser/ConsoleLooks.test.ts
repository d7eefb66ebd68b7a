import { describe, expect, test } from "vitest"
import { sound } from "./Axe.ts"
import { type Look, titleOf } from "./Browser.ts"
import { type ConsoleVisitor, visitingConsole } from "./ConsoleVisit.ts"
import { furnishedRealm } from "./FurnishedRealm.ts"

const looks: ReadonlyArray<Look> = [
  { width: 1280, scheme: "light", scripts: true },
  { width: 1280, scheme: "dark", scripts: true },
  { width: 390, scheme: "light", scripts: true },
  { width: 390, scheme: "dark", scripts: true }
]

/** Waits until everything on a page has been read. */
const read = async ({ page }: ConsoleVisitor) => {
  await page.locator("h1").waitFor()
  await expect.poll(() => page.locator(".loading").count()).toBe(0)
}

describe.each(looks.map((look, turn) => [titleOf(look), look, turn] as const))("The console, %s", (_, look, turn) => {
  test("every page fits its window and keeps nobody out, each in one of the looks in Spanish, too", async () => {
    const { at, pages } = await furnishedRealm()
    await visitingConsole(async (visitor) => {
      const { page, open } = visitor
      const examine = async (path: string, name: string) => {
        await open(path)
        await read(visitor)
        await sound(visitor, name)
      }
      await examine("/realms", "Console Realms")
      const all = Object.entries(pages)
      for (const [name, path] of all) await examine(at + path, `Console ${name}`)

      await page.getByRole("button", { name: "Account" }).click()
      await page.getByRole("menuitem", { name: "Español" }).click()
      await page.locator("html[lang=es]").waitFor()
      for (const [name, path] of all.filter((__, index) => index % looks.length === turn))
        await examine(at + path, `Console ${name} in Spanish`)
    }, look)
  })
})
