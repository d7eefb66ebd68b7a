import { describe, expect, test } from "vitest"
import { unique } from "#testing/Given"
import { CHALLENGE } from "../support/authorize.ts"
import { withEmailCodes } from "../support/codes.ts"
import { PASSWORD } from "../support/logins.ts"
import { dataUrl, SVG_LOGO } from "../support/logos.ts"
import { oauthClient } from "../support/oauth.ts"
import { type BrowserApp, headed, sent, withApp } from "./Apps.ts"
import { sound } from "./Axe.ts"
import { evaluate, type Look, visiting } from "./Browser.ts"
import { browserService, mailedLink, mailedSubjects } from "./Service.ts"

interface Words {
  readonly locale: "en" | "es"
  readonly login: readonly [heading: string, email: string, password: string, button: string]
  readonly consent: readonly [heading: string, allow: string]
  readonly choice: string
  readonly sending: readonly [heading: string, button: string]
  readonly invalid: string
  /** The sentences that name the client. */
  readonly toClient: { readonly login: string; readonly signup: string; readonly mail: string }
  /** The links to other pages. */
  readonly links: Readonly<Record<"signup" | "login" | "forgot" | "code", string>>
  /** The buttons and headings of the pages for an emailed link. */
  readonly mails: Readonly<Record<"send" | "sent" | "code" | "opened", string>>
  /** The sentences for a link opened in another browser. */
  readonly elsewhere: { readonly done: string; readonly code: string }
  readonly reset: readonly [fields: readonly [string, string], button: string, done: string]
}

const en: Words = {
  locale: "en",
  login: ["Log in", "Email", "Password", "Log in"],
  consent: ["Allow access to your account?", "Allow"],
  choice: "Choose an account",
  sending: ["Logging you in", "Continue"],
  invalid: "This link isn't valid",
  toClient: {
    login: "Log in to continue to Quarterly Reports.",
    signup: "Sign up to continue to Quarterly Reports.",
    mail: "Open the link in this browser to get back to Quarterly Reports."
  },
  links: { signup: "Sign up", login: "Log in", forgot: "Forgot your password?", code: "Email me a code" },
  mails: { send: "Send email", sent: "Check your email", code: "Email me a code", opened: "Log in on this device?" },
  elsewhere: {
    done: "If you started in another browser, go back there to continue.",
    code: "Started in another browser?"
  },
  reset: [["New password", "Confirm password"], "Set new password", "Password changed"]
}

const es: Words = {
  locale: "es",
  login: ["Inicie sesión", "Correo electrónico", "Contraseña", "Iniciar sesión"],
  consent: ["¿Permitir el acceso a su cuenta?", "Permitir"],
  choice: "Elija una cuenta",
  sending: ["Iniciando sesión", "Continuar"],
  invalid: "Este enlace no es válido",
  toClient: {
    login: "Inicie sesión para continuar en Quarterly Reports.",
    signup: "Regístrese para continuar en Quarterly Reports.",
    mail: "Abra el enlace en este navegador para volver a Quarterly Reports."
  },
  links: {
    signup: "Regístrese",
    login: "Inicie sesión",
    forgot: "¿Ha olvidado su contraseña?",
    code: "Recibir un código por correo"
  },
  mails: {
    send: "Enviar correo",
    sent: "Revise su correo",
    code: "Enviar código",
    opened: "¿Iniciar sesión en este dispositivo?"
  },
  elsewhere: {
    done: "Si empezó en otro navegador, vuelva a él para continuar.",
    code: "¿Empezó en otro navegador?"
  },
  reset: [["Contraseña nueva", "Confirme la contraseña"], "Guardar la contraseña nueva", "Contraseña cambiada"]
}

const looks: ReadonlyArray<Look & { readonly words: Words }> = [
  { width: 390, scheme: "dark", scripts: false, words: en },
  { width: 390, scheme: "light", scripts: true, words: es },
  { width: 1280, scheme: "light", scripts: true, words: en }
]

const OTHER_PASSWORD = "many small wooden boats"

const SCOPES = "openid profile email offline_access orgs"

