import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { enrolled, PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { type BrowserApp, submitForm, waitForError, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible, expectAccessibleInEveryLook } from "./Axe.ts"
import { defaultLook, phoneLook, withLook, withVisitor } from "./Browser.ts"
import { waitForPage, withConsoleVisitor } from "./ConsoleVisit.ts"
import { browserService } from "./Service.ts"

const logIn = async (page: Page, { pages }: BrowserApp, email: string): Promise<void> => {
  await page.goto(`${pages}/login`)
  await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
}

const logOut = async (page: Page, { pages }: BrowserApp): Promise<void> => {
  await page.goto(`${pages}/logout`)
  await page.getByRole("button", { name: "Log out" }).click()
  await waitForHeading(page, "You're logged out")
}

test.each([
  ["on a phone", phoneLook],
  ["without scripts", { ...defaultLook, scripts: false }]
])("C310: a user trusts a device %s, skips the second factor there, and ends the trust", (_, look) =>
  withApp(
    (at) =>
      withVisitor(async (visitor) => {
        const { page, context, complaints } = visitor
        const { now, advance } = await browserService()
        const user = await quickUser(at.realm)
        const email = user.string("email")
        const { code } = await enrolled(at.realm, user.id, now())
        const codeNow = () => code(0, now())
        const box = page.getByRole("checkbox", { name: "Trust this device for 30 days" })

        await logIn(page, at, email)
        await waitForHeading(page, "Enter your code")
        expect(await box.isChecked()).toBe(false)
        await box.press("Space")
        await expectAccessible(visitor, "Trusted devices: code")
        await submitForm(page, { Code: "000000" }, "Log in")
        await waitForError(page, "That code is incorrect or no longer valid.")
        expect(await box.isChecked()).toBe(true)
        await submitForm(page, { Code: codeNow() }, "Log in")
        await waitForHandover(page, at)
        const cookies = (await context.cookies(at.pages)).filter(({ name }) => name === "trusted_device")
        expect(cookies).toMatchObject([{ httpOnly: true, sameSite: "Lax", path: "/" }])

        await logOut(page, at)
        await logIn(page, at, email)
        await waitForHandover(page, at)

        await page.goto(`${at.pages}/security`)
        const section = page.getByRole("region", { name: "Trusted devices" })
        await section.getByText("Chrome").first().waitFor()
        await expectAccessible(visitor, "Trusted devices: security")
        await section.getByRole("button", { name: /^Stop trusting / }).click()
        await page.getByRole("status").filter({ hasText: "That device is no longer trusted." }).waitFor()
        expect(await section.count()).toBe(0)

        await logOut(page, at)
        await advance("30 seconds")
        await logIn(page, at, email)
        await waitForHeading(page, "Enter your code")
        expect(await box.isChecked()).toBe(false)
        await submitForm(page, { Code: codeNow() }, "Log in")
        await waitForHandover(page, at)
        expect(complaints).toEqual([])
      }, look),
    { realm: { trusted_devices_days: 30 } }
  ))

test("C310: an operator sees which devices a user trusts, and ends the trust", () =>
  withApp(
    (at) =>
      withVisitor(async ({ page: login }) => {
        const { now } = await browserService()
        const user = await quickUser(at.realm, { first_name: "Ada", last_name: "Lovelace" })
        const { code } = await enrolled(at.realm, user.id, now())
        await logIn(login, at, user.string("email"))
        await login.getByRole("checkbox", { name: "Trust this device for 30 days" }).check()
        await submitForm(login, { Code: code(0, now()) }, "Log in")
        await waitForHandover(login, at)
        await withConsoleVisitor(async (visitor) => {
          const { page, open } = visitor
          await open(`/realms/${at.realm.id}/users/${user.id}`)
          await waitForPage(page, "Ada Lovelace")
          const devices = page.getByRole("list", { name: "Trusted devices" })
          await devices.getByText(/^until /).waitFor()
          await withLook(await expectAccessibleInEveryLook(visitor, "Console trusted devices"), defaultLook)
          await page.getByRole("button", { name: "End trust" }).press("Enter")
          await page.getByRole("status").getByText("The next login asks Ada Lovelace for the second factor").waitFor()
          await devices.waitFor({ state: "detached" })
          await page.getByText("Device no longer trusted", { exact: true }).first().waitFor()
        })
        await logOut(login, at)
        await logIn(login, at, user.string("email"))
        await waitForHeading(login, "Enter your code")
      }),
    { realm: { trusted_devices_days: 30 } }
  ))
