import { describe, expect, test } from "vitest"
import { oauth2StandIn, profile } from "../support/external.ts"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { submitForm, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Look, lookTitle, withVisitor } from "./Browser.ts"

const looks: ReadonlyArray<Look> = [
  { width: 390, scheme: "dark", scripts: true },
  { width: 1280, scheme: "light", scripts: false }
]

describe.each(looks.map((look) => [lookTitle(look), look] as const))("the profile page, %s", (_, look) => {
  test("changes the language of emails and sends a new verification email", () =>
    withApp(
      ({ pages, realm }) =>
        withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          const user = await quickUser(realm, { email_verification: "requested", first_name: "Ada" })
          await page.goto(`${pages}/login?next=profile`)
          await submitForm(page, { Email: user.string("email"), Password: PASSWORD }, "Log in")
          await waitForHeading(page, "Your profile")
          await expectAccessible(visitor, "Profile not confirmed")
          await page.getByRole("combobox", { name: "Language" }).selectOption("Español")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("status").filter({ hasText: "Your details have been saved." }).waitFor()
          expect(await page.getByRole("combobox", { name: "Language" }).inputValue()).toBe("es")
          expect((await realm.get(`/v2/users/${user.id}`)).member("locale")).toBe("es")
          await page.getByRole("button", { name: "Send email" }).click()
          await page.getByRole("status").filter({ hasText: "We sent you an email." }).waitFor()
          await page.route("**/profile", (route) =>
            route.continue({ headers: { ...route.request().headers(), "accept-language": "es" } })
          )
          await page.goto(`${pages}/profile`)
          await waitForHeading(page, "Su perfil")
          await page.getByText("Para los correos que le enviamos.").waitFor()
          await expectAccessible(visitor, "Profile in Spanish")
          expect(complaints).toEqual([])
        }, look),
      { realm: { email_verification: "request" } }
    ))

  test("exports the user's data, and links to the security page, which logs out other sessions", () =>
    withApp(({ pages, realm }) =>
      withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const user = await quickUser(realm, { first_name: "Ada" })
        await oauth2StandIn(realm, profile())
        await realm.session(user.id)
        await page.goto(`${pages}/login?next=profile`)
        await submitForm(page, { Email: user.string("email"), Password: PASSWORD }, "Log in")
        await waitForHeading(page, "Your profile")
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Download my data" }).click()
        expect((await download).suggestedFilename()).toBe("account.json")
        await page.getByRole("link", { name: "Security" }).click()
        await waitForHeading(page, "Login and security")
        await expectAccessible(visitor, "Security")
        await page.getByRole("button", { name: /^Connect / }).click()
        await waitForHeading(page, "Connect a service")
        await expectAccessible(visitor, "Connect a service")
        await page.getByRole("link", { name: "Cancel" }).click()
        await page.getByRole("button", { name: "Log out everywhere else" }).click()
        await page.getByRole("status").filter({ hasText: "You've been logged out everywhere else." }).waitFor()
        await expectAccessible(visitor, "Security, logged out elsewhere")
        expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items).toHaveLength(1)
        expect(complaints).toEqual([])
      }, look)
    ))
})
