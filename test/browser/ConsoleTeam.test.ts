import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { MARK_PATH } from "#domain/ServiceMark"
import { en } from "#hosted/texts/en"
import { expectAccessible } from "./Axe.ts"
import { withVisitor } from "./Browser.ts"
import { enterKey, waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { authenticator } from "./Passkeys.ts"
import { type BrowserService, newBrowserService } from "./Service.ts"

const PASSWORD = "correct horse battery staple"

/** Sets the password on the page of an invitation. */
const acceptInvitation = async (page: Page): Promise<void> => {
  await page.getByRole("heading", { name: "Set up your account" }).waitFor()
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD)
  await page.getByLabel("Confirm password", { exact: true }).fill(PASSWORD)
  await page.getByRole("button", { name: "Create account" }).click()
}

/** Logs in on the pages for operators. */
const logIn = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("Email", { exact: true }).fill(email)
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
  await page.getByRole("button", { name: "Log in", exact: true }).click()
}

/** Skips the offer of a passkey, if the browser can create one. */
const reachConsole = async (page: Page): Promise<void> => {
  await page.waitForURL(/\/console\/(?:realms|auth\/passkey)/)
  if (page.url().includes("/auth/passkey")) await page.getByText("Not now").click()
  await page.waitForURL(/\/console\/realms/)
  await waitForPage(page, "Realms")
}

const openMenu = (page: Page, email: string) => page.getByRole("button", { name: `More actions: ${email}` }).click()

/** The first owner creates an account with the root key, and invites someone as support. Returns the invitation's link. */
const setUpTeam = async (service: BrowserService): Promise<string> => {
  let link = ""
  await withConsoleVisitor(
    async (visitor) => {
      const { page, open } = visitor
      await open("/realms")
      await waitForPage(page, "Realms")
      await expectAccessible(visitor, "Create your account")
      await page.getByRole("button", { name: "Create account" }).click()
      await page.getByLabel("Email", { exact: true }).fill("ada@example.com")
      await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click()
      // Someone who leaves the page continues after another login with the key.
      await page.getByRole("heading", { name: "Set up your account" }).waitFor()
      await page.goto(`${service.publicUrl}/console/realms`)
      await enterKey(page, service.key)
      await page.getByText("Finish setting up ada@example.com").waitFor()
      await page.getByRole("button", { name: "Finish setup" }).click()
      await acceptInvitation(page)
      await reachConsole(page)
      const welcome = page.getByRole("status").filter({ hasText: "You are the owner." })
      await welcome.getByText("Changes are now recorded as ada@example.com.").waitFor()
      await welcome.getByRole("link", { name: "Team" }).click()
      await waitForPage(page, "Team")
      await page.getByRole("button", { name: "Invite" }).click()
      await page.getByLabel("Email", { exact: true }).fill("grace@example.com")
      await page.getByLabel("Role", { exact: true }).selectOption("support")
      await expectAccessible(visitor, "Invite")
      await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click()
      const shown = page.getByRole("dialog", { name: "grace@example.com invited" })
      link = await shown.locator("code").innerText()
      await shown.getByRole("button", { name: "Done" }).click()
      await page.getByText("Invited", { exact: true }).waitFor()
      await expectAccessible(visitor, "Team")
    },
    {},
    undefined,
    service
  )
  return link
}

test("the first owner creates an account with the root key, and support helps a user under their own name", async () => {
  const service = await newBrowserService()
  const realm = await service.given.realm({ name: "Acme" })
  const user = await realm.user({ email: "nadia@example.com", password: PASSWORD })
  await realm.session(user.id)
  const link = await setUpTeam(service)
  await withVisitor(async ({ page, complaints }) => {
    await page.goto(link)
    await acceptInvitation(page)
    await reachConsole(page)
    await page.goto(`${service.publicUrl}/console/realms/${realm.id}/users/${user.id}`)
    await page.getByRole("region", { name: "Sessions" }).getByRole("button", { name: "End all" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "End all" }).click()
    await page.getByText("in the console by grace@example.com").first().waitFor()
    expect(await page.getByRole("button", { name: "Deactivate" }).count()).toBe(0)
    await page.goto(`${service.publicUrl}/console/realms/${realm.id}/settings`)
    await waitForPage(page, "Realm settings")
    await page.getByText("This requires the role Admin or Owner.").first().waitFor()
    await page.getByRole("button", { name: "Account" }).click()
    await page.getByText("grace@example.com").waitFor()
    expect(complaints).toEqual([])
  })
  const [event] = (await realm.get("/v2/events?event_type=session.deleted")).items
  expect(event).toMatchObject({ actor: { type: "operator", email: "grace@example.com" } })
})

