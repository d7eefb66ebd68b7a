import { expect, test } from "vitest"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 Version/17.1 Mobile/15E148 Safari/604.1"

/** A realm where Ada fails to log in, and Grace logs in. */
const withLogins = async () => {
  const { realm, at } = await consoleRealm({ name: "Harbor" })
  const [ada, grace] = [
    await realm.user({ first_name: "Ada", last_name: "Lovelace", password: PASSWORD }),
    await realm.user({ first_name: "Grace", last_name: "Hopper", password: PASSWORD })
  ]
  const from = (ip: string) => ({ request: { ip, client: SAFARI } })
  await authenticate(realm, ada.id, "wrong password", from("203.0.113.7"))
  await authenticate(realm, grace.id, PASSWORD, from("192.0.2.1"))
  return { realm, at: `${at}/events`, ada, grace, from }
}

test("the events page shows why a user found by name can't log in, and stores the filters in the URL", async () => {
  const { at, ada } = await withLogins()
  await withConsoleVisitor(async ({ page, open }) => {
    await open(at)
    await waitForPage(page, "Events")
    const rows = page.getByRole("table", { name: "Events" }).locator("tbody tr")
    await page.getByLabel("User", { exact: true }).fill("ada")
    await page.getByRole("option", { name: /Ada Lovelace/ }).click()
    await page.getByLabel("Result", { exact: true }).selectOption({ label: "Failed" })
    await expect.poll(() => rows.count()).toBe(1)
    const text = await rows.first().innerText()
    for (const part of ["Login failed", "wrong password", "Ada Lovelace", "203.0.113.7", "Safari · iPhone"])
      expect(text).toContain(part)
    const url = new URL(page.url())
    expect([...url.searchParams]).toEqual([
      ["user_id", ada.id],
      ["result", "failed"]
    ])
    await page.reload()
    await page.getByRole("button", { name: "User Ada Lovelace: Remove filter" }).click()
    await expect.poll(() => new URL(page.url()).search).toBe("?result=failed")
    await page.getByRole("button", { name: "Clear filters" }).click()
    await expect.poll(() => new URL(page.url()).search).toBe("")
    await rows.filter({ hasText: "Logged in" }).first().waitFor()
  })
})

test("the events page filters by actor, address and days, and by a group of types", async () => {
  const { at, realm, grace } = await withLogins()
  const key = await realm.post("/v2/api_keys", { api_key: { name: "Import job", level: "write", realm_id: realm.id } })
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}?live=off`)
    await waitForPage(page, "Events")
    const rows = page.getByRole("table", { name: "Events" }).locator("tbody tr")
    await page.getByLabel("Actor", { exact: true }).fill("import")
    await page.getByRole("option", { name: /Import job/ }).click()
    await page.getByText("No matching events yet.").waitFor()
    expect(new URL(page.url()).searchParams.get("actor_id")).toBe(key.id)
    await page.getByRole("button", { name: "Clear filters" }).click()
    await page.getByLabel("Type", { exact: true }).selectOption({ label: "Logins: all" })
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole("link", { name: "192.0.2.1", exact: true }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await rows.first().innerText()).toContain("Grace Hopper")
    await page.getByLabel("IP address").fill("")
    await page.getByLabel("From", { exact: true }).fill("2020-02-29")
    await page.getByLabel("To", { exact: true }).fill("2020-03-01")
    await page.getByText("No matching events yet.").waitFor()
    await expect
      .poll(() => [...new URL(page.url()).searchParams])
      .toEqual([
        ["from", "2020-02-29"],
        ["to", "2020-03-01"]
      ])
    await open(`${at}?user_id=${encodeURIComponent("'; --")}&from=never&result=odd`)
    await page.getByText("No matching events yet.").waitFor()
    await open(`${at}?user_id=${grace.id}`)
    await rows.filter({ hasText: "Logged in" }).getByRole("link").first().click()
    await waitForPage(page, "Logged in with a password")
    await page.getByText("user.login.succeeded", { exact: true }).first().waitFor()
  })
})

test("new events appear on the events page while it is live", async () => {
  const { at, realm, ada, from } = await withLogins()
  await withConsoleVisitor(async ({ page, open }) => {
    await open(`${at}?user_id=${ada.id}&event_type=user.login.`)
    await waitForPage(page, "Events")
    const rows = page.getByRole("table", { name: "Events" }).locator("tbody tr")
    await expect.poll(() => rows.count()).toBe(1)
    await authenticate(realm, ada.id, PASSWORD, from("203.0.113.7"))
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(2)
    expect(await rows.first().innerText()).toContain("Logged in")
    await page.getByRole("switch", { name: "Live" }).uncheck()
    expect(new URL(page.url()).searchParams.get("live")).toBe("off")
  })
})

test("the filtered events can be exported as CSV and NDJSON, and an export can be stopped", async () => {
  const { at, realm, ada } = await withLogins()
  await realm.put(`/v2/users/${ada.id}`, { user: { first_name: '=cmd|"x"' } })
  await withConsoleVisitor(async ({ page, open }) => {
    const exported = async (format: RegExp) => {
      await page.getByRole("button", { name: "Export", exact: true }).click()
      await page.getByLabel(format).check()
      const downloading = page.waitForEvent("download")
      await page.getByRole("button", { name: "Download" }).click()
      const file = await downloading
      const chunks: Array<Buffer> = []
      for await (const chunk of await file.createReadStream()) chunks.push(chunk)
      return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") }
    }
    await open(`${at}?user_id=${ada.id}&result=failed&live=off`)
    await waitForPage(page, "Events")
    const csv = await exported(/CSV/)
    expect(csv.name).toBe(`events-${realm.id}.csv`)
    const [header, row, ...others] = csv.text.trimEnd().split("\r\n")
    expect([header?.startsWith("\uFEFFtime,event_type"), others]).toEqual([true, []])
    expect(row).toContain(`"user.login.failed","failed","wrong_password","","'=cmd|""x"" Lovelace"`)
    await page.getByRole("status").filter({ hasText: "1 event exported" }).waitFor()
    const ndjson = await exported(/NDJSON/)
    expect(JSON.parse(ndjson.text)).toMatchObject({ event_type: "user.login.failed", user_id: ada.id })

    let answer = () => {}
    await page.route(/max_results=1000/, async (route) => {
      await new Promise<void>((resolve) => (answer = resolve))
      await route.continue().catch(() => undefined)
    })
    await page.getByRole("button", { name: "Export", exact: true }).click()
    await page.getByRole("button", { name: "Download" }).click()
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByRole("status").filter({ hasText: "Export stopped. Nothing was saved." }).waitFor()
    answer()
    await page.getByRole("button", { name: "Cancel" }).click()
  })
})
