import { expect, test } from "vitest"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

test("failing deliveries are folded in a timeline, and every page shows the same number and no HTML of the response", async () => {
  const { advance, receiver } = await browserService()
  const { realm, at } = await consoleRealm({ name: "Harbor" })
  const hook = (destination: string) =>
    realm.post("/v2/hooks", { hook: { realm_id: realm.id, destination, event_type: ["user.created"] } })
  await hook(`https://${realm.id}.good.example.test/`)
  const failing = await hook(`https://${realm.id}.bad.example.test/`)
  const excerpt = "<html><head><title>Bad Gateway</title></head><body><hr>nginx</body></html>"
  receiver.answer(failing.string("destination"), () => ({ status: 502, retryAfter: undefined, excerpt }))
  const ada = await realm.user({ first_name: "Ada" })
  await advance(0)
  // A period ends before the current millisecond.
  await advance("1 second")
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}/users/${ada.id}`)
    await waitForPage(page, "Ada")
    const folded = page.getByText("2 webhooks: 1 delivered, 1 retrying", { exact: true })
    await folded.waitFor()
    expect(await page.getByText("Last response:").isVisible()).toBe(false)
    await folded.click()
    await page.getByText("Last response:").waitFor()

    const number = page.getByText("1 delivery is being retried")
    for (const [path, title] of [
      ["", "Overview"],
      ["/hooks", "Webhooks"],
      [`/hooks/${failing.id}`, failing.string("destination")]
    ] as const) {
      await open(`${at}${path}`)
      await waitForPage(page, title)
      await number.waitFor()
      expect(await page.locator("main").innerText()).not.toMatch(/<html|nginx/)
    }
  })
})
