import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { unique } from "#testing/Given"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { handedOver, headed, sent, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { phone, titleOf, visiting } from "./Browser.ts"
import { mailedLink } from "./Service.ts"

const claimed = (url: URL): unknown => decodeJwt(url.searchParams.get("token") ?? "")["orgs"]

describe(titleOf(phone), () => {
  test("an invited guest signs up through the emailed link, joins the org and then accepts another invitation", () =>
    withApp(
      async (at) => {
        const { realm, pages } = at
        const [one, two] = [await realm.org({ name: "Apples" }), await realm.org({ name: "Pears" })]
        const admin = { email: `${unique("ada")}@example.test`, password: PASSWORD }
        const { id } = await realm.user(admin)
        for (const org of [one, two]) await realm.membership(id, org.id, { permissions: ["ar:owner"] })
        const guest = `${unique("gus")}@example.test`

        await visiting(async (visitor) => {
          const { page, complaints } = visitor
          await page.goto(`${pages}/login`)
          await sent(page, { Email: admin.email, Password: PASSWORD }, "Log in")
          await headed(page, "Choose an organization")
          await sound(visitor, "Accounts")
          await page.getByRole("button", { name: "Pears" }).click()
          expect(claimed(await handedOver(page, at))).toMatchObject([{ oid: two.id, selected: true }])

          await page.goto(`${pages}/invitation`)
          await sound(visitor, "Invite")
          await page.getByLabel("Organization", { exact: true }).selectOption("Pears")
          await sent(page, { Email: guest }, "Send invitation")
          await page.getByText(guest).waitFor()
          await sound(visitor, "Invited")
          expect(complaints).toEqual([])
        }, phone)

        await visiting(async (visitor) => {
          const { page, complaints } = visitor
          await page.goto(await mailedLink(guest))
          await headed(page, "You're invited")
          await page.getByText("Pears").first().waitFor()
          await sound(visitor, "Invitation on the app's host")
          await sent(page, { Password: OTHER_PASSWORD }, "Create account and join")
          const joined = await handedOver(page, at)
          expect(joined.searchParams.get("signup")).toBe("true")
          expect(claimed(joined)).toMatchObject([{ oid: two.id, perm: [], selected: true }])

          // The guest is logged in and joins the next org with one click.
          const made = await realm.invitation({ org_id: one.id, email: guest })
          await realm.post(`/v2/invitations/${made.id}/invite`, {})
          await page.goto(await mailedLink(guest))
          await headed(page, "You're invited")
          await page.getByText(`You're logged in as ${guest}`).waitFor()
          await sound(visitor, "Invitation to a user who is logged in")
          await page.getByRole("button", { name: "Accept and join" }).click()
          expect(claimed(await handedOver(page, at))).toMatchObject([{ oid: one.id, selected: true }])
          // The org that was just joined is selected. Another can be chosen on the accounts page.
          await page.goto(`${pages}/login`)
          expect(claimed(await handedOver(page, at))).toMatchObject([{ oid: one.id, selected: true }])
          await page.goto(`${pages}/accounts`)
          await headed(page, "Choose an organization")
          expect(complaints).toEqual([])
        }, phone)
      },
      { realm: { jwt_scopes: ["ar.orgs"], org_mode: "multi_user" } }
    ))

  test("a new user verifies the email first and completes the sign-up through the emailed link", () =>
    withApp(
      async (at) => {
        const email = `${unique("eve")}@example.test`
        await visiting(async (visitor) => {
          const { page, complaints } = visitor
          await page.goto(`${at.pages}/signup`)
          await sound(visitor, "Preverify")
          await sent(page, { Email: email }, "Send email")
          await headed(page, "Check your email")
          await sound(visitor, "Preverify sent")
          await page.goto(await mailedLink(email))
          await headed(page, "Finish signing up")
          await sound(visitor, "Preverified")
          const typed = { Password: PASSWORD, "Confirm password": PASSWORD, Organization: "Eve & Sons" }
          await sent(page, typed, "Create account")
          expect(claimed(await handedOver(page, at))).toMatchObject([{ name: "Eve & Sons", perm: ["ar:owner"] }])
          expect(complaints).toEqual([])
        }, phone)
      },
      {
        realm: { jwt_scopes: ["ar.orgs"], email_verification: "preverify" },
        app: { signup_mode: "user_org", require_org_name: true, require_password_confirmation: true }
      }
    ))
})
