import { describe, expect, test } from "vitest"
import { Browser } from "../support/browser.ts"
import { statusAndHeading, visibleText } from "../support/pages.ts"
import { newRealm } from "../support/sallyport.ts"
import {
  appAt,
  appWithDouble,
  beginLogin,
  HANDLER,
  logInAtProvider,
  loginCookies,
  redirectTarget,
  returnWithCode
} from "./BrowserLogins.ts"

const NO_LOGIN = [404, "Login isn't available here"]
const NOT_RIGHT = [422, "This link isn't valid"]

describe("GET /auth/{provider}", () => {
  test("redirects to the provider and sets a cookie for this host only (SEC-36, SEC-37)", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const headers = { "x-forwarded-host": "evil.test", forwarded: "host=evil.test" }
    const { result, events } = await realm.seen.during(() => at.browser.go(at.path, { headers }))
    const url = redirectTarget(result)
    expect([result.status, result.text, events]).toEqual([302, "", []])
    expect(url.href.split("?")[0]).toBe(`${at.double.url}/authorize`)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: `${at.path}/callback`,
      state: expect.stringMatching(/^\w{43}$/),
      code_challenge_method: "S256"
    })
    expect(result.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-social_login_[0-9a-f]{16}=\w{43}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
    ])
    const [[name = "", secret = ""] = []] = Object.entries(loginCookies(at))
    expect(secret).toMatch(/^\w{43}$/)
    expect([url.href.includes(secret), secret.includes(name.slice(-16))]).toEqual([false, false])
    expect([result.headers.get("cache-control"), result.headers.get("referrer-policy")]).toEqual([
      "no-store",
      "no-referrer"
    ])
  })

  test("SEC-264: completes eight logins started at the same time in one browser", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const begun = await Promise.all(Array.from({ length: 8 }, () => at.browser.go(at.path)))
    const states = begun.map((reply) => redirectTarget(reply).searchParams.get("state") ?? "")
    expect(Object.keys(loginCookies(at)).length).toBe(8)
    const ended = await Promise.all(states.map((state) => returnWithCode(at, state)))
    expect(ended.map((reply) => [reply.status, redirectTarget(reply).origin])).toEqual(
      Array.from({ length: 8 }, () => [302, new URL(HANDLER).origin])
    )
    expect(loginCookies(at)).toEqual({})
  })

  test("finds a provider by type if the type is unique, but oauth2 providers only by id", async () => {
    const realm = await newRealm()
    const { browser, origin, provider } = await appWithDouble(realm)
    const github = await realm.authProvider({ provider_type: "github" })
    const url = redirectTarget(await browser.go(`${origin}/auth/github`))
    expect([url.host, url.searchParams.get("redirect_uri")]).toEqual([
      "github.com",
      `${origin}/auth/${github.id}/callback`
    ])
    expect((await browser.go(`${origin}/auth/${provider.id}`)).status).toBe(302)
    expect(statusAndHeading(await browser.go(`${origin}/auth/oauth2`))).toEqual(NO_LOGIN)
  })

  test("shows a 404 page for an unknown host, for an unknown provider and for password and totp", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { browser, origin, provider } = await appWithDouble(realm)
    const { id: foreign } = await other.authProvider()
    const addresses = [
      `https://nobody.local.localhost/auth/${provider.id}`,
      `https://id.example.test/auth/${provider.id}`,
      ...["google", "password", "totp", "apr_x", "nothing", "constructor", "%00", foreign].map(
        (name) => `${origin}/auth/${name}`
      )
    ]
    for (const address of addresses) {
      const reply = await browser.go(address)
      expect([address, ...statusAndHeading(reply), reply.headers.getSetCookie()]).toEqual([address, ...NO_LOGIN, []])
    }
  })

  test("shows a 404 page if the provider, app or realm is inactive (SEC-55)", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const states = [
      [`/v2/auth_providers/${at.provider.id}`, "auth_provider"],
      [`/v2/client_apps/${at.app.id}`, "client_app"],
      [`/v2/realms/${realm.id}`, "realm"]
    ] as const
    for (const [path, wrapper] of states) {
      const state = await beginLogin(at)
      await realm.put(path, { [wrapper]: { state: "inactive" } })
      expect([path, ...statusAndHeading(await at.browser.go(at.path))]).toEqual([path, ...NO_LOGIN])
      const back = await at.browser.go(`${at.path}/callback?code=a-code&state=${state}`)
      expect([path, ...statusAndHeading(back)]).toEqual([path, ...NO_LOGIN])
      await realm.put(path, { [wrapper]: { state: "active" } })
    }
    expect(at.double.got).toEqual([])
    expect((await logInAtProvider(at)).status).toBe(302)
  })

  test("allows only GET and HEAD", async () => {
    const { browser, path } = await appWithDouble(await newRealm())
    expect((await browser.go(path, { method: "HEAD" })).status).toBe(302)
    for (const method of ["POST", "PUT", "DELETE"]) {
      const reply = await browser.go(path, { method })
      expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    }
  })

  test("shows an error if the app has no login handler and no redirect_uri is given", async () => {
    const realm = await newRealm()
    const { provider } = await appWithDouble(realm)
    const bare = await appAt(realm, { login_handler: null, redirect_uris: ["https://app.example.test/cb"] })
    const address = `${bare.origin}/auth/${provider.id}`
    const browser = new Browser(realm.transport)
    expect(statusAndHeading(await browser.go(address))).toEqual([422, "This login isn't set up yet"])
    expect((await browser.go(`${address}?redirect_uri=https://app.example.test/cb`)).status).toBe(302)
  })

  test("uses the language of the browser", async () => {
    const { browser, origin } = await appWithDouble(await newRealm())
    const reply = await browser.go(`${origin}/auth/nothing`, { headers: { "accept-language": "es" } })
    expect(statusAndHeading(reply)).toEqual([404, "Aquí no se puede iniciar sesión"])
    expect(visibleText(reply)).toContain("Puede volver a la aplicación e iniciar sesión desde allí.")
  })
})

