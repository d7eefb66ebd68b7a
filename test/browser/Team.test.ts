import type { Page } from "playwright-core"
import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { ADMIN, roles } from "../support/teams.ts"
import { submitForm, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Look, lookTitle, withVisitor } from "./Browser.ts"

const looks: ReadonlyArray<Look> = [
  { width: 390, scheme: "dark", scripts: true },
  { width: 1280, scheme: "light", scripts: false }
]

const waitForStatus = (page: Page, sentence: string) => page.getByRole("status").filter({ hasText: sentence }).waitFor()

/** Opens the menu of a member, and from there the member's page. */
const manage = async (page: Page, name: string): Promise<void> => {
  await page.locator(`summary[aria-label$="Manage ${name}"]`).click()
  await page.getByRole("link", { name: `Manage ${name}` }).click()
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

describe.each(looks.map((look) => [lookTitle(look), look] as const))("the team of an org, %s", (_, look) => {
  test("can be managed by an owner, and by an admin in Spanish", () =>
    withApp(
      ({ pages, realm }) =>
        withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          const person = (first_name: string, last_name: string) =>
            quickUser(realm, { first_name, last_name, email: `${uniqueText(first_name.toLowerCase())}@example.test` })
          const org = await realm.org({ name: "Analytical Engines" })
          const ada = await person("Ada", "Lovelace")
          const { id: own } = await realm.membership(ada.id, org.id, { permissions: ["ar:owner"] })
          const bob = await person("Bob", "Babbage")
          const membership = await realm.membership(bob.id, org.id, { permissions: ["notes:read"] })
          await realm.membership((await person("Cas", "Cray")).id, org.id, { permissions: ["other:tag"] })
          const other = await realm.org({ name: "Difference Engines" })
          await realm.membership(ada.id, other.id)

          await page.goto(`${pages}/login?next=team`)
          await submitForm(page, { Email: ada.string("email"), Password: PASSWORD }, "Log in")
          await waitForHeading(page, "Team")
          const guest = `${uniqueText("gus")}@example.test`
          await page.getByLabel("Role", { exact: true }).selectOption("Editor")
          await submitForm(page, { Email: guest }, "Send invitation")
          await waitForStatus(page, "The invitation has been sent.")
          await expectAccessible(visitor, "Team of an owner")
          await press(page, `Send again to ${guest}`)
          await waitForStatus(page, "The invitation has been sent again.")
          await submitForm(page, { Email: guest }, "Send invitation")
          await waitForHeading(page, "Team")
          await page.getByText("This person already has an open invitation.").first().waitFor()
          await expectAccessible(visitor, "Team, invited twice")
          await press(page, `Withdraw the invitation for ${guest}`)
          await waitForStatus(page, "The invitation has been withdrawn.")

          await manage(page, "Bob Babbage")
          await waitForHeading(page, "Member")
          await page.getByLabel("Role", { exact: true }).selectOption("Editor")
          await press(page, "Change role")
          await waitForStatus(page, "The role has been changed.")
          expect((await realm.get(`/v2/memberships/${membership.id}`)).member("permissions")).toEqual(
            roles[1]?.permissions
          )
          await manage(page, "Cas Cray")
          await page.getByText("Remove from the organization").click()
          await expectAccessible(visitor, "Team, about to remove a member")
          await press(page, "Remove Cas Cray")
          await waitForStatus(page, "The member has been removed.")
          expect(await page.getByText("Cas Cray").count()).toBe(0)
          await page.getByRole("link", { name: "Leave this organization" }).click()
          await waitForHeading(page, "Leave the organization?")
          await expectAccessible(visitor, "Team, the last owner can't leave")
          await page.getByRole("link", { name: "Back to the team" }).click()

          await manage(page, "Bob Babbage")
          await page.getByText("Hand over ownership").click()
          await expectAccessible(visitor, "Team, about to hand over")
          await press(page, "Make Bob Babbage the owner")
          await waitForStatus(page, "The organization has a new owner.")
          await expectAccessible(visitor, "Team of an admin")
          expect((await realm.get(`/v2/memberships/${own}`)).member("permissions")).toEqual(ADMIN)
          await page.getByText("Your organizations").click()
          await page.getByRole("link", { name: "Difference Engines" }).click()
          await page.getByText("The people in Difference Engines").waitFor()
          await expectAccessible(visitor, "Team of a plain member")

          await page.route("**/team*", (route) =>
            route.continue({ headers: { ...route.request().headers(), "accept-language": "es" } })
          )
          await realm.membership(bob.id, other.id, { permissions: ["notes:read"] })
          await page.goto(`${pages}/team?org=${org.id}`)
          await waitForHeading(page, "Equipo")
          await submitForm(page, { "Correo electrónico": guest }, "Enviar invitación")
          await waitForStatus(page, "La invitación se ha enviado.")
          await expectAccessible(visitor, "Team in Spanish")
          await page.getByRole("link", { name: "Salir de esta organización" }).click()
          await waitForHeading(page, "¿Salir de la organización?")
          await expectAccessible(visitor, "Leaving a team in Spanish")
          await press(page, "Salir de Analytical Engines")
          await waitForStatus(page, "Ha salido de la organización.")
          expect((await realm.get(`/v2/memberships/${own}`)).status).toBe(404)
          expect(complaints).toEqual([])
        }, look),
      { realm: { roles } }
    ))

  test("shows hundreds of members in pages, and finds a member by part of the name", () =>
    withApp(
      ({ pages, realm }) =>
        withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          const org = await realm.org({ name: "Analytical Engines" })
          const ada = await quickUser(realm, { first_name: "Ada" })
          await realm.membership(ada.id, org.id, { permissions: ["ar:owner"] })
          for (const count of Array(60).keys()) {
            const { id } = await realm.user({ first_name: `Person ${count}` })
            await realm.membership(id, org.id, { permissions: ["notes:read"] })
          }
          await page.goto(`${pages}/login?next=team`)
          await submitForm(page, { Email: ada.string("email"), Password: PASSWORD }, "Log in")
          await waitForHeading(page, "Team")
          await page.getByRole("link", { name: "Next page" }).click()
          await page.getByText("Person 59").waitFor()
          await page.getByRole("searchbox", { name: "Name or email" }).fill("PERSON 12")
          await press(page, "Search")
          await page.getByText("Person 12").waitFor()
          expect(await page.getByText("Person 13").count()).toBe(0)
          await expectAccessible(visitor, "Team, found")
          await page.getByRole("searchbox").fill("nobody")
          await press(page, "Search")
          await page.getByText("No members match nobody").waitFor()
          await expectAccessible(visitor, "Team, nobody found")
          expect(complaints).toEqual([])
        }, look),
      { realm: { roles } }
    ))
})
