import { expect, test } from "vitest"
import { visiting } from "./Browser.ts"
import { consoleRealm, enterKey, shown, visitingConsole } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

test("a wrong key is told in words, and a right one opens the console; the key is nowhere that a script reads", async () => {
  const { publicUrl, key } = await browserService()
  await visiting(async ({ page, complaints }) => {
    await page.goto(`${publicUrl}/console/realms/new`)
    await page.getByRole("button", { name: "Log in", exact: true }).click()
    await page.getByRole("alert").filter({ hasText: "Enter an API key." }).waitFor()
    await enterKey(page, "sk_nobody")
    await page.getByRole("alert").filter({ hasText: "API key" }).waitFor()
    await enterKey(page, key)
    await shown(page, "Create realm")
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

test("a session that ends in a half-filled form is renewed above it, and nothing typed is lost", async () => {
  const { key } = await browserService()
  const { realm, at } = await consoleRealm()
  await visitingConsole(async ({ page, context, open }) => {
    await open(`${at}/settings`)
    await shown(page, "Realm settings")
    await page.getByLabel("Name", { exact: true }).fill("Renamed meanwhile")
    await context.clearCookies()
    await page.getByRole("region", { name: "Basics" }).getByRole("button", { name: "Save changes" }).click()
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await enterKey(dialog, key)
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Renamed meanwhile")
  })
})

test("a service that is away is told in words, and what was typed is sent when it is back", async () => {
  const { realm, at } = await consoleRealm()
  await visitingConsole(async ({ page, context, open, complaints }) => {
    await open(`${at}/settings`)
    await shown(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Typed while away")
    await context.setOffline(true)
    await basics.getByRole("button", { name: "Save changes" }).click()
    await basics.getByRole("alert").filter({ hasText: "Can't reach the service." }).waitFor()
    await context.setOffline(false)
    await basics.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Typed while away")
    // What the browser says of a network that is away is no complaint of the page.
    expect(complaints.filter((one) => !one.includes("net::ERR_INTERNET_DISCONNECTED"))).toEqual([])
    complaints.splice(0)
  })
})

test("a key of level read sees what there is, and is told what it can't change", async () => {
  const { realm, at } = await consoleRealm()
  const reader = await realm.as("read")
  await visitingConsole(
    async ({ page, open }) => {
      await open("")
      await shown(page, "Overview")
      await open(`${at}/settings`)
      await shown(page, "Realm settings")
      expect(await page.getByLabel("Name", { exact: true }).isDisabled()).toBe(true)
      expect(await page.getByRole("button", { name: "Delete realm" }).count()).toBe(0)
      await page.getByText("Your key's level is too low for this. It needs level admin_realm.").first().waitFor()
      await open(`${at}/api-keys`)
      await page.getByText("Keys can be listed with level admin_realm.").waitFor()
    },
    {},
    reader.key
  )
})

test("two people who change one setting: the second is told, and nothing is overwritten", async () => {
  const { realm, at } = await consoleRealm({ name: "Before" })
  await visitingConsole(async ({ page, open }) => {
    await open(`${at}/settings`)
    await shown(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Mine")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { name: "Theirs" } })
    await basics.getByRole("button", { name: "Save changes" }).click()
    await basics.getByRole("alert").filter({ hasText: "Somebody else has changed this since you opened it." }).waitFor()
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Theirs")
  })
})

test("two people who change two settings: both changes are kept", async () => {
  const { realm, at } = await consoleRealm({ name: "Before" })
  await visitingConsole(async ({ page, open }) => {
    await open(`${at}/settings`)
    await shown(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Reference", { exact: true }).fill("acme-1")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { name: "Theirs" } })
    await basics.getByRole("button", { name: "Save changes" }).click()
    await page.getByRole("status").filter({ hasText: "Changes saved" }).waitFor()
    const kept = await realm.get(`/v2/realms/${realm.id}`)
    expect([kept.member("name"), kept.member("reference")]).toEqual(["Theirs", "acme-1"])
  })
})

test("over a slow network a page says that it is loading, and a form is sent once", async () => {
  const { realm, at } = await consoleRealm()
  await visitingConsole(async ({ page, open }) => {
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
    await shown(page, "Realm settings")
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
