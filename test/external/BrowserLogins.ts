import { decodeJwt } from "jose"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { Browser } from "../support/browser.ts"
import { oauth2StandIn, profile } from "../support/external.ts"

/** The login handler of the tests' app. */
export const HANDLER = "https://app.example.test/login"

/** The URL that a response redirects to. */
export const redirectTarget = (reply: Reply): URL => {
  const location = reply.headers.get("location")
  if (location === null) throw new Error(`No location in ${reply.status} ${reply.text}`)
  return new URL(location)
}

/** The session in the token that an app received. */
export const sessionOf = (realm: GivenRealm, url: URL): Promise<Reply> =>
  realm.get(`/v2/sessions/${decodeJwt(url.searchParams.get("token") ?? "")["sid"]}`)

/** A connected app with its host and origin. */
export const appAt = async (realm: GivenRealm, attributes: Readonly<Record<string, unknown>> = {}) => {
  const app = await realm.connectedApp({ login_handler: HANDLER, ...attributes })
  const host = app.string("domains", 0)
  return { app, host, origin: `https://${host}` }
}

/** A connected app and a provider double that returns the profile `told`. */
export const appWithDouble = async (
  realm: GivenRealm,
  { told = profile(), app: attributes = {} }: { readonly told?: unknown; readonly app?: object } = {}
) => {
  const { provider, double } = await oauth2StandIn(realm, told)
  const at = await appAt(realm, { ...attributes })
  const path = `${at.origin}/auth/${provider.id}`
  return { ...at, provider, double, path, browser: new Browser(realm.transport), told }
}

type Started = Pick<Awaited<ReturnType<typeof appWithDouble>>, "browser" | "path">

/** Begins a login in a browser and returns its state. */
export const beginLogin = async ({ browser, path }: Started, query = ""): Promise<string> =>
  redirectTarget(await browser.go(`${path}${query}`)).searchParams.get("state") ?? ""

/** Returns from the provider with a code. */
export const returnWithCode = ({ browser, path }: Started, state: string, query: object = { code: "a-code" }) =>
  browser.go(`${path}/callback?${new URLSearchParams({ state, ...query })}`)

/** Completes a login in one browser. */
export const logInAtProvider = async (started: Started, query = "") =>
  returnWithCode(started, await beginLogin(started, query))

/** The cookies of unfinished logins in a browser, by name. */
export const loginCookies = ({ browser, host }: Pick<Awaited<ReturnType<typeof appWithDouble>>, "browser" | "host">) =>
  Object.fromEntries(Object.entries(browser.cookies(host)).filter(([name]) => name.startsWith("__Host-social_login_")))
