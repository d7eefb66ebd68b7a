import { expect, test } from "vitest"
import { expectAccessible } from "./Axe.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

test("settings that differ from the default are marked, can be reset, and are found by search", async () => {
  const { realm, at } = await consoleRealm({ jwt_algo: "rs256" })
  await withConsoleVisitor(async (visitor) => {
    const { page, open } = visitor
    const marks = page.locator(".difference")
    await open(`${at}/settings`)
    await waitForPage(page, "Realm settings")
    expect(await marks.count()).toBe(0)

    await realm.put(`/v2/realms/${realm.id}`, { realm: { signup: "closed", session_minutes: 90 } })
    await page.reload()
    await waitForPage(page, "Realm settings")
    expect(await marks.count()).toBe(2)
    await page.getByText("Changed. Default: 360").waitFor()
    const part = page.getByRole("region", { name: "Login and sessions" })
    await part.getByRole("button", { name: "Reset to default" }).click()
    await part.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("session_minutes")).toBe(360)

    await page.getByLabel("Search settings").fill("retention")
    await expect.poll(() => page.locator(".setting:visible").count()).toBe(1)
    await expectAccessible(visitor, "Searched settings")
    await page.getByLabel("Search settings").fill("nothing like this")
    await page.getByText("No setting found.").waitFor()
    await page.getByRole("navigation", { name: "On this page" }).getByRole("button", { name: "Languages" }).click()
    await page.getByRole("region", { name: "Languages" }).waitFor()
    await expect
      .poll(() => page.evaluate("Math.abs(document.getElementById('languages').getBoundingClientRect().top) < 400"))
      .toBe(true)
  })
})

test("limits that differ from the default are marked and can be reset one by one", async () => {
  const { realm, at } = await consoleRealm()
  await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { writes: 7, reads: 8 } } })
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}/limits`)
    await waitForPage(page, "Rate limits")
    expect(await page.locator(".difference").count()).toBe(2)
    await page.getByRole("button", { name: "Reset to default" }).first().click()
    await page.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("limits")).toEqual({ writes: 7 })
  })
})
