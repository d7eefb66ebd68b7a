import { describe, expect, test } from "vitest"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { headed, sent, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { type Look, titleOf, visiting } from "./Browser.ts"

const looks: ReadonlyArray<Look> = [
  { width: 390, scheme: "dark", scripts: true },
  { width: 1280, scheme: "light", scripts: false }
]

describe.each(looks.map((look) => [titleOf(look), look] as const))("The profile, %s", (_, look) => {
  test("takes a language for mails, and asks for another mail to confirm the address", () =>
    withApp(
      ({ pages, realm }) =>
        visiting(async (visitor) => {
          const { page, complaints } = visitor
          const user = await quickUser(realm, { email_verification: "requested", first_name: "Ada" })
          await page.goto(`${pages}/login?next=profile`)
          await sent(page, { "E-mail": user.string("email"), Password: PASSWORD }, "Log in")
          await headed(page, "Your profile")
          await sound(visitor, "Profile not confirmed")
          await page.getByRole("combobox", { name: "Language" }).selectOption("Español")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("status").filter({ hasText: "Your details have been saved." }).waitFor()
          expect(await page.getByRole("combobox", { name: "Language" }).inputValue()).toBe("es")
          expect((await realm.get(`/v2/users/${user.id}`)).member("locale")).toBe("es")
          await page.getByRole("button", { name: "Send e-mail" }).click()
          await page.getByRole("status").filter({ hasText: "We sent you an e\u2011mail." }).waitFor()
          await page.route("**/profile", (route) =>
            route.continue({ headers: { ...route.request().headers(), "accept-language": "es" } })
          )
          await page.goto(`${pages}/profile`)
          await headed(page, "Su perfil")
          await page.getByText("Para los correos que le enviamos.").waitFor()
          await sound(visitor, "Profile in Spanish")
          expect(complaints).toEqual([])
        }, look),
      { realm: { email_verification: "request" } }
    ))
})
