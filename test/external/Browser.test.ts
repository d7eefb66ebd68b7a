import { describe, expect, test } from "vitest"
import { Browser, KNOWN } from "../support/browser.ts"
import { profile, submitCallback } from "../support/external.ts"
import { userEvent as event, statusAndErrors } from "../support/logins.ts"
import { statusAndHeading, visibleText } from "../support/pages.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { RawResponse } from "../support/standIns.ts"
import {
  appAt,
  appWithDouble,
  beginLogin,
  HANDLER,
  logInAtProvider,
  loginCookies,
  redirectTarget,
  returnWithCode,
  sessionOf
} from "./BrowserLogins.ts"

const LOGIN_LOST = [422, "This login can't be completed"]
const REFUSED = [422, "You're not logged in"]
const USED = [422, ["State is invalid, has expired or has already been used."]]

describe("GET /auth/{provider}/callback", () => {
  test("redirects to the app's handler with the token of a new session and records the login", async () => {
    const realm = await newRealm()
    const told = profile()
    const user = await realm.user({ email: told.email, email_verification: "verified" })
    const at = await appWithDouble(realm, { told, app: { login_handler: `${HANDLER}?a=%20&token=x` } })
    const { result, events } = await realm.seen.during(() => logInAtProvider(at))
    const url = redirectTarget(result)
    expect([result.status, url.href.split("&token=")[0], url.searchParams.getAll("token").length]).toEqual([
      302,
      `${HANDLER}?a=+`,
      1
    ])
    expect([url.searchParams.has("signup"), result.headers.get("cache-control")]).toEqual([false, "no-store"])
    expect(result.headers.get("referrer-policy")).toBe("no-referrer")
    expect(result.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=\w{43}; Max-Age=21600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      KNOWN,
      expect.stringMatching(/^__Host-social_login_[0-9a-f]{16}=; Max-Age=0; /)
    ])
    const session = await sessionOf(realm, url)
    expect([session.status, session.member("user_id"), session.member("client_app_id")]).toEqual([
      200,
      user.id,
      at.app.id
    ])
    expect(events).toEqual([
      event(user, "updated"),
      { event_type: "user.login.succeeded", user_id: user.id, session_id: session.id }
    ])
    expect(at.double.at("token")[0]?.form).toMatchObject({ redirect_uri: `${at.path}/callback` })
  })

  test("redirects to the hosted page where the login started", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const pages = []
    for (const next of ["profile", "accounts", "https://evil.test/", "//evil.test", "login"]) {
      const reply = await logInAtProvider(at, `?next=${encodeURIComponent(next)}`)
      pages.push([next, reply.status, reply.headers.get("location")?.split("?")[0]])
    }
    expect(pages).toEqual([
      ["profile", 302, "/profile"],
      ["accounts", 302, "/accounts"],
      ["https://evil.test/", 302, HANDLER],
      ["//evil.test", 302, HANDLER],
      ["login", 302, HANDLER]
    ])
    expect(statusAndHeading(await at.browser.go(`${at.origin}/profile`))).toEqual([200, "Your profile"])
  })

  test("redirects a new user to the signup handler, if configured, with signup=true", async () => {
    for (const [app, place] of [
      [{}, HANDLER],
      [{ signup_handler: "https://app.example.test/welcome" }, "https://app.example.test/welcome"]
    ] as const) {
      const realm = await newRealm({ signup: "closed" })
      const url = redirectTarget(await logInAtProvider(await appWithDouble(realm, { app })))
      expect([url.origin + url.pathname, url.searchParams.get("signup")]).toEqual([place, "true"])
    }
  })

  test("redirects a posted response to a GET request that carries the cookie", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const state = await beginLogin(at)
    const form = { state, code: "a&b=c", session_state: "x" }
    const posted = await new Browser(realm.transport).go(`${at.path}/callback`, {
      form,
      headers: { origin: "https://sso" }
    })
    const location = posted.headers.get("location") ?? ""
    expect([posted.status, location.split("?")[0], at.double.got]).toEqual([
      303,
      new URL(at.path).pathname + "/callback",
      []
    ])
    expect((await at.browser.go(new URL(location, at.path))).status).toBe(302)
    expect(at.double.at("token")[0]?.form).toMatchObject({ code: "a&b=c" })
    expect((await at.browser.go(`${at.path}/callback`, { method: "PUT" })).status).toBe(405)
  })

  test("shows why a login failed, with a link to retry with the same state", async () => {
    const realm = await newRealm()
    const told = profile({ email_verified: false })
    await realm.user({ email: told.email })
    const at = await appWithDouble(realm, { told })
    const state = await beginLogin(at)
    const attempts = [
      [{ error: "access_denied" }, "The login was canceled at the other service."],
      [{ error: "<script>\u202e" }, "Other service returned an error: invalid."],
      [{ code: "a-code" }, "A user with this email already exists, and the provider has not verified it."]
    ] as const
    for (const [query, sentence] of attempts) {
      const { result, events } = await realm.seen.during(() => returnWithCode(at, state, query))
      expect([...statusAndHeading(result), visibleText(result), events]).toEqual([
        ...REFUSED,
        expect.stringContaining(sentence),
        []
      ])
      expect(result.text).toContain(`href="${at.double.url}/authorize?`)
      expect(result.text).toContain(state)
      // The other login methods are on the same page.
      expect(result.text).toMatch(/href="\.\.\/\.\.\/login\?[^"]*way=login"/)
    }
    at.double.answers({ token: new RawResponse(400, '{"error":"invalid_grant"}') })
    expect(visibleText(await returnWithCode(at, state))).toContain("Error validating code.")
    at.double.answers({ token: { access_token: "at", token_type: "bearer" }, profile: profile() })
    expect((await returnWithCode(at, state)).status).toBe(302)
  })
})

