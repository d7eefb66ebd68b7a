import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { submitForm, waitForHeading } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { saveScreenshot } from "./Browser.ts"
import { waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

const waitForMessage = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor()

const navigateTo = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name, exact: true }).click()

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

/** Types into a search field for users or orgs and chooses the first result. */
const pick = async (page: Page, label: string, text: string) => {
  await page.getByRole("combobox", { name: label }).fill(text)
  await page.getByRole("option").filter({ hasText: text }).first().click()
}

/** Lets a page use the clipboard only right after a click or key press, like a browser that asks for permission. */
const allowClipboard = async (page: Page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await page.evaluate(`{
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = (text) =>
      navigator.userActivation.isActive ? write(text) : Promise.reject(new Error("The clipboard needs a user gesture."))
  }`)
}

test("an operator sets up a first realm and finds out why a user got no email", async () => {
  const { advance, given, postbox, receiver } = await browserService()
  const backend = "https://backend.example.test/events"
  const answer = (status: number) => () => ({ status, retryAfter: undefined, excerpt: "" })
  receiver.answer(backend, answer(500))
  await withConsoleVisitor(async (visitor) => {
    const { context, page, open } = visitor
    // Create a realm.
    await open("/realms")
    await page.getByRole("link", { name: "Create realm" }).first().click()
    await page.getByLabel("Name", { exact: true }).fill("Harbor")
    await press(page, "Create realm")
    await waitForPage(page, "Overview")
    await page.getByRole("heading", { name: "First steps" }).waitFor()
    const realmId = decodeURIComponent(/\/realms\/([^/?]+)/.exec(page.url())?.[1] ?? "")

    // Connect an app and change the look of its pages.
    await page.getByRole("link", { name: "Connect your app" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Notebook")
    await press(page, "Create app")
    await page.getByRole("link", { name: "Appearance" }).click()
    const preview = page.frameLocator("iframe")
    await preview.getByRole("heading", { level: 1 }).waitFor()
    for (const close of await page.locator(".toast").getByRole("button", { name: "Close" }).all()) await close.click()
    await saveScreenshot(page, "console", { fullPage: false })

    // Add a webhook whose backend fails at first.
    await navigateTo(page, "Webhooks")
    await page.getByRole("link", { name: "Create webhook" }).first().click()
    await page.getByLabel("URL").fill(backend)
    await press(page, "Create webhook")
    await waitForMessage(page, "Webhook created")

    // Create an org with a user.
    await navigateTo(page, "Orgs")
    await page.getByRole("link", { name: "Create org" }).first().click()
    await page.getByLabel("Name", { exact: true }).fill("Analytical Engines")
    await press(page, "Create org")
    await waitForMessage(page, "Analytical Engines created")
    await navigateTo(page, "Users")
    await page.getByRole("link", { name: "Create user" }).first().click()
    await page.getByLabel("Email", { exact: true }).fill("ada@example.test")
    await page.getByLabel("First name").fill("Ada")
    await page.getByLabel("Last name").fill("Lovelace")
    await page.getByLabel("First login").selectOption("Set up later")
    await pick(page, "Org", "Analytical")
    await press(page, "Create user")
    await waitForPage(page, "Ada Lovelace")
    await expectAccessible(visitor, "Console journey user")
    const adaAt = new URL(page.url()).pathname.replace("/console", "")

    // Copy the invitation as a curl command, then send it.
    await navigateTo(page, "Invitations")
    await page.getByRole("link", { name: "Invite" }).first().click()
    await page.getByLabel("Email", { exact: true }).fill("grace@example.test")
    await pick(page, "Org", "Analytical")
    await allowClipboard(page)
    await page.getByRole("button", { name: "Copy as…" }).click()
    await page.getByRole("menuitem", { name: "Copy as curl" }).click()
    await waitForMessage(page, "Copied")
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^curl .*grace@example\.test/s)
    await press(page, "Invite")
    await waitForMessage(page, /grace@example\.test/)

    // Retry the failed delivery once the backend is back, and resend a time range.
    await advance("1 minute")
    await navigateTo(page, "Webhooks")
    await page.getByRole("link", { name: backend }).click()
    await page.getByRole("row").filter({ hasText: "user.created" }).getByRole("button", { name: "Show" }).click()
    const delivery = page.getByRole("dialog", { name: "user.created" })
    await delivery.getByText("Retrying").first().waitFor()
    await delivery.getByText(/500/).first().waitFor()
    receiver.answer(backend, answer(200))
    await delivery.getByRole("button", { name: "Cancel delivery" }).click()
    await waitForMessage(page, "Delivery canceled")
    await delivery.getByRole("button", { name: "Resend" }).click()
    await waitForMessage(page, "Delivery scheduled")
    await advance("1 minute")
    await delivery.getByText("Delivered").first().waitFor()
    await delivery.getByRole("button", { name: "Close" }).click()
    await press(page, "Replay…")
    const replay = page.getByRole("dialog", { name: "Replay deliveries" })
    await replay.getByLabel("Deliveries").selectOption("All")
    await replay.getByRole("button", { name: "Count" }).click()
    await replay.getByText(/would be resent/).waitFor()
    await replay.getByRole("button", { name: "Replay", exact: true }).click()
    await waitForMessage(page, /Resending/)

    // Rotate a key.
    await navigateTo(page, "JWT keys")
    await press(page, "Rotate")
    await page.getByRole("dialog").getByRole("button", { name: "Rotate", exact: true }).click()
    await waitForMessage(page, "New key published")
    await page.getByText("Waiting to sign").waitFor()

    // End a session.
    const adaId = adaAt.split("/").at(-1) ?? ""
    expect((await given.root.post("/v2/sessions", { realm_id: realmId, session: { user_id: adaId } })).status).toBe(201)
    await open(adaAt)
    await waitForPage(page, "Ada Lovelace")
    await page.getByRole("region", { name: "Sessions" }).getByRole("button", { name: "End", exact: true }).click()
    await waitForMessage(page, /ended/i)

    // Ada asks for a password reset twice and gets no email: first the template is inactive, then her mailbox is full.
    const setMail = async (state: "active" | "inactive") => {
      await navigateTo(page, "Email templates")
      await page.getByRole("link", { name: "A user forgot their password" }).click()
      await page.getByLabel("Status").selectOption(state)
      await press(page, "Save changes")
      await waitForMessage(page, "Changes saved")
    }
    const [app] = (await given.root.get(`/v2/client_apps?realm_id=${realmId}`)).items
    const askForPassword = async () => {
      const login = await context.newPage()
      await login.goto(String(app?.["login_url"]))
      await login.getByRole("link", { name: "Forgot your password?" }).click()
      await waitForHeading(login, "Forgot your password?")
      await submitForm(login, { "Email or username": "ada@example.test" }, "Send email")
      await waitForHeading(login, "Check your email")
      await login.close()
      await advance("1 minute")
    }
    await setMail("inactive")
    await askForPassword()

    // Find the reason: search for her with the command palette, then read her activity page.
    await open(`/realms/${realmId}/limits`)
    await waitForPage(page, "Rate limits")
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Jump to" }).fill("lovel")
    await page.getByRole("option").filter({ hasText: "ada@example.test" }).click()
    await waitForPage(page, "Ada Lovelace")
    const activity = page.getByRole("region", { name: /Activity/ })
    await activity.getByText("No email was sent: the realm has no active email template for this event.").waitFor()
    await setMail("active")
    postbox.refuse("ada@example.test", { message: "552 5.2.2 The mailbox is full.", isFinal: true })
    await askForPassword()
    await open(adaAt)
    await waitForPage(page, "Ada Lovelace")
    await activity.getByText("Email to ada@example.test. Failed for good after 1 attempt.").waitFor()
    await activity.getByText("552 5.2.2 The mailbox is full.").waitFor()
    postbox.refuse("ada@example.test", undefined)
    await press(page, "Retry now")
    await waitForMessage(page, "Retrying delivery")
    await advance("1 minute")
    expect(postbox.take("ada@example.test").map(({ subject }) => subject)).toEqual(["Reset your Harbor password"])
    await expectAccessible(visitor, "Console journey answer")
  })
  const told = receiver.to(backend).filter(({ body }) => body.includes('"user.created"'))
  expect(told.length).toBeGreaterThan(2)
})
