import { describe, expect, test, vi } from "vitest"
import {
  type Authorizing,
  authorizing,
  begin,
  CONSENT,
  followRedirects,
  LOGIN,
  redirectParams
} from "../support/authorize.ts"
import { withEmailCodes } from "../support/codes.ts"
import { PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { heading, unescapeHtml, visibleText } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"
import { Visitor } from "../support/visitor.ts"

const OTHER_PASSWORD = "many small wooden boats"
const ELSEWHERE = "If you started in another browser, go back there to continue."

const CODE = expect.stringMatching(/^oac_/)

/** Waits for the next email to an address and returns its link. */
const nextEmailLink = async (email: string): Promise<string> => {
  const { postbox, advance } = await clockedService()
  return vi.waitUntil(async () => {
    await advance("1 second")
    return postbox.take(email).at(-1)?.links[0]
  }, 10_000)
}

/** Follows a link on the page. */
const followLink = ({ visitor }: Authorizing, page: string) => {
  const href = new RegExp(`href="(${page}\\?[^"]*)"`).exec(visitor.page.text)?.[1] ?? ""
  return visitor.open(`/${unescapeHtml(href)}`)
}

/** The authorization request stored in the browser's cookie. */
const storedRequest = ({ visitor, origin }: Authorizing) =>
  visitor.browser.cookies(new URL(origin).hostname)["__Host-authorization"]

/** The same person in another browser. */
const inAnotherBrowser = (at: Authorizing): Authorizing => ({
  ...at,
  visitor: new Visitor(at.realm.transport, at.origin)
})

/** The same person on the app's login page, in a new browser. */
const atLoginPage = async (at: Authorizing): Promise<Authorizing> => {
  const { visitor } = inAnotherBrowser(at)
  await visitor.open("/login?state=s")
  return { ...at, visitor }
}

/** Begins a login for a client named Grafana. */
const beginLogin = async (
  settings: Readonly<Record<string, unknown>> = {},
  params: Readonly<Record<string, string>> = {}
) => {
  const { given } = await clockedService()
  const realm = await withEmailCodes(await given.realm(settings))
  const at = await authorizing(realm, { client: { name: "Grafana" }, app: { signup_mode: "user" } })
  await begin(at, params)
  return at
}

/** Requests the password reset email and opens its link. */
const openReset = async (at: Authorizing, reader = at) => {
  await followLink(at, "forgot")
  const sent = await at.visitor.fill({ name: at.email })
  expect(visibleText(sent)).toMatch(/Open the link in this browser to get back to Grafana ?\./)
  await reader.visitor.open(await nextEmailLink(at.email))
  return reader.visitor.fill({ password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD })
}

/** Requests a login code by email and opens its link. */
const openCode = async (at: Authorizing, reader = at) => {
  await followLink(at, "code")
  await at.visitor.fill({ name: at.email })
  return reader.visitor.open(await nextEmailLink(at.email))
}

describe("C188: an email sent during a login for a client", () => {
  test("returns the user to the client after a password reset", async () => {
    const at = await beginLogin()
    const done = await openReset(at)
    expect(visibleText(done)).not.toContain(ELSEWHERE)
    await followLink(at, "login")
    expect(visibleText(at.visitor.page)).toMatch(/Log in to continue to Grafana ?\./)
    await at.visitor.fill({ name: at.email, password: OTHER_PASSWORD }, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE, state: "s-1" })
  })

  test("returns the user to the client after a login by link", async () => {
    const at = await beginLogin()
    await openCode(at)
    await at.visitor.fill({}, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE, state: "s-1" })
  })

  test("returns a new user to the client after the email verification", async () => {
    const at = await beginLogin({ email_verification: "preverify", signup_fields: [] }, { prompt: "create" })
    expect(visibleText(at.visitor.page)).toMatch(/Sign up to continue to Grafana ?\./)
    const email = `new.${at.email}`
    const sent = await at.visitor.fill({ email })
    expect(visibleText(sent)).toMatch(/Open the link in this browser to get back to Grafana ?\./)
    await at.visitor.open(await nextEmailLink(email))
    await at.visitor.fill({ password: PASSWORD })
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE, state: "s-1" })
  })

  test("links to the app where the email was requested, even if another app is older", async () => {
    const { given } = await clockedService()
    const realm = await withEmailCodes(await given.realm())
    const older = await realm.connectedApp({ name: "Older" })
    const at = await authorizing(realm, { client: { name: "Grafana" } })
    await at.realm.put(`/v2/client_apps/${at.client.id}`, { client_app: { login_app_id: at.app.id } })
    await begin(at)
    await openCode(at)
    await at.visitor.fill({}, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    const other = await atLoginPage(at)
    await followLink(other, "forgot")
    await other.visitor.fill({ name: at.email })
    await realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { state: "inactive" } })
    expect(new URL(await nextEmailLink(at.email)).host).toContain(older.string("subdomain"))
  })

  test("shows where to continue, without opening the client, when opened in another browser", async () => {
    const at = await beginLogin()
    const phone = inAnotherBrowser(at)
    expect(visibleText(await openReset(at, phone))).toContain(ELSEWHERE)
    await begin(at)
    const page = await openCode(at, phone)
    expect(visibleText(page)).toContain("Go back there and enter the code from the email.")
    expect(page.text).not.toContain("oar_")
    await phone.visitor.fill({}, LOGIN)
    expect(phone.visitor.leads.searchParams.get("code")).toBeNull()
  })

  test("opens the app's own pages once the authorization request has ended", async () => {
    const at = await beginLogin()
    expect(storedRequest(at)).toMatch(/^oar_/)
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ code: CODE })
    expect(storedRequest(at)).toBeUndefined()
  })

  test("C276: extends the authorization request by a day in the browser that started the request", async () => {
    const at = await beginLogin({ email_verification: "preverify", signup_fields: [] }, { prompt: "create" })
    const { advance } = await clockedService()
    await advance("50 minutes")
    const email = `new.${at.email}`
    await at.visitor.fill({ email })
    const link = await nextEmailLink(email)
    await advance("23 hours")
    const phone = inAnotherBrowser(at)
    expect(visibleText(await phone.visitor.open(link))).toContain(ELSEWHERE)
    expect(phone.visitor.page.text).not.toContain("oar_")
    expect((await at.visitor.open(link)).text).toContain("oar_")
    expect(visibleText(at.visitor.page)).not.toContain(ELSEWHERE)
    await advance("1 hour")
    expect((await at.visitor.open(link)).text).not.toContain("oar_")
  })
})

