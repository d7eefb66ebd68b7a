import { describe, expect, test } from "vitest"
import { unique } from "#testing/Given"
import { CHALLENGE } from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { type BrowserApp, headed, sent, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { type Look, visiting } from "./Browser.ts"
import { browserService } from "./Service.ts"

interface Words {
  readonly locale: "en" | "es"
  readonly login: readonly [heading: string, email: string, password: string, button: string]
  readonly consent: readonly [heading: string, allow: string]
  readonly choice: string
  readonly sending: readonly [heading: string, button: string]
  readonly invalid: string
}

const en: Words = {
  locale: "en",
  login: ["Log in", "E-mail", "Password", "Log in"],
  consent: ["Allow access to your account?", "Allow"],
  choice: "Choose an account",
  sending: ["Logging you in", "Continue"],
  invalid: "This link isn't valid"
}

const es: Words = {
  locale: "es",
  login: ["Inicie sesión", "Correo electrónico", "Contraseña", "Iniciar sesión"],
  consent: ["¿Permitir el acceso a su cuenta?", "Permitir"],
  choice: "Elija una cuenta",
  sending: ["Iniciando sesión", "Continuar"],
  invalid: "Este enlace no es válido"
}

const looks: ReadonlyArray<Look & { readonly words: Words }> = [
  { width: 390, scheme: "dark", scripts: false, words: en },
  { width: 390, scheme: "light", scripts: true, words: es },
  { width: 1280, scheme: "light", scripts: true, words: en }
]

const SCOPES = "openid profile email offline_access orgs"

/** A client that asks for consent, on the site of the app, and a user. */
const setting = async ({ realm, site }: BrowserApp) => {
  const email = `${unique("jo")}@example.test`
  await realm.user({ email, password: PASSWORD, first_name: "Jo", last_name: "Rivera" })
  const callback = `${site.origin}/oauth`
  const resources = ["https://api.example.test/"]
  const settings = { consent: "ask", name: "Quarterly Reports", redirect_uris: [callback], resources }
  const client = await oauthClient(realm, settings)
  const { publicUrl, advance } = await browserService()
  const urlOf = (params: Readonly<Record<string, string>>) => {
    const query = {
      client_id: client.id,
      redirect_uri: callback,
      response_type: "code",
      scope: SCOPES,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      state: "s-1",
      ...params
    }
    return `${publicUrl}/realms/${realm.id}/authorize?${new URLSearchParams(query)}`
  }
  return { email, callback, advance, urlOf, client }
}

describe.each(looks)("an authorization request at $width px, $scheme, $words.locale", ({ words, ...look }) => {
  test("is logged in to, consented to, chosen an account for, and posted to the client", () =>
    withApp(async (at) => {
      const { email, callback, advance, urlOf } = await setting(at)
      const ui_locales = words.locale
      await visiting(async (visitor) => {
        const { page, complaints } = visitor
        const name = (what: string) => `Authorize ${what} ${words.locale}`
        await page.goto(urlOf({ ui_locales, resource: "https://api.example.test/" }))
        const [login, emailLabel, passwordLabel, loginButton] = words.login
        await headed(page, login)
        await sent(page, { [emailLabel]: email, [passwordLabel]: PASSWORD }, loginButton)
        await headed(page, words.consent[0])
        await sound(visitor, name("consent"))
        await page.getByRole("button", { name: words.consent[1], exact: true }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))

        await advance("10 seconds")
        await page.goto(urlOf({ ui_locales, prompt: "select_account" }))
        await headed(page, words.choice)
        await sound(visitor, name("choice"))
        await page.getByRole("button", { name: email }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))

        await page.goto(urlOf({ ui_locales, response_mode: "form_post" }))
        if (!look.scripts) {
          await headed(page, words.sending[0])
          await sound(visitor, name("sending"))
          await page.getByRole("button", { name: words.sending[1], exact: true }).click()
        }
        await page.waitForURL(callback)
        const posted = at.site.came.at(-1)
        expect([posted?.method, posted?.body]).toEqual([
          "POST",
          expect.stringMatching(/^code=oac_\w{43}&state=s-1&iss=/)
        ])
        // What the browser says of where it comes from names no page of a request.
        expect(posted?.headers.referer).toBeUndefined()

        await page.goto(urlOf({ redirect_uri: "https://evil.example/" }))
        await headed(page, "This link isn't valid")
        await sound(visitor, name("refused"))
        expect(complaints).toEqual([])
      }, look)
    }))
})
