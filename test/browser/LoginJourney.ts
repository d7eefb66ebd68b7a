import { decodeJwt } from "jose"
import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { unique } from "#testing/Given"
import { codeAt } from "../support/credentials.ts"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { type BrowserApp, handedOver, headed, refused, sent, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { type Look, titleOf, visiting } from "./Browser.ts"
import { browserService, mailedLink, mailedSubjects } from "./Service.ts"

const sessionOf = async ({ realm }: BrowserApp, url: URL) =>
  realm.get(`/v2/sessions/${decodeJwt(url.searchParams.get("token") ?? "")["sid"]}`)

const setAutoContinue = ({ realm, app }: BrowserApp, auto_continue: boolean) =>
  realm.put(`/v2/client_apps/${app.id}`, { client_app: { auto_continue } })

const logOut = async (page: Page, { pages }: BrowserApp): Promise<void> => {
  await page.goto(`${pages}/logout`)
  await headed(page, "Log out?")
  await page.getByRole("button", { name: "Log out" }).click()
  await headed(page, "You're logged out")
}

const logIn = async (page: Page, { pages }: BrowserApp, email: string, password: string): Promise<void> => {
  await page.goto(`${pages}/login`)
  await headed(page, "Log in")
  await sent(page, { Email: email, Password: password }, "Log in")
}

const title = "sign-up, email verification, logout, login, two-step verification and password reset"

/** Tests all hosted pages that a user needs with an account, from the first day on. */
export const testLoginJourney = (look: Look): void =>
  test(`${titleOf(look)}: ${title}`, () =>
    withApp(
      async (at) => {
        const { now, advance } = await browserService()
        const email = `${unique("jo")}@example.test`
        await visiting(async (visitor) => {
          const { page, context, complaints } = visitor
          const seen = (name: string) => sound(visitor, name)

          await page.goto(`${at.pages}/login`)
          await headed(page, "Log in")
          await seen("Login")
          await page.getByRole("link", { name: "Sign up" }).click()
          await headed(page, "Create your account")
          await seen("Signup")
          await sent(page, { Email: email, Password: "short" }, "Create account")
          await refused(page, "Password is too short (minimum is 8 characters).")
          await seen("Signup refused")
          await sent(page, { Password: PASSWORD }, "Create account")
          const first = await handedOver(page, at)
          expect(await page.getByText("Scripts run here.").count()).toBe(look.scripts ? 1 : 0)
          expect(first.searchParams.get("signup")).toBe("true")
          const session = await sessionOf(at, first)
          const user = await at.realm.get(`/v2/users/${session.string("user_id")}`)
          expect([user.member("email"), session.member("client_app_id")]).toEqual([email, at.app.id])
          const [cookie, ...others] = await context.cookies(at.pages)
          expect(others).toMatchObject([{ name: "known_browser", httpOnly: true, sameSite: "Lax", path: "/" }])
          expect(cookie).toMatchObject({ name: "session", httpOnly: true, sameSite: "Lax", path: "/" })

          await page.goto(await mailedLink(email))
          await headed(page, "Confirm your email address")
          await seen("Verify on the app's host")
          await page.getByRole("button", { name: "Yes, confirm this address" }).click()
          await headed(page, "Email address confirmed")
          await seen("Verified on the app's host")

          await page.goto(`${at.pages}/login`)
          expect((await sessionOf(at, await handedOver(page, at))).id).toBe(session.id)
          await setAutoContinue(at, false)
          await page.goto(`${at.pages}/login`)
          await headed(page, "You're logged in")
          await seen("Logged in already")
          await page.getByRole("button", { name: "Continue" }).click()
          expect((await sessionOf(at, await handedOver(page, at))).id).toBe(session.id)
          await setAutoContinue(at, true)
          await page.goto(`${at.pages}/nothing`)
          await headed(page, "Page not found")
          await seen("Not found")
          await page.getByRole("link", { name: /^Back to (?!login)/ }).click()
          await page.waitForURL(`${at.site.origin}/`)
          await page.goto(`${at.pages}/logout`)
          await headed(page, "Log out?")
          await seen("Logout")
          await page.getByRole("button", { name: "Log out" }).click()
          await headed(page, "You're logged out")
          await seen("Logged out")
          expect((await at.realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
          expect((await context.cookies(at.pages)).map(({ name }) => name)).toEqual(["known_browser"])

          await logIn(page, at, email, OTHER_PASSWORD)
          await refused(page, "Incorrect email or password.")
          await seen("Login refused")
          await sent(page, { Password: PASSWORD }, "Log in")
          const second = await handedOver(page, at)
          expect([second.searchParams.has("signup"), (await sessionOf(at, second)).id]).not.toContain(session.id)

          await page.goto(`${at.pages}/profile`)
          await headed(page, "Your profile")
          await seen("Profile")
          await page.getByRole("link", { name: "Security" }).click()
          await headed(page, "Login and security")
          await seen("Security")
          await page.getByText("Add an authenticator app").click()
          await sent(page, { Name: "My phone", "Current password": OTHER_PASSWORD }, "Set up")
          await refused(page, "Your current password is incorrect.")
          await sent(page, { Name: "My phone", "Current password": PASSWORD }, "Set up")
          await headed(page, "Set up your authenticator app")
          await seen("Enrolment")
          const secret = (await page.locator("code").innerText()).replaceAll(" ", "")
          await sent(page, { "Code shown in the app": codeAt(secret, now() + 300_000) }, "Confirm")
          await refused(page, "That code is incorrect or no longer valid.")
          await sent(page, { "Code shown in the app": codeAt(secret, now()) }, "Confirm")
          await page.getByRole("status").filter({ hasText: "Your authenticator app is set up." }).waitFor()
          await seen("Security with a device")
          expect(await mailedSubjects(email)).toEqual([
            expect.stringMatching(/^Two-step verification was added to your .+ account$/)
          ])

          await logOut(page, at)
          await advance("30 seconds")
          await logIn(page, at, email, PASSWORD)
          await headed(page, "Enter your code")
          await seen("Code")
          await sent(page, { Code: codeAt(secret, now() + 300_000) }, "Log in")
          await refused(page, "That code is incorrect or no longer valid.")
          await seen("Code refused")
          await sent(page, { Code: codeAt(secret, now()) }, "Log in")
          const third = await sessionOf(at, await handedOver(page, at))
          expect(third.status).toBe(200)

          await page.goto(`${at.pages}/login?way=login`)
          await page.getByRole("link", { name: "Forgot your password?" }).click()
          await headed(page, "Forgot your password?")
          await seen("Forgot")
          await sent(page, { Email: email }, "Send email")
          await headed(page, "Check your email")
          await seen("Mail sent")
          await page.goto(await mailedLink(email))
          await headed(page, "Choose a new password")
          await seen("Reset on the app's host")
          const again = { "New password": OTHER_PASSWORD, "Confirm password": OTHER_PASSWORD }
          await sent(page, again, "Set new password")
          await headed(page, "Password changed")
          await seen("Password changed")
          expect((await at.realm.get(`/v2/sessions/${third.id}`)).status).toBe(404)

          await logIn(page, at, email, PASSWORD)
          await refused(page, "Incorrect email or password.")
          await sent(page, { Password: OTHER_PASSWORD }, "Log in")
          await headed(page, "Enter your code")
          await sent(page, { Code: codeAt(secret, now()) }, "Log in")
          await handedOver(page, at)
          const bye = `${at.site.origin}/bye`
          await at.realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { logout_uris: [bye] } })
          await page.goto(`${at.pages}/logout?${new URLSearchParams({ redirect_uri: bye, state: "s" })}`)
          await page.getByRole("button", { name: "Log out" }).click()
          await page.waitForURL(`${bye}?state=s`)
          expect(complaints).toEqual([])
        }, look)
        const tokens = at.site.came.map(({ url }) => url.searchParams.has("token"))
        expect(tokens).toEqual([true, true, true, false, true, true, true, false])
      },
      { realm: { email_verification: "request" } }
    ))
