import { expect, test } from "vitest"
import { withVisitor } from "./Browser.ts"
import { consoleRealm, enterKey, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

test("the console opens for a valid key, rejects a wrong key and never exposes the key to scripts", async () => {
  const { publicUrl, key } = await browserService()
  await withVisitor(async ({ page, complaints }) => {
    await page.goto(`${publicUrl}/console/realms/new`)
    await page.getByRole("button", { name: "Log in with a key" }).click()
    await page.getByRole("alert").filter({ hasText: "Enter an API key." }).waitFor()
    await enterKey(page, "sk_nobody")
    await page.getByRole("alert").filter({ hasText: "API key" }).waitFor()
    await enterKey(page, key)
    await waitForPage(page, "Create realm")
    const readable = await page.evaluate(
      "document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }) + document.documentElement.outerHTML"
    )
    expect(readable).not.toContain(key)
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByRole("menuitem", { name: "Log out", exact: true }).click()
    await page.getByRole("heading", { name: "Log in to the console" }).waitFor()
    expect(complaints).toEqual([])
  })
})

test("an expired session is renewed without losing a half-filled form", async () => {
  const { key } = await browserService()
  const { realm, at } = await consoleRealm()
  await withConsoleVisitor(async ({ page, context, open }) => {
    await open(`${at}/settings`)
    await waitForPage(page, "Realm settings")
    await page.getByLabel("Name", { exact: true }).fill("Renamed meanwhile")
    await context.clearCookies()
    await page.getByRole("region", { name: "Basics" }).getByRole("button", { name: "Save changes" }).click()
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await enterKey(dialog, key)
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Renamed meanwhile")
  })
})

test("an unreachable service is reported, and the form can be submitted once the service is back", async () => {
  const { realm, at } = await consoleRealm()
  await withConsoleVisitor(async ({ page, context, open, complaints }) => {
    await open(`${at}/settings`)
    await waitForPage(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Typed while away")
    await context.setOffline(true)
    await basics.getByRole("button", { name: "Save changes" }).click()
    await basics.getByRole("alert").filter({ hasText: "Can't reach the service." }).waitFor()
    await context.setOffline(false)
    await basics.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Typed while away")
    // The browser's own message about the lost network is not a problem of the page.
    expect(complaints.filter((one) => !one.includes("net::ERR_INTERNET_DISCONNECTED"))).toEqual([])
    complaints.splice(0)
  })
})

test("a user with a read key sees everything, and the level needed for each change", async () => {
  const { realm, at } = await consoleRealm()
  const reader = await realm.as("read")
  await withConsoleVisitor(
    async ({ page, open }) => {
      await open("")
      await waitForPage(page, "Overview")
      await open(`${at}/settings`)
      await waitForPage(page, "Realm settings")
      expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true)
      expect(await page.getByRole("button", { name: "Delete realm" }).count()).toBe(0)
      await page.getByText("This requires an API key with at least level admin_realm.").first().waitFor()
      await open(`${at}/api-keys`)
      await page.getByText("Listing keys requires an API key with at least level admin_realm.").waitFor()
    },
    {},
    reader.key
  )
})

test("a settings change is rejected if somebody else has changed the same setting meanwhile", async () => {
  const { realm, at } = await consoleRealm({ name: "Before" })
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}/settings`)
    await waitForPage(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Mine")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { name: "Theirs" } })
    await basics.getByRole("button", { name: "Save changes" }).click()
    await basics.getByRole("alert").filter({ hasText: "Someone else changed this since you opened it." }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Theirs")
  })
})

test("a settings change is saved while somebody else changes a different setting", async () => {
  const { realm, at } = await consoleRealm({ name: "Before" })
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}/settings`)
    await waitForPage(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Reference", { exact: true }).fill("acme-1")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { name: "Theirs" } })
    await basics.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    const kept = await realm.get(`/v2/realms/${realm.id}`)
    expect([kept.member("name"), kept.member("reference")]).toEqual(["Theirs", "acme-1"])
  })
})

test("a slow network shows a loading state, and a form is submitted only once", async () => {
  const { realm, at } = await consoleRealm()
  await withConsoleVisitor(async ({ page, open }) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const address = `**/console/api/v2/realms/${realm.id}*`
    await page.route(address, async (route) => {
      await released
      await route.continue()
    })
    await open(`${at}/settings`)
    await page.getByRole("status").filter({ hasText: "Loading…" }).first().waitFor()
    release()
    await waitForPage(page, "Realm settings")
    await page.unroute(address)

    let sent = 0
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    await page.route(address, async (route) => {
      if (route.request().method() === "PUT") {
        sent++
        await answered
      }
      await route.continue()
    })
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Slowly renamed")
    await basics.getByLabel("Name", { exact: true }).press("Enter")
    const button = basics.getByRole("button", { name: "Save changes" })
    await expect.poll(() => button.getAttribute("aria-busy")).toBe("true")
    expect(await button.isDisabled()).toBe(true)
    await basics.getByLabel("Name", { exact: true }).press("Enter")
    answer()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect([sent, (await realm.get(`/v2/realms/${realm.id}`)).member("name")]).toEqual([1, "Slowly renamed"])
  })
})
