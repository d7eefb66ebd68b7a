import { expect, test } from "vitest"
import { visiting } from "./Browser.ts"
import { browserService } from "./Service.ts"

test("SEC-99: /docs shows the API, runs nothing but its own reader, and asks nobody else for anything", async () => {
  const { publicUrl } = await browserService()
  await visiting(async ({ page, complaints, asked }) => {
    await page.goto(`${publicUrl}/docs`)
    await page.getByRole("heading", { level: 1, name: "Sallyport" }).waitFor()
    await page.getByText("Create a realm").first().waitFor()
    expect(asked.filter((address) => new URL(address).origin !== publicUrl && !/^(data|blob):/.test(address))).toEqual(
      []
    )
    expect(complaints).toEqual([])
  })
})
