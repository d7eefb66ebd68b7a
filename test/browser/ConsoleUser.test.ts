import { expect, test } from "vitest"
import { expectAccessibleInEveryLook } from "./Axe.ts"
import { defaultLook, withLook } from "./Browser.ts"
import { consoleRealm, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

const wrongPassword = { user: { password: "not the password" } }

test("an operator sees why and until when a user is blocked, unblocks the user and sends a password reset email", async () => {
  const { advance, postbox } = await browserService()
  const { realm, at } = await consoleRealm()
  const email = "ada-blocked@example.test"
  const user = await realm.user({ first_name: "Ada", last_name: "Lovelace", email, password: "correct horse battery" })
  for (let n = 0; n < 10; n += 1) await realm.post(`/v2/users/${user.id}/authenticate`, wrongPassword)
  await withConsoleVisitor(async (visitor) => {
    const { page, open } = visitor
    await open(`${at}/users/${user.id}`)
    await waitForPage(page, "Ada Lovelace")
    const note = page.getByRole("region", { name: "Ada Lovelace is blocked for now" })
    await note.getByText(/^Password login: too many wrong attempts, until /).waitFor()
    await page
      .locator("header .badge")
      .filter({ hasText: /^Blocked until / })
      .waitFor()
    const seen = await expectAccessibleInEveryLook(visitor, "Console blocked user")
    await withLook(seen, defaultLook)
    await note.getByRole("button", { name: "Unblock" }).press("Enter")
    await page.getByRole("status").getByText("Ada Lovelace is no longer blocked").waitFor()
    await note.waitFor({ state: "detached" })
    expect(await page.getByText(/Blocked until/).count()).toBe(0)
    await page.getByText("Unblocked", { exact: true }).first().waitFor()

    const send = async (name: string, message: string | RegExp) => {
      await page.getByRole("button", { name: "More actions: Ada Lovelace" }).click()
      await page.getByRole("menuitem", { name }).click()
      await page.getByRole("status").getByText(message).waitFor()
    }
    await send("Send password reset email", `Password reset email sent to ${email}`)
    await send("Send verification email", `Verification email sent to ${email}`)
    await advance("1 minute")
    expect(postbox.take(email)).toHaveLength(2)
    const hooks = await realm.get("/v2/hooks?hook_type=email&max_results=100")
    for (const { id, event_type } of hooks.items) {
      if (String(event_type).includes("user.password.resetting"))
        await realm.put(`/v2/hooks/${id}`, { hook: { state: "inactive" } })
    }
    await send("Send password reset email", /^No email can be sent/)
  })
})