describe("SEC-194: an authorization request that another site started in the user's browser", () => {
  test("redirects only to the client's own redirect URI, after asking for consent", async () => {
    const at = await beginLogin()
    const client = await oauthClient(at.realm, { name: "Curious", consent: "ask" })
    await begin({ ...at, client })
    await openCode(at)
    await at.visitor.fill({}, LOGIN)
    await followRedirects(at)
    expect(heading(at.visitor.page)).toBe(CONSENT)
    expect(visibleText(at.visitor.page)).toContain("Curious")
    await at.visitor.fill({}, "Don't allow")
    expect(redirectParams(at)).toMatchObject({ error: "access_denied" })
  })

  test("is ignored if it belongs to another app or realm", async () => {
    const [at, other] = [await beginLogin(), await beginLogin()]
    const secret = other.visitor.form(LOGIN).values["request"] ?? ""
    expect(secret).toMatch(/^oar_/)
    await followLink(at, "code")
    await at.visitor.fill({ name: at.email })
    const link = await nextEmailLink(at.email)
    const host = new URL(link)
    const page = await inAnotherBrowser(at).visitor.browser.go(host, {
      headers: { cookie: `__Host-authorization=${secret}` }
    })
    expect(page.status).toBe(200)
    expect(page.text).not.toContain("oar_")
  })
})

describe("C187: prompt=login", () => {
  test("rejects a login by a link emailed before the request, and accepts a later link", async () => {
    const at = await beginLogin()
    const phone = inAnotherBrowser(at)
    await followLink(at, "code")
    await at.visitor.fill({ name: at.email })
    const earlier = await nextEmailLink(at.email)
    await begin(phone, { prompt: "login" })
    await phone.visitor.open(earlier)
    await phone.visitor.fill({}, LOGIN)
    await followRedirects(phone)
    expect(heading(phone.visitor.page)).toBe(LOGIN)
    expect(visibleText(phone.visitor.page)).toContain("To continue, log in again.")
    await openCode(phone)
    await phone.visitor.fill({}, LOGIN)
    await followRedirects(phone)
    expect(redirectParams(phone)).toMatchObject({ code: CODE })
  })
})
