import { decodeJwt } from "jose"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { codeAt } from "../support/credentials.ts"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { type BrowserApp, submitForm, waitForError, waitForHandover, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Look, lookTitle, withVisitor } from "./Browser.ts"
import { browserService, emailLink, emailSubjects } from "./Service.ts"

const sessionOf = async ({ realm }: BrowserApp, url: URL) =>
  realm.get(`/v2/sessions/${decodeJwt(url.searchParams.get("token") ?? "")["sid"]}`)

const setAutoContinue = ({ realm, app }: BrowserApp, auto_continue: boolean) =>
  realm.put(`/v2/client_apps/${app.id}`, { client_app: { auto_continue } })

const logOut = async (page: Page, { pages }: BrowserApp): Promise<void> => {
  await page.goto(`${pages}/logout`)
  await waitForHeading(page, "Log out?")
  await page.getByRole("button", { name: "Log out" }).click()
  await waitForHeading(page, "You're logged out")
}

const logIn = async (page: Page, { pages }: BrowserApp, email: string, password: string): Promise<void> => {
  await page.goto(`${pages}/login`)
  await waitForHeading(page, "Log in")
  await submitForm(page, { Email: email, Password: password }, "Log in")
}

const title = "a new user signs up, uses two-step verification and resets the password"

