import { expect, test } from "vitest"
import { withVisitor } from "./Browser.ts"
import { enterKey, waitForPage } from "./ConsoleVisit.ts"
import { newBrowserService } from "./Service.ts"

test("C274: the console and the docs work at a public URL with a path, and load only URLs below the path", async () => {
  const { publicUrl, key } = await newBrowserService("/auth")
  await withVisitor(async ({ page, complaints, requestedUrls: asked }) => {
    await page.goto(`${publicUrl}/console/realms/new`)
    await enterKey(page, key)
    await waitForPage(page, "Create realm")
    await page.getByLabel("Name", { exact: true }).fill("Harbour")
    await page.getByRole("button", { name: "Create realm" }).click()
    await page.waitForURL(/\/auth\/console\/realms\/rl_\w+/)
    await page.reload()
    await page.getByRole("link", { name: "Users", exact: true }).first().click()
    await waitForPage(page, "Users")
    await page.getByText(`${publicUrl}/v2/users`).first().waitFor()
    await page.goto(`${publicUrl}/docs`)
    await page.getByRole("navigation", { name: "API reference" }).getByRole("link", { name: "Realms" }).click()
    await page.getByText(`curl ${publicUrl}/v2/realms`).filter({ visible: true }).first().waitFor()
    const beside = asked.filter((at) => !at.startsWith(`${publicUrl}/`) && !/^(data|blob):/.test(at))
    expect([beside, complaints]).toEqual([[], []])
  })
})
