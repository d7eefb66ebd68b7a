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
    await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor()
    await page.getByRole("navigation", { name: "API reference" }).getByRole("link", { name: "Realms" }).first().click()
    await page.getByRole("heading", { level: 2, name: "Create a realm" }).waitFor()
    // Code samples omit optional headers.
    await page.getByText(`curl ${publicUrl}/v2/realms`).first().waitFor()
    expect(await page.getByText(/-H "(Accept-Language|X-Request-Id|Idempotency-Key)/).count()).toBe(0)
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
])("$width px: the API reference is accessible and can be searched", async (look) => {
  const { publicUrl } = await browserService()
  await withVisitor(async (visitor) => {
    const { page, complaints } = visitor
    await page.goto(`${publicUrl}/docs`)
    await expectAccessible(visitor, "API reference")
    await page.keyboard.press("/")
    await page.keyboard.type("create a us")
    // The overview has a link of the same name.
    const results = page.getByRole("search")
    await results.getByRole("link", { name: "Create a user POST /v2/users", exact: true }).waitFor()
    await expectAccessible(visitor, "Docs search")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 2, name: "Create a user" }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/docs/reference/v2.users#v2.users.create")
    await expectAccessible(visitor, "API reference of users")
    expect(complaints).toEqual([])
  }, look)
})

test("the docs can be searched without scripts", async () => {
  const { publicUrl } = await browserService()
  await withVisitor(
    async (visitor) => {
      const { page } = visitor
      await page.goto(`${publicUrl}/docs/guides`)
      await page.getByRole("searchbox", { name: "Search the docs" }).fill("rotate secret")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Search" }).waitFor()
      await page.getByRole("link", { name: "Rotate the secret Webhooks" }).waitFor()
      await expectAccessible(visitor, "Docs search without scripts")
    },
    { ...phoneLook, scripts: false }
  )
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
