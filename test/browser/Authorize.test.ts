import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { CHALLENGE } from "../support/authorize.ts"
import { withEmailCodes } from "../support/codes.ts"
import { PASSWORD } from "../support/logins.ts"
import { dataUrl, SVG_LOGO } from "../support/logos.ts"
import { oauthClient } from "../support/oauth.ts"
import { type BrowserApp, submitForm, waitForHeading, withApp } from "./Apps.ts"
import { expectAccessible } from "./Axe.ts"
import { evaluate, type Look, withVisitor } from "./Browser.ts"
import { browserService, emailLink, emailSubjects } from "./Service.ts"

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
const userAndClient = async ({ realm, site }: BrowserApp) => {
  const email = `${uniqueText("jo")}@example.test`
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
      const { email, callback, advance, urlOf } = await userAndClient(at)
      const ui_locales = words.locale
      await withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const name = (what: string) => `Authorize ${what} ${words.locale}`
        await page.goto(urlOf({ ui_locales, resource: "https://api.example.test/" }))
        const [login, emailLabel, passwordLabel, loginButton] = words.login
        await waitForHeading(page, login)
        await page.getByText(words.toClient.login).waitFor()
        await expectAccessible(visitor, name("login"))
        await submitForm(page, { [emailLabel]: email, [passwordLabel]: PASSWORD }, loginButton)
        await waitForHeading(page, words.consent[0])
        const logo = await evaluate(visitor, 'document.querySelector("main img.logo").naturalWidth')
        expect(logo).toBeGreaterThan(0)
        await expectAccessible(visitor, name("consent"))
        await page.getByRole("button", { name: words.consent[1], exact: true }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))

        await advance("10 seconds")
        await page.goto(urlOf({ ui_locales, prompt: "select_account" }))
        await waitForHeading(page, words.choice)
        await expectAccessible(visitor, name("choice"))
        await page.getByRole("button", { name: email }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))

        await page.goto(urlOf({ ui_locales, response_mode: "form_post" }))
        if (!look.scripts) {
          await waitForHeading(page, words.sending[0])
          await expectAccessible(visitor, name("sending"))
          await page.getByRole("button", { name: words.sending[1], exact: true }).click()
        }
        await page.waitForURL(callback)
        const posted = at.site.received.at(-1)
        expect([posted?.method, posted?.body]).toEqual([
          "POST",
          expect.stringMatching(/^code=oac_\w{43}&state=s-1&iss=/)
        ])
        // The Referer header reveals no page of the request.
        expect(posted?.headers.referer).toBeUndefined()

        await page.goto(urlOf({ redirect_uri: "https://evil.example/" }))
        await waitForHeading(page, "This link isn't valid")
        await expectAccessible(visitor, name("refused"))
        expect(complaints).toEqual([])
      }, look)
    }))

  test("continues from an emailed link only in the browser that started the request", () =>
    withApp(async (at) => {
      await withEmailCodes(at.realm)
      const { email, callback, urlOf } = await userAndClient(at)
      const { links, mails, elsewhere, toClient, reset, login } = words
      await withVisitor(async (visitor) => {
        const { page, complaints } = visitor
        const name = (what: string) => `Authorize ${what} ${words.locale}`
        const choose = (link: string) => page.getByRole("link", { name: link, exact: true }).click()
        await page.goto(urlOf({ ui_locales: words.locale }))
        await choose(links.signup)
        await page.getByText(toClient.signup).waitFor()
        await expectAccessible(visitor, name("sign-up"))
        await choose(links.login)
        await choose(links.forgot)
        await submitForm(page, { [login[1]]: email }, mails.send)
        await waitForHeading(page, mails.sent)
        await page.getByText(toClient.mail).waitFor()
        await expectAccessible(visitor, name("mail sent"))
        const link = await emailLink(email)
        await withVisitor(async (other) => {
          await other.page.goto(`${link}&ui_locales=${words.locale}`)
          const [[first, second], button, done] = reset
          await submitForm(other.page, { [first]: OTHER_PASSWORD, [second]: OTHER_PASSWORD }, button)
          await waitForHeading(other.page, done)
          await other.page.getByText(elsewhere.done).waitFor()
          await expectAccessible(other, name("password changed elsewhere"))
        }, look)
        // The notice that the password was changed.
        expect(await emailSubjects(email)).toHaveLength(1)
        await page.goto(urlOf({ ui_locales: words.locale }))
        await choose(links.code)
        await submitForm(page, { [login[1]]: email }, mails.code)
        await page.getByRole("textbox").first().waitFor()
        const code = await emailLink(email)
        await withVisitor(async (other) => {
          await other.page.goto(`${code}&ui_locales=${words.locale}`)
          await waitForHeading(other.page, mails.opened)
          await other.page.getByText(elsewhere.code).waitFor()
          await expectAccessible(other, name("code elsewhere"))
        }, look)
        await page.goto(code)
        await waitForHeading(page, mails.opened)
        await expectAccessible(visitor, name("code"))
        await page.getByRole("button", { name: login[3], exact: true }).click()
        await waitForHeading(page, words.consent[0])
        await page.getByRole("button", { name: words.consent[1], exact: true }).click()
        await page.waitForURL((url) => url.href.startsWith(`${callback}?code=oac_`))
        expect(complaints).toEqual([])
      }, look)
    }))
})
