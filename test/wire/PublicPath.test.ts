import { expect, test } from "vitest"
import { Sallyport } from "#client/Sallyport"
import { Api } from "#testing/Api"
import { Given, uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { overHttp } from "#testing/Transport"
import { logIn } from "../oauth/peers/Journeys.ts"
import { openidClientParty } from "../oauth/peers/OpenidClientParty.ts"
import { peerFetch } from "../oauth/peers/PeerFetch.ts"
import { Person } from "../oauth/peers/Person.ts"
import { userAwaitingVerification } from "../support/mailbox.ts"
import { oauthClient } from "../support/oauth.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { type OwnService, ownService } from "../support/sallyport.ts"

const PUBLIC = "https://id.example.test/auth"

const CALLBACK = "https://app.example.test/callback"

/** A service behind a proxy that forwards requests to the public path. `go` fetches a path like a browser. */
const underPath = (use: (own: OwnService & { readonly go: (path: string) => Promise<Response> }) => Promise<void>) =>
  ownService(
    (own) => {
      const transport = overHttp(own.url)
      const headers = { accept: "text/html,*/*", authorization: `Bearer ${own.key}` }
      const go = (path: string) => peerFetch(transport)(new URL(path, PUBLIC), { headers })
      return use({ ...own, transport, given: new Given(transport, own.key), go })
    },
    { publicUrl: PUBLIC, mail: "mailbox" }
  )

/** The targets of the links, forms and files of a page on its own host. */
const linkTargets = (page: string): ReadonlyArray<string> => [
  ...new Set(
    [...page.matchAll(/ (?:href|src|action)="(\/[^"]*)"/g)].map(([, way = ""]) => way.replaceAll("&amp;", "&"))
  )
]

/** The links of a page, each with the status of its target. */
const linkStatuses = async (go: (path: string) => Promise<Response>, path: string) => {
  const page = await go(path)
  expect([path, page.status]).toEqual([path, 200])
  return Promise.all(linkTargets(await page.text()).map(async (way) => [way, (await go(way)).status]))
}

test("C274: health checks, API calls and the SDK work below the public path", () =>
  underPath(async ({ url, key, transport, go }) => {
    for (const path of ["/auth/healthz", "/auth/readyz", "/healthz", "/auth"]) expect((await go(path)).status).toBe(200)
    expect((await go("/authority")).status).toBe(404)
    const absolute = { method: "GET", path: `${PUBLIC}/healthz`, headers: { host: "id.example.test" } }
    expect((await transport.send(absolute)).status).toBe(200)
    expect(
      (await new Api(transport, key).post("/auth/v2/realms", { realm: { name: uniqueText("Harbour") } })).status
    ).toBe(201)
    for (const base of [url, `${url}/auth`]) {
      const sallyport = new Sallyport({ url: base, key })
      expect((await sallyport.realms.list({ max_results: 1 })).items).toHaveLength(1)
    }
    const homePage = await peerFetch(transport)(PUBLIC, {})
    expect(await homePage.json()).toMatchObject({
      docs: "/auth/docs",
      console: "/auth/console",
      health: "/auth/readyz"
    })
    const document = await peerFetch(transport)(`${PUBLIC}/openapi.json`)
    expect(await document.json()).toMatchObject({ servers: [{ url: "/auth" }] })
  }))

test("C274: every link, form and file of the public pages exists below the public path", () =>
  underPath(async ({ given, advance, go }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    await advance("1 minute")
    const list = await (await go(`/auth/mailbox?to=${email}`)).text()
    const mail = linkTargets(list).find((way) => way.includes("/mailbox/ml_")) ?? "no mail"
    const pages = [
      "/auth",
      "/auth/docs",
      "/auth/docs/guides",
      "/auth/docs/guides/webhooks",
      "/auth/docs/reference/v2.users",
      "/auth/docs/search?q=user",
      "/auth/console/users",
      mail
    ]
    for (const path of pages) {
      const found = await linkStatuses(go, path)
      expect([path, found.length > 0]).toEqual([path, true])
      expect(found.filter(([way, status]) => status !== 200 || !/^\/auth(?:[/?]|$)/.test(String(way)))).toEqual([])
    }
    expect(await (await go("/auth/docs")).text()).toContain('action="/auth/docs/search"')
    const shown = await (await go(mail)).text()
    const link = new RegExp(`${PUBLIC}/realms/${realm.id}/verify[^"]*`).exec(shown)?.[0].replaceAll("&amp;", "&") ?? ""
    const page = await go(link)
    expect([page.status, linkTargets(await page.text())]).toEqual([200, []])
  }))

test("C274: openid-client discovers an issuer with a path and logs in with it", () =>
  underPath(async ({ given, transport, go }) => {
    const realm = await given.realm()
    const app = await realm.connectedApp({ name: "Acme" })
    const email = `${uniqueText("jo")}@example.test`
    await quickUser(realm, { email })
    const client = await oauthClient(realm, { consent: "skip", redirect_uris: [CALLBACK] })
    const issuer = `${PUBLIC}/realms/${realm.id}`
    for (const path of [
      `/auth/realms/${realm.id}/.well-known/openid-configuration`,
      `/.well-known/oauth-authorization-server/auth/realms/${realm.id}`,
      `/.well-known/openid-configuration/auth/realms/${realm.id}`
    ]) {
      expect(await (await go(path)).json()).toMatchObject({ issuer, token_endpoint: `${issuer}/token` })
    }
    expect((await go(`${issuer}/jwks`)).status).toBe(200)
    const settings = {
      issuer: new URL(issuer),
      clientId: client.id,
      auth: { method: "client_secret_basic", secret: client.secret ?? "" } as const,
      redirectUri: CALLBACK,
      transport,
      clockSkew: Math.round((STARTS_AT - Date.now()) / 1_000)
    }
    const party = await openidClientParty(settings)
    const person = new Person(transport, { name: email })
    const tokens = await logIn({
      party,
      person,
      settings,
      postLogoutRedirectUri: CALLBACK,
      parameters: { scope: "openid" }
    })
    expect((await party.userinfo(tokens))["sub"]).toMatch(/^usr_/)
    // On the host of an app there is no path prefix, and /auth is one of its pages.
    const host = String(app.member("domains", 0))
    const login = await peerFetch(transport)(`https://${host}/login`, { headers: { accept: "text/html" } })
    expect(login.status).toBe(200)
    const social = await peerFetch(transport)(`https://${host}/auth/login`, { headers: { accept: "text/html" } })
    expect(social.status).toBe(404)
  }))

test.each([
  ["https://id.example.test/auth", "__Host-console_session", "/"],
  ["http://id.example.test/auth", "console_session", "/auth/console"]
])("C274: at %s, the console stores its session in the cookie %s for %s", (publicUrl, name, path) =>
  ownService(
    async ({ url, key }) => {
      const fetched = await peerFetch(overHttp(url))(`${publicUrl}/console/session`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-sallyport-console": "1", origin: new URL(publicUrl).origin },
        body: JSON.stringify({ api_key: key })
      })
      expect(fetched.status).toBe(201)
      const [cookie = ""] = fetched.headers.getSetCookie()
      expect([cookie.split("=", 1)[0], /; Path=([^;]*)/.exec(cookie)?.[1]]).toEqual([name, path])
      expect(await fetched.json()).toMatchObject({ service: { api_url: publicUrl } })
      const headers = { cookie: cookie.split(";", 1)[0] ?? "", "x-sallyport-console": "1" }
      const called = await peerFetch(overHttp(url))(`${publicUrl}/console/api/v2/realms`, { headers })
      expect(called.status).toBe(200)
    },
    { publicUrl }
  ))
