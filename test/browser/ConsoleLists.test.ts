import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { expectAccessible } from "./Axe.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

const rows = (page: Page, table: string) => page.getByRole("table", { name: table }).locator("tbody tr")

const names = async (page: Page, table: string): Promise<ReadonlyArray<string>> =>
  (await rows(page, table).locator(".row-link").allInnerTexts()).map((text) => text.split("\n")[0] ?? "")

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

test("the list of users is counted, sorted and summarized", async () => {
  const { realm, at } = await consoleRealm()
  const org = await realm.org({ name: "Harbor" })
  const ada = await realm.user({ email: "z@example.test", first_name: "Ada", email_verification: "verified" })
  await realm.user({ email: "a@example.test", first_name: "Zoe" })
  for (const { id } of [org, await realm.org()]) await realm.membership(ada.id, id)
  await withConsoleVisitor(async (visitor) => {
    const { page, open } = visitor
    await open(`${at}/users`)
    await waitForPage(page, "Users")
    expect(await names(page, "Users")).toEqual(["Zoe", "Ada"])
    expect(await page.locator(".list-end").innerText()).toContain("2 of 2 shown")
    const row = rows(page, "Users").filter({ hasText: "Ada" })
    expect(await row.innerText()).toMatch(/Harbor\s+\+1/)
    await row.getByRole("img", { name: "Email verified" }).waitFor()
    await page.getByRole("columnheader", { name: "User" }).getByRole("button").click()
    await expect.poll(() => names(page, "Users")).toEqual(["Ada", "Zoe"])
    await page.getByRole("columnheader", { name: "User" }).getByRole("button").click()
    await expect.poll(() => names(page, "Users")).toEqual(["Zoe", "Ada"])
    expect(page.url()).toContain("sort=name&direction=desc")
    await page.getByLabel("Sort by").selectOption("id")
    await expect.poll(() => names(page, "Users")).toEqual(["Zoe", "Ada"])
    await rows(page, "Users").getByRole("checkbox").first().check()
    await page.getByRole("region", { name: "Selection" }).waitFor()
    await expectAccessible(visitor, "Selected users")
  })
})

test("selected users are deactivated with an undo, and deleted with the failures explained", async () => {
  const { realm, at } = await consoleRealm()
  const [, ben] = await Promise.all(
    ["Ann", "Ben", "Cai"].map((name) => realm.user({ email: `${name}@example.test`, first_name: name }))
  )
  await withConsoleVisitor(async ({ page, open }) => {
    const states = async () => (await realm.get("/v2/users")).items.map(({ state }) => state)
    const progress = page.getByRole("region", { name: "Progress" })
    await open(`${at}/users`)
    await waitForPage(page, "Users")
    await rows(page, "Users").getByRole("checkbox").first().check()
    await rows(page, "Users")
      .getByRole("checkbox")
      .last()
      .click({ modifiers: ["Shift"] })
    await page.getByRole("status").filter({ hasText: "3 selected" }).waitFor()
    await press(page, "Deactivate")
    await progress.getByText("3 deactivated").waitFor()
    expect(await states()).toEqual(["inactive", "inactive", "inactive"])
    await progress.getByRole("button", { name: "Undo" }).click()
    await progress.getByText("Undone for 3").waitFor()
    expect(await states()).toEqual(["active", "active", "active"])

    await realm.delete(`/v2/users/${ben?.id}`)
    await page.getByLabel("Select all rows shown").check()
    await press(page, "Delete")
    const question = page.getByRole("dialog", { name: "Delete 3 users?" })
    await question.getByLabel("Type 3 to confirm").fill("3")
    await question.getByRole("button", { name: "Delete" }).click()
    await progress.getByText("2 deleted").waitFor()
    await progress.getByText("1 failed").waitFor()
    await progress.getByRole("button", { name: "Show" }).click()
    await page.getByRole("dialog").getByText("User could not be found.").waitFor()
    await page.getByRole("dialog").getByRole("link", { name: "Ben" }).waitFor()
    expect(await states()).toEqual([])
  })
})

test("selected users are added to an org, and selected orgs are deactivated", async () => {
  const { realm, at } = await consoleRealm()
  const org = await realm.org({ name: "Harbor" })
  const users = [await realm.user({ email: "a@example.test" }), await realm.user({ email: "b@example.test" })]
  await realm.membership(users[0]?.id ?? "", org.id)
  await withConsoleVisitor(async ({ page, open }) => {
    const progress = page.getByRole("region", { name: "Progress" })
    await open(`${at}/users`)
    await waitForPage(page, "Users")
    await page.getByLabel("Select all rows shown").check()
    await press(page, "Add to org…")
    await page.getByRole("combobox", { name: "Org" }).fill("Harbor")
    await page.getByRole("option").filter({ hasText: "Harbor" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).click()
    await progress.getByText("1 added to Harbor").waitFor()
    await progress.getByText("1 failed").waitFor()
    await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Orgs" }).click()
    await waitForPage(page, "Orgs")
    await rows(page, "Orgs").filter({ hasText: "2" }).waitFor()
    await page.getByLabel("Select Harbor").check()
    await press(page, "Deactivate")
    await progress.getByText("1 deactivated").waitFor()
    expect((await realm.get(`/v2/orgs/${org.id}`)).member("state")).toBe("inactive")
  })
})
