import { describe, expect, test } from "vitest"
import {
  type Authorizing,
  authorizing,
  begin,
  CALLBACK,
  followRedirects,
  LOGIN,
  redirectParams
} from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { statusAndHeading, unescapeHtml, visibleText } from "../support/pages.ts"
import { agent, openRealm, register } from "../support/registration.ts"
import { clockedService } from "../support/sallyport.ts"

const HOME = "https://app.example.test/"
const START = "https://app.example.test/login?from=here"

const REQUEST_ENDED = [400, "This login can't be completed"]

/** Begins a login for a client named Grafana. */
const beginLogin = async (client: Readonly<Record<string, unknown>> = {}) => {
  const { given } = await clockedService()
  const settings = { client: { name: "Grafana", ...client }, app: { signup_mode: "user" } }
  const at = await authorizing(await given.realm(), settings)
  await begin(at)
  return at
}

/** The link back to the client on the current page. */
const linkToClient = ({ visitor }: Authorizing) => {
  const found = /<a href="([^"]*)">Back to <bdi class="name">Grafana<\/bdi>/.exec(visitor.page.text)?.[1]
  return found === undefined ? undefined : unescapeHtml(found)
}

/** Opens a page of the login again. */
const reopen = ({ visitor }: Authorizing, page = "login") => {
  const { request = "" } = visitor.form(LOGIN).values
  return () => visitor.open(`/${page}?${new URLSearchParams({ next: "authorize", request })}`)
}

const HOUR = "60 minutes"

describe("C276: a page of a login whose authorization request has ended", () => {
  test.each([
    "login",
    "signup",
    "forgot",
    "code",
    "authorize"
  ])("shows an error and a link back to the client at /%s", async (page) => {
    const at = await beginLogin({ client_uri: HOME, initiate_login_uri: START })
    const open = reopen(at, page)
    await (await clockedService()).advance("59 minutes")
    expect((await open()).status).not.toBe(400)
    await (await clockedService()).advance("1 minute")
    expect(statusAndHeading(await open())).toEqual(REQUEST_ENDED)
    const issuer = `https://id.example.test/realms/${at.realm.id}`
    expect(linkToClient(at)).toBe(`${START}&iss=${encodeURIComponent(issuer)}`)
    expect(at.visitor.page.text).not.toContain('type="password"')
    await at.realm.put(`/v2/client_apps/${at.client.id}`, { client_app: { initiate_login_uri: null } })
    await open()
    expect(linkToClient(at)).toBe(HOME)
    await at.realm.put(`/v2/client_apps/${at.client.id}`, { client_app: { client_uri: null } })
    expect(statusAndHeading(await open())).toEqual(REQUEST_ENDED)
    expect([linkToClient(at), visibleText(at.visitor.page)]).toEqual([
      undefined,
      expect.stringContaining("Go back to the app")
    ])
  })

  test("shows the error when the user returns to the page after the login", async () => {
    const at = await beginLogin({ client_uri: HOME })
    const open = reopen(at)
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    await followRedirects(at)
    expect(redirectParams(at)).toMatchObject({ state: "s-1" })
    expect(statusAndHeading(await open())).toEqual(REQUEST_ENDED)
    expect(linkToClient(at)).toBe(HOME)
  })

  test("shows the error without a link once the request has been deleted", async () => {
    const at = await beginLogin({ client_uri: HOME })
    const open = reopen(at)
    await (await clockedService()).advance("26 hours")
    expect(statusAndHeading(await open())).toEqual(REQUEST_ENDED)
    expect(linkToClient(at)).toBeUndefined()
  })

  test("still logs in a user who had the form open, and links back to the client", async () => {
    const at = await beginLogin({ client_uri: HOME })
    await (await clockedService()).advance(HOUR)
    await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
    expect(statusAndHeading(await followRedirects(at))).toEqual(REQUEST_ENDED)
    expect(linkToClient(at)).toBe(HOME)
    await begin(at)
    expect(redirectParams(at)).toMatchObject({ state: "s-1" })
  })
})

test("SEC-258: a page of an ended login never links to a client that registered itself", async () => {
  const realm = await (await clockedService()).given.realm({ ...openRealm, jwt_algo: "rs256" })
  const metadata = {
    ...agent,
    client_name: "Grafana",
    redirect_uris: [CALLBACK],
    client_uri: HOME,
    initiate_login_uri: START
  }
  const { key } = await realm.as("admin_realm")
  expect((await register(realm, metadata, key)).body).toMatchObject({ client_uri: HOME, initiate_login_uri: START })
  const reply = await register(realm, metadata)
  const [id, { client_uri }] = [reply.string("client_id"), Object(reply.body)]
  expect([reply.status, client_uri]).toEqual([201, undefined])
  await realm.put(`/v2/client_apps/${id}`, { client_app: { client_uri: HOME, initiate_login_uri: START } })
  const at = await authorizing(realm)
  const other = { ...at, client: { ...at.client, id } }
  await begin(other)
  const open = reopen(other)
  await (await clockedService()).advance(HOUR)
  expect(statusAndHeading(await open())).toEqual(REQUEST_ENDED)
  expect(linkToClient(other)).toBeUndefined()
})
