import { expect, test } from "vitest"
import { sound } from "./Axe.ts"
import { phone, titleOf, visiting } from "./Browser.ts"
import { browserService } from "./Service.ts"

test(`${titleOf(phone)}: the page at / links to the OpenAPI document`, () =>
  visiting(async (visitor) => {
    const { page, complaints } = visitor
    const { publicUrl } = await browserService()
    await page.goto(publicUrl)
    await page.getByRole("heading", { level: 1, name: "Sallyport is running" }).waitFor()
    await sound(visitor, "Home")
    expect(complaints).toEqual([])
    await page.getByRole("link", { name: "OpenAPI document" }).click()
    await page.waitForURL(`${publicUrl}/openapi.json`)
  }, phone))