describe("SEC-60, SEC-36: a provider login in a browser", () => {
  test("CVE-2026-7507 CVE-2022-25896: is rejected in any other browser without using up the state", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const state = await beginLogin(at)
    const victim = { ...at, browser: new Browser(realm.transport) }
    const strangers = [async () => undefined, async () => void (await beginLogin(victim))]
    for (const before of strangers) {
      await before()
      for (const query of [{ code: "a-code" }, { error: "access_denied" }]) {
        const { result, events } = await realm.seen.during(() => returnWithCode(victim, state, query))
        expect([...statusAndHeading(result), events]).toEqual([...LOGIN_LOST, []])
        expect([visibleText(result).includes("Start over"), result.text.includes(state)]).toEqual([true, false])
      }
    }
    expect(at.double.got).toEqual([])
    expect((await returnWithCode(at, state)).status).toBe(302)
  })

  test("creates a separate session, even in parallel with another provider login", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const states = [await beginLogin(at), await beginLogin(at)]
    const ids: Array<string> = []
    for (const state of states) {
      const session = await sessionOf(realm, redirectTarget(await returnWithCode(at, state)))
      ids.push(session.id)
    }
    expect(new Set(ids).size).toBe(2)
    expect(at.browser.cookies(at.host)).toEqual({
      "__Host-session": expect.stringMatching(/^\w{43}$/),
      "__Host-known_browser": expect.stringMatching(/^\w{43}$/)
    })
    // The number of cookies for unfinished logins is limited.
    const last: Array<string> = []
    for (let n = 0; n < 20; n += 1) last.push(await beginLogin(at))
    expect(Object.keys(loginCookies(at)).length).toBe(16)
    expect(statusAndHeading(await returnWithCode(at, last[3] ?? ""))).toEqual(LOGIN_LOST)
    expect((await returnWithCode(at, last[4] ?? "")).status).toBe(302)
  })

  test("CVE-2025-46815 (SEC-64): rejects a reused, unknown or missing state without contacting the provider", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const state = await beginLogin(at)
    await beginLogin(at)
    expect((await returnWithCode(at, state)).status).toBe(302)
    const requestCount = at.double.got.length
    const callback = `${at.path}/callback`
    for (const query of [
      `?code=a-code&state=${state}`,
      `?code=a-code&state=${"A".repeat(43)}`,
      "?code=a-code&state=%00",
      "?code=a-code",
      "",
      `?code=a-code&state=${state}&state=${state}`
    ]) {
      expect([query, ...statusAndHeading(await at.browser.go(callback + query))]).toEqual([query, ...LOGIN_LOST])
    }
    const other = await beginLogin(at)
    expect(statusAndHeading(await at.browser.go(`${callback}?state=${other}`))).toEqual(LOGIN_LOST)
    expect(at.double.got.length).toBe(requestCount)
  })

  test("completes only once when the browser returns several times at once", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const state = await beginLogin(at)
    const cookie = Object.entries(at.browser.cookies(at.host))
      .map(([name, value]) => `${name}=${value}`)
      .join("; ")
    const { result, events } = await realm.seen.during(() =>
      Promise.all(
        [1, 2, 3, 4].map(() =>
          new Browser(realm.transport).go(`${at.path}/callback?code=a-code&state=${state}`, { headers: { cookie } })
        )
      )
    )
    expect(result.map(({ status }) => status).sort()).toEqual([302, 422, 422, 422])
    expect(events.map(({ event_type }) => event_type)).toEqual(["user.created", "user.login.succeeded"])
  })

  test("expires after 30 minutes", () =>
    ownService(async ({ given, advance }) => {
      const at = await appWithDouble(await given.realm())
      const [early, late] = [await beginLogin(at), await beginLogin(at)]
      await advance("29 minutes")
      expect((await returnWithCode(at, early)).status).toBe(302)
      await advance("1 minute")
      expect(statusAndHeading(await returnWithCode(at, late))).toEqual(LOGIN_LOST)
    }))

  test("SEC-62: is rejected at another provider or app, or if the app's backend started the login", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm)
    const other = await appWithDouble(realm)
    const state = await beginLogin(at)
    const elsewhere = [
      `${at.origin}/auth/${other.provider.id}`,
      `${other.origin}/auth/${at.provider.id}`,
      `${(await appAt(await newRealm())).origin}/auth/${at.provider.id}`
    ]
    const [[name = "", kept = ""] = []] = Object.entries(loginCookies(at))
    for (const path of elsewhere) {
      const headers = { cookie: `${name}=${kept}` }
      const reply = await new Browser(realm.transport).go(`${path}/callback?code=a-code&state=${state}`, { headers })
      expect([path, reply.status, reply.headers.get("location")]).toEqual([path, expect.any(Number), null])
      expect([422, 404]).toContain(reply.status)
    }
    expect(statusAndErrors(await submitCallback(realm, { state, nonce: kept }))).toEqual(USED)
    const query = `redirect_uri=${encodeURIComponent(`${at.path}/callback`)}&nonce=${kept}`
    const url = await realm.get(`/v2/auth_providers/${at.provider.id}/authorize?${query}`)
    const ofBackend = new URL(url.string("auth_url")).searchParams.get("state") ?? ""
    expect(statusAndHeading(await returnWithCode(at, ofBackend))).toEqual(LOGIN_LOST)
    expect([...at.double.got, ...other.double.got]).toEqual([])
    expect((await returnWithCode(at, state)).status).toBe(302)
  })
})