describe("SEC-33: redirect_uri", () => {
  const ALLOWED = "https://good.example/cb?next=1"
  const OWN = "com.acme.app:/done"

  test("replaces the handler if registered, and keeps its query", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm, { app: { redirect_uris: [ALLOWED, OWN] } })
    for (const [asked, before] of [
      [ALLOWED, "https://good.example/cb?next=1&token="],
      ["HTTPS://GOOD.example:443/cb?next=1", "https://good.example/cb?next=1&token="],
      [OWN, "com.acme.app:/done?token="]
    ] as const) {
      const reply = await logInAtProvider(at, `?redirect_uri=${encodeURIComponent(asked)}`)
      expect([reply.status, reply.headers.get("location")?.startsWith(before)]).toEqual([302, true])
    }
  })

  test("is rejected if it isn't registered, however similar it looks to a registered URI", async () => {
    const realm = await newRealm()
    const { browser, path } = await appWithDouble(realm, { app: { redirect_uris: [ALLOWED, OWN] } })
    for (const asked of [
      "https://good.example/cb",
      "https://good.example/cb?next=1&more=1",
      "https://good.example/cb?next=1#x",
      "https://good.example/cb/?next=1",
      "https://good.example/CB?next=1",
      "https://good.example/cb%2f?next=1",
      "https://good.example/%63b?next=1",
      "http://good.example/cb?next=1",
      "https://good.example:8443/cb?next=1",
      "https://good.example.evil.tld/cb?next=1",
      "https://good.example@evil.tld/cb?next=1",
      "https://user@good.example/cb?next=1",
      "https://gооd.example/cb?next=1",
      "//good.example/cb?next=1",
      "/cb",
      "https:good.example/cb?next=1",
      "https:\\\\good.example\\cb?next=1",
      "https://good.example\\@evil.tld/cb?next=1",
      "https://good.example/cb?next=1 ",
      "https://good.example/c\tb?next=1",
      "javascript:alert(1)",
      "com.acme.app:/done/more",
      "com.acme.app://done",
      "com.acme.app.evil:/done"
    ]) {
      const reply = await browser.go(`${path}?redirect_uri=${encodeURIComponent(asked)}`)
      expect([asked, ...statusAndHeading(reply), reply.headers.getSetCookie()]).toEqual([asked, ...NOT_RIGHT, []])
      expect(reply.text).not.toContain("evil")
    }
    const twice = `redirect_uri=${encodeURIComponent(ALLOWED)}`
    expect(statusAndHeading(await browser.go(`${path}?${twice}&${twice}`))).toEqual(NOT_RIGHT)
  })

  test("is rejected if the app removes the URI during the login", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm, { app: { redirect_uris: [ALLOWED] } })
    const state = await beginLogin(at, `?redirect_uri=${encodeURIComponent(ALLOWED)}`)
    await realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { redirect_uris: [] } })
    const reply = await realm.seen.during(() => at.browser.go(`${at.path}/callback?code=a-code&state=${state}`))
    expect([...statusAndHeading(reply.result), reply.events]).toEqual([...NOT_RIGHT, []])
  })
})
