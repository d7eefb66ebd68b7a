import { decodeJwt } from "jose"
import { expect, vi } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import type { Transport } from "#testing/Transport"
import { appAt, appWithDouble, HANDLER, logInAtProvider } from "../external/BrowserLogins.ts"
import { Browser } from "./browser.ts"
import { profile } from "./external.ts"
import { PASSWORD } from "./logins.ts"
import { unescapeHtml } from "./pages.ts"
import { quickUser } from "./passwordEntryPoints.ts"
import { clockedService } from "./sallyport.ts"

type Filled = Readonly<Record<string, string>>

/** A form on a page. */
export interface FoundForm {
  readonly action: string
  readonly button: string
  /** The values that the form submits without input, including hidden fields. */
  readonly values: Filled
  /** The fields that a user can fill in. */
  readonly open: ReadonlySet<string>
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

const chosen = (select: string): string => {
  const options = select.match(/<option[^>]*>/g) ?? []
  const option = options.find((one) => / selected/.test(one)) ?? options[0] ?? ""
  return attribute(option, "value") ?? ""
}

/** The forms of a page, in order. */
export const formsIn = ({ text }: Pick<Reply, "text">): ReadonlyArray<FoundForm> =>
  [...text.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, tag = "", inside = ""]) => {
    const inputs = (inside.match(/<input[^>]*>/g) ?? []).flatMap((input) => {
      const name = attribute(input, "name")
      return name === undefined
        ? []
        : [
            {
              name,
              value: attribute(input, "value") ?? "",
              type: attribute(input, "type"),
              isOff: input.includes('type="checkbox"') && !input.includes(" checked")
            }
          ]
    })
    const selects = (inside.match(/<select.*?<\/select>/gs) ?? []).map((select) => ({
      name: attribute(select, "name") ?? "",
      value: chosen(select),
      type: "select",
      isOff: false
    }))
    const fields = [...inputs, ...selects]
    return {
      action: attribute(tag, "action") ?? "",
      button: unescapeHtml(/<button[^>]*>(.*?)<\/button>/s.exec(inside)?.[1] ?? "").replaceAll(/<[^>]*>/g, ""),
      values: Object.fromEntries(fields.filter(({ isOff }) => !isOff).map(({ name, value }) => [name, value])),
      open: new Set(fields.filter(({ type }) => type !== "hidden").map(({ name }) => name))
    }
  })

/** The headers that a browser sends with a form on one of the service's pages, which send no referrer. */
export const SAME_SITE_HEADERS = { origin: "null", "sec-fetch-site": "same-origin" }

/** A user at an app's host who sees one page at a time, fills in its forms and follows redirects. */
export class Visitor {
  readonly browser: Browser
  readonly origin: string
  #at: URL
  #page: Reply | undefined

  constructor(service: string | Transport, origin: string, browser = new Browser(service)) {
    this.browser = browser
    this.origin = origin
    this.#at = new URL(origin)
  }

