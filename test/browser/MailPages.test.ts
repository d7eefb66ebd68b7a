import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { uniqueText } from "#testing/Given"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { mailedToken, passwordToken } from "../support/tokens.ts"
import { expectAccessible } from "./Axe.ts"
import { lookTitle, phoneLook, type Visitor, withVisitor } from "./Browser.ts"
import { browserService, emailLink } from "./Service.ts"

// A name without spaces that is wider than a phone and would be markup if it weren't escaped.
const REALM = "Harbour<b>Pilots&Co</b>OfTheNorthernWatersAndTheIslandsBeyondThem"

const newRealm = async (settings = {}): Promise<GivenRealm> =>
  (await browserService()).given.realm({ name: REALM, ...settings })

const linkTo = async (realm: GivenRealm, page: string, token: string): Promise<string> =>
  `${(await browserService()).publicUrl}/realms/${realm.id}/${page}?token=${encodeURIComponent(token)}`

/** Runs `walk` and asserts that the browser reported no problems and sent requests only to the service. */
const withCleanVisit = (walk: (visitor: Visitor, seen: (name: string) => Promise<void>) => Promise<void>) =>
  withVisitor(async (visitor) => {
    const { complaints, requestedUrls: sentUrls } = visitor
    await walk(visitor, (name) => expectAccessible(visitor, name))
    expect(complaints).toEqual([])
    const { origin } = new URL((await browserService()).publicUrl)
    expect(sentUrls.filter((address) => new URL(address).origin !== origin)).toEqual([])
  }, phoneLook)

const heading = ({ page }: Visitor, name: string) => page.getByRole("heading", { level: 1, name }).waitFor()

describe(`${lookTitle(phoneLook)}: a user who follows an emailed link`, () => {
  test("verifies an email with one button, and sees an error when using the link again", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const link = await linkTo(realm, "verify", await mailedToken(realm, user.id))
    await withCleanVisit(async (visitor, seen) => {
      const { page } = visitor
      await page.goto(link)
      await heading(visitor, "Confirm your email address")
      await seen("Verify")
      await page.getByRole("button", { name: "Yes, confirm this address" }).click()
      await heading(visitor, "Email address confirmed")
      await seen("Verified")
      await page.goto(link)
      await heading(visitor, "This link no longer works")
      await seen("Gone")
    })
    expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("verified")
  })

  test("sets a new password after an error at the field, which has the focus", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const link = await linkTo(realm, "reset", await passwordToken(realm, user.id))
    await withCleanVisit(async (visitor, seen) => {
      const { page } = visitor
      await page.goto(link)
      await heading(visitor, "Choose a new password")
      await seen("Reset")
      await page.getByLabel("New password").fill(OTHER_PASSWORD)
      await page.getByLabel("Confirm password").fill(PASSWORD)
      await page.getByRole("button", { name: "Set new password" }).click()
      await page.getByText("The passwords don't match.").waitFor()
      await page.getByLabel("Confirm password").and(page.locator(":focus")).waitFor()
      await seen("Reset refused")
      await page.getByLabel("New password").fill(OTHER_PASSWORD)
      await page.getByLabel("Confirm password").fill(OTHER_PASSWORD)
      await page.keyboard.press("Enter")
      await heading(visitor, "Password changed")
      await seen("Reset done")
    })
    const login = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: OTHER_PASSWORD } })
    expect(login.status).toBe(200)
  })

  test("accepts an invitation by signing up", async () => {
    const realm = await newRealm()
    const [org, email] = [await realm.org({ name: "Pilots" }), `${uniqueText("guest")}@example.test`]
    const made = await realm.invitation({ org_id: org.id, email })
    await realm.post(`/v2/invitations/${made.id}/invite`, {})
    const link = await emailLink(email)
    await withCleanVisit(async (visitor, seen) => {
      const { page } = visitor
      await page.goto(link)
      await heading(visitor, "You're invited")
      await seen("Invitation")
      await page.getByRole("link", { name: "Log in" }).click()
      await page.getByRole("heading", { level: 2, name: "Log in to accept" }).waitFor()
      await seen("Invitation with an account")
      await page.getByRole("link", { name: "Sign up" }).click()
      await page.getByText("Add your name").click()
      await page.getByLabel("First name").fill("Sam")
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD)
      await page.getByRole("button", { name: "Create account and join" }).click()
      await heading(visitor, "Welcome!")
      await seen("Invitation accepted")
      await page.goto(link)
      await heading(visitor, "This invitation no longer works")
    })
    const user = await realm.get(`/v2/users/${email}?expand=memberships`)
    expect([user.member("first_name"), user.member("memberships", 0, "org_id")]).toEqual(["Sam", org.id])
  })
})
