import { expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../support/logins.ts"
import { submitForm, waitForHeading, withApp } from "./Apps.ts"
import { withVisitor } from "./Browser.ts"
import { withSite } from "./Site.ts"

test("C83: sign-up, logout and login work for an app whose URLs redirect to another origin", () =>
  withSite("home.localhost", (home) =>
    withApp(async ({ realm, app, pages, site }) => {
      const bye = `${site.origin}/bye`
      await realm.put(`/v2/client_apps/${app.id}`, { client_app: { logout_uris: [bye] } })
      site.redirect("/callback", `${home.origin}/welcome`)
      site.redirect("/bye", `${home.origin}/left`)
      const email = `${uniqueText("jo")}@example.test`
      await withVisitor(async ({ page, complaints }) => {
        await page.goto(`${pages}/signup`)
        await submitForm(page, { Email: email, Password: PASSWORD }, "Create account")
        await page.waitForURL(`${home.origin}/welcome`)

        await page.goto(`${pages}/logout?${new URLSearchParams({ redirect_uri: bye })}`)
        await submitForm(page, {}, "Log out")
        await page.waitForURL(`${home.origin}/left`)

        await page.goto(`${pages}/login`)
        await submitForm(page, { Email: email, Password: PASSWORD }, "Log in")
        await page.waitForURL(`${home.origin}/welcome`)

        await realm.put(`/v2/client_apps/${app.id}`, { client_app: { auto_continue: false } })
        await page.goto(`${pages}/login`)
        await waitForHeading(page, "You're logged in")
        await submitForm(page, {}, "Continue")
        await page.waitForURL(`${home.origin}/welcome`)
        expect(complaints).toEqual([])
      })
      const tokens = site.received.map(({ url }) => [url.pathname, url.searchParams.has("token")])
      expect(tokens).toEqual([
        ["/callback", true],
        ["/bye", false],
        ["/callback", true],
        ["/callback", true]
      ])
    })
  ))