/** A client on the app's site that asks for consent, and a user. */
const setting = async ({ realm, site }: BrowserApp) => {
  const email = `${unique("jo")}@example.test`
  await realm.user({ email, password: PASSWORD, first_name: "Jo", last_name: "Rivera" })
  const callback = `${site.origin}/oauth`
  const resources = ["https://api.example.test/"]
  const appearance = { logo: dataUrl("svg+xml", SVG_LOGO) }
  const settings = { consent: "ask", name: "Quarterly Reports", redirect_uris: [callback], resources, appearance }
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
  test("asks for login, consent and account, and posts the code to the client", () =>
    withApp(async (at) => {
      const { email, callback, advance, urlOf } = await setting(at)
      const ui_locales = words.locale
      await visiting(async (visitor) => {
        const { page, complaints } = visitor
        const name = (what: string) => `Authorize ${what} ${words.locale}`
        await page.goto(urlOf({ ui_locales, resource: "https://api.example.test/" }))
        const [login, emailLabel, passwordLabel, loginButton] = words.login
        await headed(page, login)
        await page.getByText(words.toClient.login).waitFor()
        await sound(visitor, name("login"))
        await sent(page, { [emailLabel]: email, [passwordLabel]: PASSWORD }, loginButton)
        await headed(page, words.consent[0])
        const logo = await evaluate(visitor, 'document.querySelector("main img.logo").naturalWidth')
        expect(logo).toBeGreaterThan(0)
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
        // The Referer header reveals no page of the request.
        expect(posted?.headers.referer).toBeUndefined()

        await page.goto(urlOf({ redirect_uri: "https://evil.example/" }))
        await headed(page, "This link isn't valid")
        await sound(visitor, name("refused"))
        expect(complaints).toEqual([])
      }, look)
    }))

  test("continues from an emailed link only in the browser that began it", () =>
    withApp(async (at) => {
      await withEmailCodes(at.realm)
      const { email, callback, urlOf } = await setting(at)
      const { links, mails, elsewhere, toClient, reset, login } = words
      await visiting(async (visitor) => {
        const { page, complaints } = visitor
        const name = (what: string) => `Authorize ${what} ${words.locale}`
        const choose = (link: string) => page.getByRole("link", { name: link, exact: true }).click()
        await page.goto(urlOf({ ui_locales: words.locale }))
        await choose(links.signup)
        await page.getByText(toClient.signup).waitFor()
        await sound(visitor, name("sign-up"))
        await choose(links.login)
        await choose(links.forgot)
        await sent(page, { [login[1]]: email }, mails.send)
        await headed(page, mails.sent)
        await page.getByText(toClient.mail).waitFor()
        await sound(visitor, name("mail sent"))
        const link = await mailedLink(email)
        await visiting(async (other) => {
          await other.page.goto(`${link}&ui_locales=${words.locale}`)
          const [[first, second], button, done] = reset
          await sent(other.page, { [first]: OTHER_PASSWORD, [second]: OTHER_PASSWORD }, button)
          await headed(other.page, done)
          await other.page.getByText(elsewhere.done).waitFor()
          await sound(other, name("password changed elsewhere"))
        }, look)
        // The notice that the password was changed.
        expect(await mailedSubjects(email)).toHaveLength(1)
        await page.goto(urlOf({ ui_locales: words.locale }))
        await choose(links.code)
        await sent(page, { [login[1]]: email }, mails.code)
        await page.getByRole("textbox").first().waitFor()
        const code = await mailedLink(email)
        await visiting(async (other) => {
          await other.page.goto(`${code}&ui_locales=${words.locale}`)
          await headed(other.page, mails.opened)
          await other.page.getByText(elsewhere.code).waitFor()
          await sound(other, name("code elsewhere"))
        }, look)
        await page.goto(code)
        await headed(page, mails.opened)
        await sound(visitor, name("code"))
        await page.getByRole("button", { name: login[3], exact: true }).click()
        await headed(page, words.consent[0])
        await page.getByRole("button", { name: words.consent[1], exact: true }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))
        expect(complaints).toEqual([])
      }, look)
    }))
})
