import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { type BrowserApp, submitForm, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { phoneLook, type Visitor, withVisitor } from "./Browser.ts"
import { authenticator } from "./Passkeys.ts"

const offer = "Log in faster next time"
const create = "Create a passkey"
const use = "Log in with a passkey"

/** Logs in with the password once the page knows whether this device supports passkeys. */
const logIn = async ({ page }: Visitor, { pages }: BrowserApp, email: string, platform = "1"): Promise<void> => {
  await page.goto(`${pages}/login`)
  await page.getByRole("button", { name: use }).waitFor()
  await page.locator(`input[name=passkeys][value="${platform}"]`).waitFor({ state: "attached" })
  await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
}

describe("passkeys on the hosted pages", () => {
  test("are offered after a password login, work by autofill and button, and can be removed", () =>
    withApp((at) =>
      withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const { pages, realm } = at
        const device = await authenticator(visitor)
        const user = await quickUser(realm, { first_name: "Ada" })
        await page.goto(`${pages}/login`)
        await page.getByRole("button", { name: use }).waitFor()
        await expectAccessible(visitor, "Passkeys: login")
        await logIn(visitor, at, user.string("email"))
        await waitForHeading(page, offer)
        await expectAccessible(visitor, "Passkeys: offer")
        await page.getByRole("button", { name: create }).press("Enter")
        await waitForHandover(page, at)
        expect(await device.count()).toBe(1)

        // A user is present when the page opens, so the passkey offered by autofill is used.
        await page.context().clearCookies()
        await page.goto(`${pages}/login`)
        await waitForHandover(page, at)

        await page.context().clearCookies()
        await device.setPresence(false)
        await page.goto(`${pages}/login?next=security`)
        const button = page.getByRole("button", { name: use })
        await button.waitFor()
        await device.setPresence(true)
        await button.press("Enter")
        await waitForHeading(page, "Login and security")
        await page
          .locator("summary")
          .filter({ hasText: "Not used yet" })
          .or(page.locator("summary").filter({ hasText: "Last used" }))
          .first()
          .click()
        await expectAccessible(visitor, "Passkeys: security")
        await page
          .getByRole("button", { name: /^Remove / })
          .first()
          .click()
        await page.getByRole("status").filter({ hasText: "The passkey has been removed." }).waitFor()
        expect(complaints).toEqual([])
      }, phoneLook)
    ))

  test("are offered only on capable devices, and not again after the user declines", () =>
    withApp((at) =>
      withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const { pages, realm } = at
        const email = (await quickUser(realm)).string("email")
        const logOut = () => page.context().clearCookies({ name: "session" })
        await logIn(visitor, at, email, "")
        await waitForHandover(page, at)
        await logOut()
        const device = await authenticator(visitor)
        await logIn(visitor, at, email)
        await waitForHeading(page, offer)
        await page.getByRole("button", { name: "Not now" }).click()
        await waitForHandover(page, at)
        await logOut()
        await logIn(visitor, at, email)
        await waitForHandover(page, at)
        await page.goto(`${pages}/passkey`)
        await page.getByRole("textbox", { name: "Name" }).fill("My laptop")
        await expectAccessible(visitor, "Passkeys: new")
        await page.getByRole("button", { name: create }).click()
        await page.getByText("My laptop", { exact: true }).waitFor()
        await device.remove()
        const second = await authenticator(visitor)
        await page.goto(`${pages}/passkey`)
        await page.getByRole("button", { name: create }).click()
        await page.getByText(/^\w+ \(Chrome\)$/).waitFor()
        expect(await second.count()).toBe(1)
        expect(complaints).toEqual([])
      })
    ))

  test("explain errors to the user", () =>
    withApp((at) =>
      withVisitor(async (visitor) => {
        const { page } = visitor
        const { pages, realm } = at
        const device = await authenticator(visitor)
        const waitForAlert = (words: string) => page.getByRole("alert").filter({ hasText: words }).waitFor()
        await page.goto(`${pages}/login`)
        await page.getByRole("button", { name: use }).click()
        await waitForAlert("No passkey was used.")
        await expectAccessible(visitor, "Passkeys: no passkey")

        const user = await quickUser(realm)
        await logIn(visitor, at, user.string("email"))
        await waitForHeading(page, offer)
        await device.setVerified(false)
        await page.getByRole("button", { name: create }).click()
        await waitForAlert("No passkey was created.")
        await device.setVerified(true)
        await page.getByRole("button", { name: create }).click()
        await waitForHandover(page, at)
        await page.goto(`${pages}/passkey`)
        await page.getByRole("button", { name: create }).click()
        await waitForAlert("This device already has a passkey for your account.")

        // The browser still offers the passkey that an operator has removed, and uses it immediately.
        const { items } = await realm.get("/v2/users?expand=credentials")
        const passkeys = items.flatMap(({ credentials }) => [credentials].flat()).map(Object)
        const passkey = passkeys.find(({ credential_type }) => credential_type === "passkey")
        expect((await realm.delete(`/v2/credentials/${passkey.id}`)).status).toBe(204)
        await page.context().clearCookies()
        await page.goto(`${pages}/login`)
        await waitForAlert("This passkey doesn't work here.")
        await expectAccessible(visitor, "Passkeys: removed")
        // The page then makes the browser forget it.
        await expect.poll(() => device.count()).toBe(0)
      })
    ))

  test("C306: are created without asking where the browser can, and removed from the browser with the account's passkey", () =>
    withApp((at) =>
      withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const device = await authenticator(visitor)
        const user = await quickUser(at.realm)
        // Chromium only creates passkeys conditionally with a password that its own manager has filled in.
        await page.addInitScript(`{
          const create = CredentialsContainer.prototype.create
          CredentialsContainer.prototype.create = function ({ mediation, ...options }) {
            if (mediation !== "conditional" && !navigator.userActivation.isActive) throw new Error("The user was asked.")
            return create.call(this, options)
          }
          PublicKeyCredential.getClientCapabilities = async () => ({ conditionalCreate: true })
        }`)
        await logIn(visitor, at, user.string("email"))
        await waitForHandover(page, at)
        expect(await device.count()).toBe(1)
        await page.goto(`${at.pages}/security`)
        await page.locator("summary").filter({ hasText: "Not used yet" }).click()
        await page.getByRole("button", { name: /^Remove / }).click()
        await page.getByRole("status").waitFor()
        await expect.poll(() => device.count()).toBe(0)
        expect(complaints).toEqual([])
      })
    ))
})
