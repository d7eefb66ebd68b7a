import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { handedOver, headed, sent, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { phone, visiting } from "./Browser.ts"
import { authenticator } from "./Passkeys.ts"

const offer = "Log in faster next time"

describe("Passkeys on the hosted pages", () => {
  test("are offered after a login with a password, and then log in by autofill and by the button, without a username", () =>
    withApp((at) =>
      visiting(async (visitor) => {
        const { page, complaints } = visitor
        const { pages, realm } = at
        const device = await authenticator(visitor)
        const user = await quickUser(realm, { first_name: "Ada" })
        await page.goto(`${pages}/login?state=first`)
        await sound(visitor, "Passkeys: login")
        await sent(page, { "E-mail": user.string("email"), Password: PASSWORD }, "Log in")
        await headed(page, offer)
        await sound(visitor, "Passkeys: offer")
        await page.getByRole("button", { name: "Create a passkey" }).press("Enter")
        expect((await handedOver(page, at)).searchParams.get("state")).toBe("first")
        expect(await device.count()).toBe(1)

        // Somebody is there when the page opens: the browser offers the passkey among the usernames, and it is taken.
        await page.context().clearCookies()
        await page.goto(`${pages}/login`)
        await handedOver(page, at)

        await page.context().clearCookies()
        await device.setPresence(false)
        await page.goto(`${pages}/login?state=second`)
        const button = page.getByRole("button", { name: "Log in with a passkey" })
        await button.waitFor()
        await device.setPresence(true)
        await button.press("Enter")
        expect((await handedOver(page, at)).searchParams.get("state")).toBe("second")
        expect(complaints).toEqual([])
      }, phone)
    ))

  test("are not offered again to whoever declined one in this browser, nor where none is possible", () =>
    withApp((at) =>
      visiting(async (visitor) => {
        const { page, complaints } = visitor
        const { pages, realm } = at
        const user = await quickUser(realm)
        const logIn = async () => {
          await page.goto(`${pages}/login`)
          await sent(page, { "E-mail": user.string("email"), Password: PASSWORD }, "Log in")
        }
        const logOut = () => page.context().clearCookies({ name: "session" })
        await logIn()
        await handedOver(page, at)
        await logOut()
        await authenticator(visitor)
        await logIn()
        await headed(page, offer)
        await page.getByRole("button", { name: "Not now" }).click()
        await handedOver(page, at)
        await logOut()
        await logIn()
        await handedOver(page, at)
        expect(complaints).toEqual([])
      })
    ))

  test("say in words what went wrong: nobody confirmed, no passkey here, one removed, one here already", () =>
    withApp((at) =>
      visiting(async (visitor) => {
        const { page } = visitor
        const { pages, realm } = at
        const device = await authenticator(visitor)
        const told = (words: string) => page.getByRole("alert").filter({ hasText: words }).waitFor()
        const press = () => page.getByRole("button", { name: "Log in with a passkey" }).click()
        await page.goto(`${pages}/login`)
        await press()
        await told("No passkey was used.")
        await sound(visitor, "Passkeys: none here")

        const user = await quickUser(realm)
        await sent(page, { "E-mail": user.string("email"), Password: PASSWORD }, "Log in")
        await headed(page, offer)
        await device.setVerified(false)
        await page.getByRole("button", { name: "Create a passkey" }).click()
        await told("No passkey was created.")
        await sound(visitor, "Passkeys: not created")
        await device.setVerified(true)
        await page.getByRole("button", { name: "Create a passkey" }).click()
        await handedOver(page, at)

        await page.goto(`${pages}/passkey`)
        await page.getByRole("textbox", { name: "Name" }).fill("My laptop")
        await page.getByRole("button", { name: "Create a passkey" }).click()
        await told("This device already has a passkey for your account.")

        const { body } = await realm.get(`/v2/users/${user.id}`)
        expect(body).toBeDefined()
      })
    ))
})