test("an operator who is removed while a form is open sees a login dialog, and the form stays", async () => {
  const service = await newBrowserService()
  const realm = await service.given.realm({ name: "Acme" })
  const link = await setUpTeam(service)
  await withVisitor(async ({ page }) => {
    await page.goto(link)
    await acceptInvitation(page)
    await reachConsole(page)
    const root = service.given.root
    const [grace] = (await root.get("/v2/operators")).items.filter(({ email }) => email === "grace@example.com")
    await root.put(`/v2/operators/${grace?.["id"]}`, { operator: { role: "admin" } })
    await page.goto(`${service.publicUrl}/console/realms/${realm.id}/settings`)
    await waitForPage(page, "Realm settings")
    const basics = page.getByRole("region", { name: "Basics" })
    await basics.getByLabel("Name", { exact: true }).fill("Acme, Inc.")
    await root.delete(`/v2/operators/${grace?.["id"]}`)
    await basics.getByRole("button", { name: "Save changes" }).click()
    const dialog = page.getByRole("dialog", { name: "Your session has ended" })
    await dialog.waitFor()
    expect(await dialog.getByRole("link", { name: "Log in with your account" }).getAttribute("target")).toBe("_blank")
    expect(await basics.getByLabel("Name", { exact: true }).inputValue()).toBe("Acme, Inc.")
    expect((await realm.get(`/v2/realms/${realm.id}`)).member("name")).toBe("Acme")

    // Another operator who logs in in a new tab continues with the form.
    const [login] = await Promise.all([
      page.waitForEvent("popup"),
      dialog.getByRole("link", { name: "Log in with your account" }).click()
    ])
    await logIn(login, "ada@example.com")
    await reachConsole(login)
    await login.close()
    await page.bringToFront()
    await page.evaluate("window.dispatchEvent(new Event('focus'))")
    await page.waitForURL(/\/console\/realms$/)
  })
})

test("an owner changes a role, resends an invitation and removes someone", async () => {
  const service = await newBrowserService()
  await setUpTeam(service)
  const { id: realmId } = await service.given.realm({ name: "Notebook" })
  await service.given.root.post("/v2/operators", {
    operator: { email: "jo@example.com", role: "viewer", realm_id: realmId, send_email: false }
  })
  await withConsoleVisitor(
    async ({ page, open }) => {
      await open("/team")
      await waitForPage(page, "Team")
      const realm = page.getByRole("link", { name: "Notebook" })
      await realm.waitFor()
      expect(await realm.getAttribute("href")).toBe(`/console/realms/${realmId}`)
      await openMenu(page, "grace@example.com")
      await page.getByRole("menuitem", { name: "Resend invitation" }).click()
      await page.getByRole("status").filter({ hasText: "Invitation sent to grace@example.com" }).waitFor()
      await openMenu(page, "ada@example.com")
      await page.getByRole("menuitem", { name: "Remove" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page.getByText("This is the last owner.").waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
      await openMenu(page, "grace@example.com")
      await page.getByRole("menuitem", { name: "Change role" }).click()
      await page.getByRole("dialog").getByLabel("Role").selectOption("viewer")
      await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click()
      await page.getByRole("status").filter({ hasText: "Role of grace@example.com changed" }).waitFor()
      await openMenu(page, "grace@example.com")
      await page.getByRole("menuitem", { name: "Remove" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
      await page.getByRole("status").filter({ hasText: "grace@example.com removed" }).waitFor()
    },
    {},
    undefined,
    service
  )
})

test("an invited operator is offered a passkey, and logs in to the console with it", async () => {
  const service = await newBrowserService()
  const invited = await service.given.root.post("/v2/operators", {
    operator: { email: "ada@example.com", role: "owner", send_email: false }
  })
  await withVisitor(async (visitor) => {
    const { page, complaints } = visitor
    const device = await authenticator(visitor)
    await page.goto(invited.string("url"))
    // The same logo as in the console.
    expect(await page.locator("header.brand path").getAttribute("d")).toBe(MARK_PATH)
    await acceptInvitation(page)
    await page.waitForURL(/\/console\/auth\/passkey\?offer=1/)
    await page.getByRole("button", { name: en.passkeys.create, exact: true }).click()
    await page.waitForURL(/\/console\/realms/)
    expect(await device.count()).toBe(1)
    await page.goto(`${service.publicUrl}/console/auth/logout`)
    await page.getByRole("button", { name: en.logout.button, exact: true }).click()
    await page.getByRole("heading", { name: en.logout.done }).waitFor()
    await device.setPresence(false)
    await page.goto(`${service.publicUrl}/console/auth/login`)
    await page.getByRole("button", { name: en.passkeys.login, exact: true }).waitFor()
    await device.setPresence(true)
    await page.getByRole("button", { name: en.passkeys.login, exact: true }).click()
    await page.waitForURL(/\/console\/realms/)
    await waitForPage(page, "Realms")
    expect(complaints).toEqual([])
  })
})
