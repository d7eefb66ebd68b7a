import { expect, test } from "vitest"
import { expectAccessible } from "./Axe.ts"
import { lookTitle, phoneLook, withVisitor } from "./Browser.ts"
import { browserService } from "./Service.ts"

test(`${lookTitle(phoneLook)}: the page at / links to the OpenAPI document`, () =>
  withVisitor(async (visitor) => {
    const { page, complaints } = visitor
    const { publicUrl } = await browserService()
    await page.goto(publicUrl)
    await page.getByRole("heading", { level: 1, name: "Sallyport is running" }).waitFor()
    await expectAccessible(visitor, "Home")
    expect(complaints).toEqual([])
    await page.getByRole("link", { name: "OpenAPI document" }).click()
    await page.waitForURL(`${publicUrl}/openapi.json`)
  }, phoneLook))
