import { expect } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { PASSWORD } from "./logins.ts"
import { oauthClient } from "./oauth.ts"
import { heading, unescapeHtml } from "./pages.ts"
import { visitorAtApp } from "./visitor.ts"

type Filled = Readonly<Record<string, string>>

/** The example of RFC 7636, appendix B. */
export const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

/** The redirect URI of the clients of `oauthClient`. */
export const CALLBACK = "https://app.example.test/callback"

/** The headings of the pages that a request passes. */
export const LOGIN = "Log in"
export const CONSENT = "Allow access to your account?"
export const CHOICE = "Choose an account"

interface AuthorizingOptions {
  readonly client?: Readonly<Record<string, unknown>>
  readonly app?: object
  readonly user?: object
}

/** A client, the app on whose pages its users log in, a user with the password `PASSWORD`, and a browser. */
export const authorizing = async (realm: GivenRealm, { client: settings = {}, ...more }: AuthorizingOptions = {}) => {
  const at = await visitorAtApp(realm, more)
  return { ...at, realm, client: await oauthClient(realm, { consent: "skip", ...settings }) }
}

export type Authorizing = Awaited<ReturnType<typeof authorizing>>

/** The default authorization request of a client. A blank value is not sent. */
export const requestOf = ({ client }: Pick<Authorizing, "client">, params: Filled = {}): URLSearchParams => {
  const all = {
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "openid",
    state: "s-1",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    ...params
  }
  return new URLSearchParams(Object.entries(all).filter(([, value]) => value !== ""))
}

/** The URL of a realm's endpoint. */
export const endpointOf = ({ realm }: Pick<Authorizing, "realm">, name: string): string =>
  `https://id.example.test/realms/${realm.id}/${name}`

/** The authorization endpoint's response to the user's browser. */
export const requestAuthorization = (
  at: Authorizing,
  params: Filled | URLSearchParams = {},
  headers: Filled = {}
): Promise<Reply> => {
  const query = params instanceof URLSearchParams ? params : requestOf(at, params)
  return at.visitor.browser.go(`${endpointOf(at, "authorize")}?${query}`, { headers })
}

/** Follows a request to the login app's first page, or back to the client. */
export const begin = async (at: Authorizing, params: Filled | URLSearchParams = {}): Promise<Reply> => {
  const reply = await requestAuthorization(at, params)
  if (reply.status !== 303) throw new Error(`Not begun: ${reply.status} ${reply.text}`)
  const { pathname, search } = new URL(reply.headers.get("location") ?? "")
  await at.visitor.open(pathname + search)
  return followRedirects(at)
}

/** On a page that asks a logged-in user to log in again: opens the login with another account. */
export const openOtherAccount = async ({ visitor }: Pick<Authorizing, "visitor">): Promise<Reply> => {
  const link = /href="(login\?[^"]*way=login[^"]*)"/.exec(visitor.page.text)?.[1] ?? ""
  return visitor.open(`/${unescapeHtml(link)}`)
}

/** Follows redirects while they lead to pages of the login app. */
export const followRedirects = async ({ visitor }: Pick<Authorizing, "visitor">): Promise<Reply> => {
  while (visitor.page.status >= 300 && visitor.page.status < 400 && visitor.leads.origin === visitor.origin) {
    await visitor.follow()
  }
  return visitor.page
}

/** The parameters that the client receives at its redirect URI. */
export const redirectParams = ({ visitor }: Pick<Authorizing, "visitor">, place = CALLBACK): Filled => {
  const { leads } = visitor
  expect(visitor.page.status).toBe(303)
  expect(leads.href.startsWith(`${place}?`)).toBe(true)
  return Object.fromEntries(leads.searchParams)
}

/**
 * Completes a request like a cooperative user: logs in, chooses, allows. Returns the parameters that the client
 * receives at `place`.
 */
export const authorize = async (
  at: Authorizing,
  params: Filled | URLSearchParams = {},
  place = CALLBACK
): Promise<Filled> => {
  await begin(at, params)
  for (let page = 0; page < 5 && at.visitor.page.status === 200; page++) {
    const title = heading(at.visitor.page)
    const asksName = title === LOGIN && at.visitor.form(LOGIN).open.has("name")
    if (title === LOGIN) await at.visitor.fill({ ...(asksName && { name: at.email }), password: PASSWORD }, LOGIN)
    else if (title === CONSENT) await at.visitor.fill({}, "Allow")
    else if (title === CHOICE) await at.visitor.fill()
    else break
    await followRedirects(at)
  }
  return redirectParams(at, place)
}
