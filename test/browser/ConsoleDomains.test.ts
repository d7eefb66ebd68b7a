import { expect, test } from "vitest"
import { expectAccessible, expectAccessibleInEveryLook } from "./Axe.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

test("an org's domain is added, shows its record and what was found, is verified and removed", async () => {
  const { dns } = await browserService()
  const { realm, at } = await consoleRealm()
  const org = await realm.org({ name: "Harbor" })
  await withConsoleVisitor(async (visitor) => {
    const { page, open } = visitor
    const section = page.getByRole("region", { name: "Domains" })
    const dialog = page.getByRole("dialog")
    const check = section.getByRole("button", { name: "Check now" })
    await open(`${at}/orgs/${org.id}`)
    await waitForPage(page, "Harbor")
    await section.getByText("No domains yet.").waitFor()
    await section.getByRole("button", { name: "Add domain" }).click()
    await dialog.getByLabel("Domain").fill("co.uk")
    await dialog.getByRole("button", { name: "Add domain" }).click()
    await dialog.getByText("public suffix, under which anyone can register names").waitFor()
    await dialog.getByLabel("Domain").fill("Harbor.example.com")
    await expectAccessible(visitor, "Add domain")
    await dialog.getByRole("button", { name: "Add domain" }).click()
    await page.getByText("harbor.example.com added. Create its DNS record to verify it").waitFor()

    await section.getByText("Pending").waitFor()
    const [name = "", value = ""] = (await section.locator("dd").allInnerTexts()).slice(1)
    expect(name.trim()).toBe("_sallyport.harbor.example.com")
    for (const copied of ["Name", "Value"]) await section.getByRole("button", { name: `Copy: ${copied}` }).waitFor()
    dns.set("_sallyport.harbor.example.com", ["v=spf1 -all"])
    await check.click()
    await page.getByText("harbor.example.com is not verified").waitFor()
    await section.getByText("has no TXT record with this value. It has other values: v=spf1 -all.").waitFor()
    const seen = await expectAccessibleInEveryLook(visitor, "Pending domain")
    expect(seen.page).toBe(page)

    dns.set("_sallyport.harbor.example.com", [value.trim()])
    await check.click()
    await page.getByText("harbor.example.com is verified").waitFor()
    await section.getByText("Verified").waitFor()
    dns.set("_sallyport.harbor.example.com", [])
    await check.click()
    await section.getByText("The org loses the domain if the record is still missing").waitFor()
    await section.getByRole("button", { name: "More actions: harbor.example.com" }).click()
    await page.getByRole("menuitem", { name: "Show DNS record" }).click()
    await page.getByRole("dialog", { name: "DNS record of harbor.example.com" }).getByText(value.trim()).waitFor()
    await expectAccessible(visitor, "DNS record")
    await page.keyboard.press("Escape")
    await section.getByRole("button", { name: "More actions: harbor.example.com" }).click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await dialog.getByRole("button", { name: "Remove" }).click()
    await section.getByText("No domains yet.").waitFor()
  })
  const events = (await realm.get("/v2/events?event_type=domain.")).items.map(({ event_type }) => event_type)
  expect(events).toEqual(["domain.created", "domain.verified", "domain.check_failed", "domain.deleted"])
})

test("a key that only reads sees the domains and their records, but can't change them", async () => {
  const { realm, at } = await consoleRealm()
  const org = await realm.org({ name: "Harbor" })
  await realm.post("/v2/domains", { domain: { org_id: org.id, domain: "harbor.example.com" } })
  const { key = "" } = await realm.as("write")
  await withConsoleVisitor(
    async ({ page, open }) => {
      const section = page.getByRole("region", { name: "Domains" })
      await open(`${at}/orgs/${org.id}`)
      await section.getByText("_sallyport.harbor.example.com", { exact: true }).waitFor()
      expect(await section.getByRole("button", { name: /Add domain|Check now/ }).count()).toBe(0)
    },
    {},
    key
  )
})