  /** The current page. */
  get page(): Reply {
    if (this.#page === undefined) throw new Error(`No page is open at ${this.origin}.`)
    return this.#page
  }

  /** The browser's login cookie. */
  get cookie(): string | undefined {
    return this.browser.cookies(this.#at.hostname)["__Host-session"]
  }

  /** Opens a page by its path or by the link in an email. */
  async open(address: string): Promise<Reply> {
    this.#at = new URL(address, `${this.origin}/`)
    this.#page = await this.browser.go(this.#at, { headers: { "sec-fetch-site": "none" } })
    return this.#page
  }

  /** A form of the page: the one with this button, or the first with these fields. */
  form(button?: string, fields: ReadonlyArray<string> = []): FoundForm {
    const forms = formsIn(this.page)
    const asking = forms.find(({ open }) => fields.every((name) => open.has(name)))
    const found = button === undefined ? (asking ?? forms[0]) : forms.find((one) => one.button === button)
    if (found === undefined) throw new Error(`No form "${button ?? ""}" in ${this.page.status} ${this.page.text}`)
    return found
  }

  /** Fills in a form and submits it as a browser does. */
  async fill(typed: Filled = {}, button?: string): Promise<Reply> {
    const { action, values, open } = this.form(button, Object.keys(typed))
    const strange = Object.keys(typed).filter((name) => !open.has(name))
    if (strange.length > 0) throw new Error(`The form has no fields ${strange.join(", ")}: ${this.page.text}`)
    return this.send(new URL(action, this.#at).pathname, { ...values, ...typed })
  }

  /** Submits a form with values that a script of the page has set. */
  async sendForm(button: string, byScript: Filled): Promise<Reply> {
    const { action, values } = this.form(button)
    return this.send(new URL(action, this.#at).pathname, { ...values, ...byScript })
  }

  /** Posts values that no form of the page offers. */
  async send(path: string, form: Filled, headers: Filled = SAME_SITE_HEADERS): Promise<Reply> {
    this.#at = new URL(path, `${this.origin}/`)
    this.#page = await this.browser.go(this.#at, { form, headers })
    return this.#page
  }

  /** The redirect target of the last response. */
  get leads(): URL {
    const location = this.page.headers.get("location")
    if (location === null) throw new Error(`No location in ${this.page.status} ${this.page.text}`)
    return new URL(location, this.#at)
  }

  /** Follows the last response's redirect to a page of the same host. */
  async follow(): Promise<Reply> {
    const to = this.leads
    if (to.origin !== this.origin) throw new Error(`${to.href} is on another host.`)
    return this.open(to.pathname + to.search)
  }

  /** Logs in on the login page. */
  async logIn(name: string, password = PASSWORD, query = ""): Promise<Reply> {
    await this.open(`login${query}`)
    return this.fill({ name, password })
  }
}

/** The claims of the token in a handed-over login. */
export const claimsIn = (url: URL) => decodeJwt(url.searchParams.get("token") ?? "")

/** A user with the password `PASSWORD`, an app, and a browser at its host. */
export const visitorAtApp = async (
  realm: GivenRealm,
  { app: attributes = {}, user: more = {} }: { readonly app?: object; readonly user?: object } = {}
) => {
  const [user, at] = [await quickUser(realm, { ...more }), await appAt(realm, { ...attributes })]
  return { user, ...at, email: user.string("email"), visitor: new Visitor(realm.transport, at.origin) }
}

/** Asserts that a URL hands over a token and nothing else. */
export const expectTokenHandover = (url: URL, place = HANDLER): void =>
  expect(url.href).toMatch(new RegExp(`^${place.replaceAll(/[.?]/g, "\\$&")}[?&]token=ey[\\w-]+\\.[\\w-]+\\.[\\w-]+$`))

/** A logged-in user on the profile page. `sid` is the session of the token that the app received. */
export const onProfilePage = async (realm: GivenRealm, more: Parameters<typeof visitorAtApp>[1] = {}) => {
  const at = await visitorAtApp(realm, more)
  await at.visitor.logIn(at.email)
  const sid = String(claimsIn(at.visitor.leads)["sid"])
  const { status } = await at.visitor.open("/profile")
  if (status !== 200) throw new Error(`The login failed: ${status} ${at.visitor.page.text}`)
  return { ...at, sid }
}

/** A logged-in user on the security page. */
export const onSecurityPage = async (realm: GivenRealm, more: Parameters<typeof visitorAtApp>[1] = {}) => {
  const at = await onProfilePage(realm, more)
  await at.visitor.open("/security")
  return at
}

/** A user without a password who has logged in with a provider, on the security page. */
export const withProviderLogin = async (given?: GivenRealm) => {
  const realm = given ?? (await (await clockedService()).given.realm())
  const profileAtProvider = profile()
  const at = await appWithDouble(realm, { told: profileAtProvider })
  expect((await logInAtProvider(at)).status).toBe(302)
  const visitor = new Visitor(realm.transport, at.origin, at.browser)
  const user = await realm.get(`/v2/users/${profileAtProvider.email}`)
  await visitor.open("/security")
  return { realm, at, visitor, user, email: profileAtProvider.email }
}

/** Returns whether the browser is still logged in. */
export const isLoggedIn = async (visitor: Visitor): Promise<boolean> => (await visitor.open("/profile")).status === 200

/** The input of a password change. */
export const newPassword = (current_password: string, password: string) => ({
  current_password,
  password,
  password_confirmation: password
})

/** The link in the only email that the service may send to an address. */
export const linkTo = async (email: string): Promise<string> => {
  const { advance, postbox } = await clockedService()
  const hasToken = ({ text }: { readonly text: string | null }) => text?.includes("token=") === true
  // The email is generated after the page's response.
  await vi.waitUntil(async () => {
    await advance("1 second")
    return postbox.to(email).some(hasToken)
  }, 10_000)
  const mails = postbox.take(email).filter(hasToken)
  expect(mails.length).toBe(1)
  return /https:\/\/[^\s)>"]+/.exec(mails[0]?.text ?? "")?.[0] ?? ""
}

/** Starts to connect a provider on the security page. Returns the state for the provider. */
export const startLinking = async (visitor: Visitor, provider: string): Promise<string> => {
  await visitor.open("/security")
  const form = formsIn(visitor.page).find(({ values }) => values["provider"] === provider)
  if (form === undefined) throw new Error(`${provider} can't be connected: ${visitor.page.text}`)
  await visitor.send("/security", form.values)
  const href = /<a class="choice go" href="([^"]*)"/.exec(visitor.page.text)?.[1] ?? ""
  return new URL(unescapeHtml(href)).searchParams.get("state") ?? ""
}
