import { expect, test } from "vitest"
import { dataUrl, SVG_LOGO } from "../support/logos.ts"
import { withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { evaluate, type Visitor, withVisitor } from "./Browser.ts"

const appearance = { name: "Harbor", logo: dataUrl("svg+xml", SVG_LOGO) }

const strengthShown = ({ page }: Visitor) => page.locator(".strength p").textContent()

const looks = [
  ["#0b1f4b", "light"],
  ["#0b1f4b", "dark"],
  ["#ffd400", "light"],
  ["#ffd400", "dark"],
  ["#ffffff", "light"],
  ["#ffffff", "dark"]
] as const

const levels = [
  ["short", "Too short"],
  ["summer2024", "Weak"],
  ["nine blue walruses", "Good"],
  ["nine blue walruses sing to stones", "Strong"]
] as const

test("C158, C159: the sign-up page is readable in any brand color and shows logo and password strength", () =>
  withApp(
    async ({ pages, realm, app }) => {
      for (const [color, scheme] of looks) {
        await realm.put(`/v2/client_apps/${app.id}`, { client_app: { appearance: { color } } })
        await withVisitor(
          async (visitor) => {
            const { page, complaints, requestedUrls: sentUrls } = visitor
            await page.goto(`${pages}/signup`)
            expect(await page.getByRole("img", { name: "Harbor" }).count()).toBe(1)
            expect(await evaluate(visitor, 'document.querySelector("img.logo").naturalWidth > 0')).toBe(true)
            expect(await strengthShown(visitor)).toBe("")
            const before = sentUrls.length
            for (const [password, level] of levels) {
              await page.getByLabel("Password", { exact: true }).fill(password)
              expect(await strengthShown(visitor)).toBe(`Password strength: ${level}`)
            }
            await expectAccessible(visitor, `Brand ${color} ${scheme}`)
            expect([sentUrls.slice(before), complaints]).toEqual([[], []])
          },
          { width: 390, scheme }
        )
      }
    },
    { app: { appearance } }
  ))

test("C159: the sign-up page shows no strength meter without scripts", () =>
  withApp(({ pages }) =>
    withVisitor(
      async ({ page }) => {
        await page.goto(`${pages}/signup`)
        await page.getByLabel("Password", { exact: true }).fill("summer2024")
        expect(await page.locator(".strength").isVisible()).toBe(false)
      },
      { scripts: false }
    )
  ))
