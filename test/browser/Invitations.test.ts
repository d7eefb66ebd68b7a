import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { submitForm, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { lookTitle, phoneLook, withVisitor } from "./Browser.ts"
import { emailLink } from "./Service.ts"

const claimedOrgs = (url: URL): unknown => decodeJwt(url.searchParams.get("token") ?? "")["orgs"]

describe(lookTitle(phoneLook), () => {
  test("an invited guest signs up through the emailed link, joins the org and accepts another invitation", () =>
    withApp(
      async (at) => {
        const { realm, pages } = at
        const [one, two] = [await realm.org({ name: "Apples" }), await realm.org({ name: "Pears" })]
        const admin = { email: `${uniqueText("ada")}@example.test`, password: PASSWORD }
        const { id } = await realm.user(admin)
        for (const org of [one, two]) await realm.membership(id, org.id, { permissions: ["ar:owner"] })
        const guest = `${uniqueText("gus")}@example.test`

        await withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          await page.goto(`${pages}/login`)
          await submitForm(page, { Email: admin.email, Password: PASSWORD }, "Log in")
          await waitForHeading(page, "Choose an organization")
          await expectAccessible(visitor, "Accounts")
          await page.getByRole("button", { name: "Pears" }).click()
          expect(claimedOrgs(await waitForHandover(page, at))).toMatchObject([{ oid: two.id, selected: true }])

          await page.goto(`${pages}/invitation`)
          await expectAccessible(visitor, "Invite")
          await page.getByLabel("Organization", { exact: true }).selectOption("Pears")
          await submitForm(page, { Email: guest }, "Send invitation")
          await page.getByText(guest).waitFor()
          await expectAccessible(visitor, "Invited")
          expect(complaints).toEqual([])
        }, phoneLook)

        await withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          await page.goto(await emailLink(guest))
          await waitForHeading(page, "You're invited")
          await page.getByText("Pears").first().waitFor()
          await expectAccessible(visitor, "Invitation on the app's host")
          await submitForm(page, { Password: OTHER_PASSWORD }, "Create account and join")
          const joined = await waitForHandover(page, at)
          expect(joined.searchParams.get("signup")).toBe("true")
          expect(claimedOrgs(joined)).toMatchObject([{ oid: two.id, perm: [], selected: true }])

          // The guest is logged in and joins the next org with one click.
          const made = await realm.invitation({ org_id: one.id, email: guest })
          await realm.post(`/v2/invitations/${made.id}/invite`, {})
          await page.goto(await emailLink(guest))
          await waitForHeading(page, "You're invited")
          await page.getByText(`You're logged in as ${guest}`).waitFor()
          await expectAccessible(visitor, "Invitation to a user who is logged in")
          await page.getByRole("button", { name: "Accept and join" }).click()
          expect(claimedOrgs(await waitForHandover(page, at))).toMatchObject([{ oid: one.id, selected: true }])
          // The org that was just joined is selected. Another can be chosen on the accounts page.
          await page.goto(`${pages}/login`)
          expect(claimedOrgs(await waitForHandover(page, at))).toMatchObject([{ oid: one.id, selected: true }])
          await page.goto(`${pages}/accounts`)
          await waitForHeading(page, "Choose an organization")
          expect(complaints).toEqual([])
        }, phoneLook)
      },
      { realm: { jwt_scopes: ["ar.orgs"], org_mode: "multi_user" } }
    ))

  test("a new user verifies the email first and completes the sign-up through the emailed link", () =>
    withApp(
      async (at) => {
        const email = `${uniqueText("eve")}@example.test`
        await withVisitor(async (visitor) => {
          const { page, complaints } = visitor
          await page.goto(`${at.pages}/signup`)
          await expectAccessible(visitor, "Preverify")
          await submitForm(page, { Email: email }, "Send email")
          await waitForHeading(page, "Check your email")
          await expectAccessible(visitor, "Preverify sent")
          await page.goto(await emailLink(email))
          await waitForHeading(page, "Finish signing up")
          await expectAccessible(visitor, "Preverified")
          const typed = { Password: PASSWORD, "Confirm password": PASSWORD, Organization: "Eve & Sons" }
          await submitForm(page, typed, "Create account")
          expect(claimedOrgs(await waitForHandover(page, at))).toMatchObject([
            { name: "Eve & Sons", perm: ["ar:owner"] }
          ])
          expect(complaints).toEqual([])
        }, phoneLook)
      },
      {
        realm: { jwt_scopes: ["ar.orgs"], email_verification: "preverify" },
        app: { signup_mode: "user_org", require_org_name: true, require_password_confirmation: true }
      }
    ))
})
