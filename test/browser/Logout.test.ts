import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { CHALLENGE } from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { submitForm, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { type Look, withVisitor } from "./Browser.ts"
import { browserService } from "./Service.ts"

const en = {
  locale: "en",
  login: ["Email", "Password", "Log in"],
  allow: "Allow",
  apps: ["Apps with access", "Remove access for Quarterly Reports"],
  ask: ["Log out?", "Quarterly Reports is asking you to log out.", "Log out"],
  done: "You're logged out"
} as const

const es = {
  locale: "es",
  login: ["Correo electrónico", "Contraseña", "Iniciar sesión"],
  allow: "Permitir",
  apps: ["Aplicaciones con acceso", "Retirar acceso a Quarterly Reports"],
  ask: ["¿Cerrar sesión?", "Quarterly Reports le pide que cierre la sesión.", "Cerrar sesión"],
  done: "Ha cerrado la sesión"
} as const

const looks: ReadonlyArray<Partial<Look> & { readonly words: typeof en | typeof es }> = [
  { width: 390, scheme: "dark", scripts: false, words: en },
  { width: 1280, scheme: "light", scripts: true, words: es }
]

describe.each(looks)("a logout requested by a client at $width px, $scheme, $words.locale", ({ words, ...look }) => {
  test("shows accessible pages, asks the user and returns to the client", () =>
    withApp(async ({ realm, site, pages }) => {
      const email = `${uniqueText("jo")}@example.test`
      await realm.user({ email, password: PASSWORD, first_name: "Jo", last_name: "Rivera", locale: words.locale })
      const [callback, bye] = [`${site.origin}/oauth`, `${site.origin}/bye`]
      const settings = { name: "Quarterly Reports", redirect_uris: [callback], post_logout_redirect_uris: [bye] }
      const client = await oauthClient(realm, { consent: "ask", ...settings })
      const { publicUrl } = await browserService()
      const endpoint = (name: string, params: Readonly<Record<string, string>>) =>
        `${publicUrl}/realms/${realm.id}/${name}?${new URLSearchParams({ ui_locales: words.locale, client_id: client.id, ...params })}`
      const code = { response_type: "code", scope: "openid", code_challenge: CHALLENGE, code_challenge_method: "S256" }
      await withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        await page.goto(endpoint("authorize", { ...code, redirect_uri: callback }))
        const [emailLabel, passwordLabel, button] = words.login
        await submitForm(page, { [emailLabel]: email, [passwordLabel]: PASSWORD }, button)
        await page.getByRole("button", { name: words.allow, exact: true }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))

        await page.goto(`${pages}/security?ui_locales=${words.locale}`)
        await page.getByRole("heading", { name: words.apps[0] }).waitFor()
        await expectAccessible(visitor, `Logout apps ${words.locale}`)
        await page.getByRole("button", { name: words.apps[1] }).click()
        await page.getByRole("status").waitFor()
        expect(await page.getByRole("heading", { name: words.apps[0] }).count()).toBe(0)

        await page.goto(endpoint("end_session", { post_logout_redirect_uri: bye, state: "s-1" }))
        await waitForHeading(page, words.ask[0])
        expect(await page.getByText(words.ask[1]).count()).toBe(1)
        await expectAccessible(visitor, `Logout ask ${words.locale}`)
        await page.getByRole("button", { name: words.ask[2], exact: true }).click()
        await page.waitForURL(`${bye}?state=s-1`)

        await page.goto(endpoint("end_session", {}))
        await waitForHeading(page, words.done)
        await expectAccessible(visitor, `Logout done ${words.locale}`)
        expect(complaints).toEqual([])
      }, look)
    }))
})