/** Tests all hosted pages that a user with an account needs, beginning with the sign-up. */
export const testLoginJourney = (look: Look): void =>
  test(`${lookTitle(look)}: ${title}`, () =>
    withApp(
      async (at) => {
        const { now, advance } = await browserService()
        const email = `${uniqueText("jo")}@example.test`
        await withVisitor(async (visitor) => {
          const { page, context, complaints } = visitor
          const seen = (name: string) => expectAccessible(visitor, name)

          await page.goto(`${at.pages}/login`)
          await waitForHeading(page, "Log in")
          await seen("Login")
          await page.getByRole("link", { name: "Sign up" }).click()
          await waitForHeading(page, "Create your account")
          await seen("Signup")
          await submitForm(page, { Email: email, Password: "short" }, "Create account")
          await waitForError(page, "Too short (minimum is 8 characters).")
          await seen("Signup refused")
          await submitForm(page, { Password: PASSWORD }, "Create account")
          const first = await waitForHandover(page, at)
          expect(await page.getByText("Scripts run here.").count()).toBe(look.scripts ? 1 : 0)
          expect(first.searchParams.get("signup")).toBe("true")
          const session = await sessionOf(at, first)
          const user = await at.realm.get(`/v2/users/${session.string("user_id")}`)
          expect([user.member("email"), session.member("client_app_id")]).toEqual([email, at.app.id])
          const [cookie, ...others] = await context.cookies(at.pages)
          expect(others).toMatchObject([{ name: "known_browser", httpOnly: true, sameSite: "Lax", path: "/" }])
          expect(cookie).toMatchObject({ name: "session", httpOnly: true, sameSite: "Lax", path: "/" })

          await page.goto(await emailLink(email))
          await waitForHeading(page, "Confirm your email address")
          await seen("Verify on the app's host")
          await page.getByRole("button", { name: "Yes, confirm this address" }).click()
          await waitForHeading(page, "Email address confirmed")
          await seen("Verified on the app's host")

          await page.goto(`${at.pages}/login`)
          expect((await sessionOf(at, await waitForHandover(page, at))).id).toBe(session.id)
          await setAutoContinue(at, false)
          await page.goto(`${at.pages}/login`)
          await waitForHeading(page, "You're logged in")
          await seen("Logged in already")
          await page.getByRole("button", { name: "Continue" }).click()
          expect((await sessionOf(at, await waitForHandover(page, at))).id).toBe(session.id)
          await setAutoContinue(at, true)
          await page.goto(`${at.pages}/nothing`)
          await waitForHeading(page, "Page not found")
          await seen("Not found")
          await page.getByRole("link", { name: /^Back to (?!login)/ }).click()
          await page.waitForURL(`${at.site.origin}/`)
          await page.goto(`${at.pages}/logout`)
          await waitForHeading(page, "Log out?")
          await seen("Logout")
          await page.getByRole("button", { name: "Log out" }).click()
          await waitForHeading(page, "You're logged out")
          await seen("Logged out")
          expect((await at.realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
          expect((await context.cookies(at.pages)).map(({ name }) => name)).toEqual(["known_browser"])

          await logIn(page, at, email, OTHER_PASSWORD)
          await waitForError(page, "Incorrect email or password.")
          await seen("Login refused")
          await submitForm(page, { Password: PASSWORD }, "Log in")
          const second = await waitForHandover(page, at)
          expect([second.searchParams.has("signup"), (await sessionOf(at, second)).id]).not.toContain(session.id)

          await page.goto(`${at.pages}/profile`)
          await waitForHeading(page, "Your profile")
          await seen("Profile")
          await page.getByRole("link", { name: "Security" }).click()
          await waitForHeading(page, "Login and security")
          await seen("Security")
          await page.getByText("Add an authenticator app").click()
          await submitForm(page, { Name: "My phone", "Current password": OTHER_PASSWORD }, "Set up")
          await waitForError(page, "Your current password is incorrect.")
          await submitForm(page, { Name: "My phone", "Current password": PASSWORD }, "Set up")
          await waitForHeading(page, "Set up your authenticator app")
          await seen("Enrolment")
          const secret = (await page.locator("code").innerText()).replaceAll(" ", "")
          await submitForm(page, { "Code shown in the app": codeAt(secret, now() + 300_000) }, "Confirm")
          await waitForError(page, "That code is incorrect or no longer valid.")
          await submitForm(page, { "Code shown in the app": codeAt(secret, now()) }, "Confirm")
          await page.getByRole("status").filter({ hasText: "Your authenticator app is set up." }).waitFor()
          await seen("Security with a device")
          expect(await emailSubjects(email)).toEqual([
            expect.stringMatching(/^Two-step verification was added to your .+ account$/)
          ])

          await logOut(page, at)
          await advance("30 seconds")
          await logIn(page, at, email, PASSWORD)
          await waitForHeading(page, "Enter your code")
          await seen("Code")
          await submitForm(page, { Code: codeAt(secret, now() + 300_000) }, "Log in")
          await waitForError(page, "That code is incorrect or no longer valid.")
          await seen("Code refused")
          await submitForm(page, { Code: codeAt(secret, now()) }, "Log in")
          const third = await sessionOf(at, await waitForHandover(page, at))
          expect(third.status).toBe(200)

          await page.goto(`${at.pages}/login?way=login`)
          await page.getByRole("link", { name: "Forgot your password?" }).click()
          await waitForHeading(page, "Forgot your password?")
          await seen("Forgot")
          await submitForm(page, { Email: email }, "Send email")
          await waitForHeading(page, "Check your email")
          await seen("Mail sent")
          await page.goto(await emailLink(email))
          await waitForHeading(page, "Choose a new password")
          await seen("Reset on the app's host")
          const again = { "New password": OTHER_PASSWORD, "Confirm password": OTHER_PASSWORD }
          await submitForm(page, again, "Set new password")
          await waitForHeading(page, "Password changed")
          await seen("Password changed")
          expect((await at.realm.get(`/v2/sessions/${third.id}`)).status).toBe(404)

          await logIn(page, at, email, PASSWORD)
          await waitForError(page, "Incorrect email or password.")
          await submitForm(page, { Password: OTHER_PASSWORD }, "Log in")
          await waitForHeading(page, "Enter your code")
          await submitForm(page, { Code: codeAt(secret, now()) }, "Log in")
          await waitForHandover(page, at)
          const bye = `${at.site.origin}/bye`
          await at.realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { logout_uris: [bye] } })
          await page.goto(`${at.pages}/logout?${new URLSearchParams({ redirect_uri: bye, state: "s" })}`)
          await page.getByRole("button", { name: "Log out" }).click()
          await page.waitForURL(`${bye}?state=s`)
          expect(complaints).toEqual([])
        }, look)
        const tokens = at.site.received.map(({ url }) => url.searchParams.has("token"))
        expect(tokens).toEqual([true, true, true, false, true, true, true, false])
      },
      { realm: { email_verification: "request" } }
    ))
