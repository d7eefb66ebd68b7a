import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { newBrowserService } from "./Service.ts"

/** What the page claims about emails that have left. */
const claims = async (page: Page) =>
  (await page.locator("main").innerText()).match(/(?<!not |being |no email was )\b(sent|emailed|mail server)\b.*/gi) ??
  []

test("the console of a service with a mailbox says that emails are there, with links, and never that they were sent", async () => {
  const service = await newBrowserService("", "mailbox")
  const realm = await service.given.realm()
  const at = `/realms/${realm.id}`
  const user = await realm.user({ email: "ada@example.test", first_name: "Ada" })
  await withConsoleVisitor(
    async ({ page, open, go }) => {
      const status = page.getByRole("status")
      await open(`${at}/invitations/new`)
      await page.getByLabel("Type").selectOption("preverify")
      await page.getByLabel("Email", { exact: true }).fill("grace@example.test")
      await page.getByRole("button", { name: "Invite", exact: true }).click()
      await waitForPage(page, "Invitations")
      await status.getByText("The invitation for grace@example.test is in the test mailbox").waitFor()
      expect(await status.getByRole("link", { name: "Open mailbox" }).getAttribute("href")).toBe(
        `/console${at}/mailbox?to=grace%40example.test`
      )
      await page.getByRole("table").getByText("In the mailbox").waitFor()
      expect(await claims(page)).toEqual([])

      await go(`${at}/users/${user.id}`)
      await waitForPage(page, "Ada")
      await page.getByRole("button", { name: "More actions: Ada" }).click()
      await page.getByRole("menuitem", { name: "Send password reset email" }).click()
      await status.getByText("The password reset email for ada@example.test is in the test mailbox").waitFor()
      await service.advance("1 minute")
      const activity = page.getByRole("region", { name: "Activity" })
      await activity.getByText("For ada@example.test, in the test mailbox.").waitFor()
      expect(await claims(page)).toEqual([])

      await go(at)
      await waitForPage(page, "Overview")
      await page.getByText("Emails in the mailbox").first().waitFor()
      expect(await claims(page)).toEqual([])

      await go(`${at}/mails`)
      await waitForPage(page, "Email templates")
      await page.getByText("This service doesn’t send emails. It keeps them in its mailbox.").waitFor()
    },
    { width: 1280 },
    undefined,
    service
  )
})
