import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { expectAccessible } from "./Axe.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

const choose = async (page: Page, text: string) => {
  await page.keyboard.press("Control+k")
  await page.getByRole("combobox", { name: "Jump to" }).fill(text)
  await page.getByRole("option", { name: text, exact: true }).click()
}

test("the palette starts actions on the realm and on the resource of the page", async () => {
  const { realm, at } = await consoleRealm()
  const user = await realm.user({ email: "ada@example.test" })
  await realm.session(user.id)
  await withConsoleVisitor(async (visitor) => {
    const { page, open } = visitor
    await open(`${at}/users/${user.id}`)
    await waitForPage(page, "ada")
    await choose(page, "Deactivate")
    await page.getByRole("status").filter({ hasText: "can no longer log in" }).first().waitFor()
    expect((await realm.get(`/v2/users/${user.id}`)).member("state")).toBe("inactive")
    await choose(page, "Rotate JWT key")
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).waitFor()
    await page.keyboard.press("Escape")
    await choose(page, "Create API key")
    await page.getByRole("dialog").getByLabel("Name").waitFor()
    expect(page.url()).not.toContain("create")
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.getByRole("option", { name: "Invite someone" }).waitFor()
    await expectAccessible(visitor, "Palette with actions")
  })
})

test("the palette hides actions that the key's level doesn't allow", async () => {
  const { realm, at } = await consoleRealm()
  const user = await realm.user()
  const api_key = { name: "reader", level: "read", realm_id: realm.id }
  const key = (await realm.post("/v2/api_keys", { api_key })).string("key")
  await withConsoleVisitor(
    async ({ page, open }) => {
      await open(`${at}/users/${user.id}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      await page.keyboard.press("Control+k")
      await page.getByRole("option", { name: "Users" }).waitFor()
      expect(await page.getByRole("option", { name: /Create|Deactivate|Invite|Rotate/ }).count()).toBe(0)
    },
    {},
    key
  )
})

test("Back and the breadcrumb return to a list's filters, pages and scroll position", async () => {
  const { realm, at } = await consoleRealm()
  for (let batch = 0; batch < 12; batch++) {
    await Promise.all(
      Array.from({ length: 5 }, (_, index) => realm.user({ email: `u${100 + batch * 5 + index}@example.test` }))
    )
  }
  await withConsoleVisitor(async ({ page, open }) => {
    const link = page.getByRole("link", { name: "u158" })
    const top = () => page.evaluate("window.scrollY")
    await open(`${at}/users?state=active`)
    await waitForPage(page, "Users")
    await page.getByRole("button", { name: "Load more" }).click()
    await link.scrollIntoViewIfNeeded()
    const before = await top()
    expect(before).not.toBe(0)
    for (const goBack of [
      () => page.goBack(),
      () => page.getByRole("navigation", { name: "u158" }).getByRole("link", { name: "Users" }).click()
    ]) {
      await link.click()
      await waitForPage(page, "u158")
      expect(await top()).toBe(0)
      await goBack()
      await waitForPage(page, "Users")
      await expect.poll(top).toBe(before)
      expect(new URL(page.url()).search).toBe("?state=active")
      await link.waitFor()
    }
  })
})

test("a missing resource links to its list", async () => {
  const { at } = await consoleRealm()
  await withConsoleVisitor(async ({ page, open }) => {
    for (const [path, name] of [
      ["users/usr_gone", "Users"],
      ["orgs/org_gone", "Orgs"],
      ["hooks/hk_gone", "Webhooks"]
    ] as const) {
      await open(`${at}/${path}`)
      await waitForPage(page, "Page not found")
      await page.getByRole("link", { name: `Go to ${name}` }).click()
      await waitForPage(page, name)
    }
  })
})

test("API keys that expire soon are marked, and chosen event types of a webhook come first", async () => {
  const { realm, at } = await consoleRealm()
  const expires_at = Math.floor(Date.now() / 1000) + 3 * 86_400
  await realm.post("/v2/api_keys", { api_key: { name: "soon", level: "read", expires_at, realm_id: realm.id } })
  const { id } = await realm.post("/v2/hooks", {
    hook: {
      hook_type: "webhook",
      destination: "https://a.example.test/",
      event_type: ["user.updated"],
      realm_id: realm.id
    }
  })
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}/api-keys`)
    await waitForPage(page, "API keys")
    await page.getByRole("row", { name: /soon/ }).getByText("Soon", { exact: true }).waitFor()
    await open(`${at}/hooks/${id}`)
    await page.getByLabel("user.updated").waitFor()
    expect(await page.locator(".check-list label").first().innerText()).toBe("user.updated")
  })
})
