import { expect, test } from "vitest"
import { attacks } from "../core/MarkupCorpus.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

/** Names that are markup. The service stores those it accepts unchanged. */
const names = Object.values(attacks).flat()

/** Elements and handlers that a page can only have because of a name. */
const injectedElements = `[...document.querySelectorAll("#console script, #console iframe, #console object, #console embed, #console base, #console meta, #console form[action], #console img, #console [onerror], #console [onload]")].map((one) => one.outerHTML)`

test("SEC-217: the console shows names that are markup as text on every page", async () => {
  const { realm, at } = await consoleRealm()
  const people: Array<{ readonly id: string; readonly name: string }> = []
  for (const name of names) {
    const reply = await realm.post("/v2/users", {
      user: { email: `p${people.length}@example.test`, first_name: name, credentials: [] }
    })
    if (reply.status === 201) people.push({ id: reply.id, name: reply.string("first_name") })
  }
  expect(people.length).toBeGreaterThan(names.length * 0.8)
  const name = "<img src=x onerror=alert(1)>"
  const org = await realm.org({ name })
  await realm.connectedApp({ name })
  await realm.membership(people[0]?.id ?? "", org.id)
  await realm.invitation({ email: "guest@example.test", org_id: org.id })
  await realm.put(`/v2/realms/${realm.id}`, {
    realm: { name, resource_links: [{ resource: "user", title: name, url: "https://example.test/{{id}}" }] }
  })
  await withConsoleVisitor(async ({ page, open, go }) => {
    const pages = [
      "",
      "/users",
      "/orgs",
      `/orgs/${org.id}`,
      "/invitations",
      "/apps",
      "/events",
      "/settings",
      `/users/${people[0]?.id}`
    ]
    for (const path of pages) {
      await (path === "" ? open : go)(at + path)
      await page.locator("h1").waitFor()
      await expect.poll(() => page.locator(".loading").count()).toBe(0)
      expect(await page.evaluate(injectedElements), path).toEqual([])
    }
    await go(`${at}/users`)
    for (let shownSoFar = 50; shownSoFar < people.length; shownSoFar += 50)
      await page.getByRole("button", { name: "Load more" }).click()
    await page.getByText(`${people.length} shown`).waitFor()
    expect(await page.evaluate(injectedElements)).toEqual([])
    await waitForPage(page, "Users")
  })
})
