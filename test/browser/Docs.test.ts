import { expect, test } from "vitest"
import { expectAccessible } from "./Axe.ts"
import { phoneLook, withVisitor } from "./Browser.ts"
import { browserService } from "./Service.ts"

test("SEC-99: /docs runs only its own scripts and sends no requests to other sites", async () => {
  const { publicUrl } = await browserService()
  await withVisitor(async ({ page, complaints, requestedUrls: asked }) => {
    const warnings: Array<string> = []
    page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()))
    await page.goto(`${publicUrl}/docs`)
    await page.getByRole("heading", { level: 1, name: "Sallyport" }).waitFor()
    await page.getByText("API, version 2").filter({ visible: true }).first().waitFor()
    // One query for all words, since each takes a second on a page of this size.
    const vendor = /powered by|scalar|ask ai|api client|client libraries|download|developer tools/i
    expect(await page.getByText(vendor).filter({ visible: true }).allInnerTexts()).toEqual([])
    await page.getByText("v2 realms").filter({ visible: true }).first().click()
    await page.getByText("Create a realm").filter({ visible: true }).first().waitFor()
    // Code samples omit optional headers.
    await page.getByText(`curl ${publicUrl}/v2/realms`).filter({ visible: true }).first().waitFor()
    expect(await page.getByText(/--header '(Accept-Language|X-Request-Id|Idempotency-Key)/).count()).toBe(0)
    expect(asked.filter((address) => new URL(address).origin !== publicUrl && !/^(data|blob):/.test(address))).toEqual(
      []
    )
    expect(complaints).toEqual([])
    // The API reference reports no problems in the document.
    expect(warnings).toEqual([])
    await page.getByRole("navigation", { name: "Docs" }).getByRole("link", { name: "Guides" }).click()
    await page.getByRole("heading", { level: 1, name: "Guides" }).waitFor()
  })
})

test.each([
  { width: 1280 },
  phoneLook
])("$width px: a guide is accessible and links to the next guide", async (look) => {
  const { publicUrl } = await browserService()
  await withVisitor(async (visitor) => {
    const { page, complaints } = visitor
    await page.goto(`${publicUrl}/docs/guides`)
    await expectAccessible(visitor, "Guides")
    await page.getByRole("article").getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
    await expectAccessible(visitor, "Guide")
    const next = page.getByRole("navigation", { name: "Next and previous" }).getByRole("link").last()
    const title = await next.innerText()
    await next.click()
    expect(title).not.toBe("Webhooks")
    await page.getByRole("heading", { level: 1, name: title }).waitFor()
    expect(complaints).toEqual([])
  }, look)
})
