import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import {
  type Authorizing,
  authorize,
  authorizing,
  begin,
  CALLBACK,
  CHOICE,
  CONSENT,
  followRedirects,
  LOGIN,
  redirectParams,
  requestAuthorization
} from "../support/authorize.ts"
import { PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { heading, statusAndHeading, tagsOf, visibleText } from "../support/pages.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { clockedService } from "../support/sallyport.ts"
import { Visitor } from "../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)
const advanceClock = async (seconds: number) => (await clockedService()).advance(`${seconds} seconds`)

const INVALID = [400, "This link isn't valid"]
const SAFE = { policy: true, frames: "DENY", referrer: "no-referrer", cache: "no-store" }

/** Logs a user in for a client and stops at the consent page. */
const atConsentPage = async (params: Readonly<Record<string, string>> = {}) => {
  const at = await authorizing(await newRealm(), { client: { consent: "ask" } })
  await begin(at, params)
  await at.visitor.fill({ name: at.email, password: PASSWORD }, LOGIN)
  await followRedirects(at)
  expect(heading(at.visitor.page)).toBe(CONSENT)
  return at
}

/** The URL of one browser's authorization request, to be opened in another browser. */
const linkOf = async (at: Authorizing, params = {}): Promise<string> => {
  const { pathname, search } = new URL((await requestAuthorization(at, params)).headers.get("location") ?? "")
  return pathname + search
}

const headersOf = ({ headers }: Reply) => ({
  policy: headers.get("content-security-policy")?.includes("frame-ancestors 'none'"),
  frames: headers.get("x-frame-options"),
  referrer: headers.get("referrer-policy"),
  cache: headers.get("cache-control")
})

describe("SEC-162: the consent form", () => {
  test("rejects submissions from other sites (CSRF)", async () => {
    const at = await atConsentPage()
    const { values } = at.visitor.form("Allow")
    for (const headers of [
      { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { origin: "https://other.example.test", "sec-fetch-site": "same-site" },
      { origin: "null", "sec-fetch-site": "cross-site" }
    ]) {
      const { events } = await at.realm.seen.during(() => at.visitor.send("authorize", values, headers))
      expect(statusAndHeading(at.visitor.page)).toEqual([403, "This request came from another site"])
      expect(events).toEqual([])
    }
  })

  test("redirects a browser without a session to the login page", async () => {
    const at = await atConsentPage()
    const stranger = { ...at, visitor: new Visitor(at.realm.transport, at.origin) }
    await stranger.visitor.send("authorize", at.visitor.form("Allow").values)
    await followRedirects(stranger)
    expect(heading(stranger.visitor.page)).toBe(LOGIN)
  })

  test("cannot be framed, like every page of an authorization request (clickjacking)", async () => {
    const at = await atConsentPage()
    const pages = [at.visitor.page]
    await begin(at, { prompt: "select_account", scope: "openid email" })
    pages.push(at.visitor.page)
    await at.visitor.fill({}, "Allow").catch(() => at.visitor.fill())
    pages.push(at.visitor.page)
    pages.push(
      await requestAuthorization(at, { response_mode: "form_post", scope: "nothing" }),
      await requestAuthorization(at, { redirect_uri: "x" })
    )
    expect(pages.map(headersOf)).toEqual(pages.map(() => SAFE))
  })

  test("issues one code and records one consent when submitted several times at once", async () => {
    const at = await atConsentPage()
    const { values } = at.visitor.form("Allow")
    const { result, events } = await at.realm.seen.during(() =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          at.visitor.browser.go(`${at.origin}/authorize`, {
            form: values,
            headers: { origin: "null", "sec-fetch-site": "same-origin" }
          })
        )
      )
    )
    expect(result.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(result.filter(({ status }) => status === 400)).toHaveLength(7)
    expect(events.map(({ event_type }) => event_type)).toEqual(["oauth.consent.granted"])
  })
})

describe("SEC-163: an authorization request opened in another browser", () => {
  test("does not log in as the original user or leak a code (login CSRF, session fixation)", async () => {
    const attacker = await authorizing(await newRealm(), { client: { consent: "ask" } })
    const link = await linkOf(attacker, { state: "attacker" })
    await attacker.visitor.open(link)
    await followRedirects(attacker)
    await attacker.visitor.fill({ name: attacker.email, password: PASSWORD }, LOGIN)
    await followRedirects(attacker)
    expect(heading(attacker.visitor.page)).toBe(CONSENT)
    const victim = { ...attacker, visitor: new Visitor(attacker.realm.transport, attacker.origin) }
    await victim.visitor.open(link)
    await followRedirects(victim)
    expect(heading(victim.visitor.page)).toBe(LOGIN)
    const user = await quickUser(attacker.realm)
    await victim.visitor.fill({ name: user.string("email"), password: PASSWORD }, LOGIN)
    await followRedirects(victim)
    // The attacker's login and consent don't affect the victim's browser.
    expect(heading(victim.visitor.page)).toBe(CONSENT)
    expect(visibleText(victim.visitor.page)).toContain(user.string("email"))
    await victim.visitor.fill({}, "Allow")
    expect(redirectParams(victim)).toMatchObject({ state: "attacker" })
    // The request is already completed, so the attacker gets no code from it.
    await attacker.visitor.fill({}, "Allow")
    expect(statusAndHeading(attacker.visitor.page)).toEqual([400, "This login can't be completed"])
  })

  test("is not found on another app's host or in another realm", async () => {
    const at = await authorizing(await newRealm())
    const link = await linkOf(at)
    const elsewhere = await authorizing(await newRealm())
    await elsewhere.visitor.open(link)
    expect(statusAndHeading(elsewhere.visitor.page)).toEqual([400, "This login can't be completed"])
    const app = await at.realm.connectedApp({ login_handler: "https://app.example.test/login" })
    const atOtherApp = new Visitor(at.realm.transport, `https://${app.string("domains", 0)}`)
    await atOtherApp.open(link)
    expect(statusAndHeading(atOtherApp.page)).toEqual([404, "Login isn't available here"])
  })

  test("expires after an hour", async () => {
    const at = await authorizing(await newRealm())
    const link = await linkOf(at)
    await advanceClock(3_600)
    await at.visitor.open(link)
    expect(statusAndHeading(at.visitor.page)).toEqual([400, "This login can't be completed"])
  })
})

describe("SEC-164: a response to the browser", () => {
  test("has headers that keep codes out of Referer headers and caches", async () => {
    const at = await authorizing(await newRealm())
    const redirect = await requestAuthorization(at)
    expect([redirect.status, headersOf(redirect)]).toMatchObject([303, { referrer: "no-referrer", cache: "no-store" }])
    await authorize(at)
    expect([at.visitor.page.status, headersOf(at.visitor.page)]).toMatchObject([
      303,
      { referrer: "no-referrer", cache: "no-store" }
    ])
    await begin(at, { response_mode: "form_post" })
    expect(headersOf(at.visitor.page)).toEqual(SAFE)
  })

  test("contains no code for HEAD requests, which link previews send", async () => {
    const at = await authorizing(await newRealm())
    await authorize(at)
    const link = await linkOf(at)
    const preview = await at.visitor.browser.go(at.origin + link, { method: "HEAD" })
    expect(preview.headers.get("location")).toMatch(/^login\?/)
    await at.visitor.open(link)
    expect(redirectParams(at)).toMatchObject({ code: expect.any(String) })
  })
})

describe("SEC-165: a program that impersonates a native client", () => {
  const native = async (consent: string, redirect_uri: string) => {
    const settings = {
      client_type: "native",
      consent,
      redirect_uris: ["com.example.app:/callback", "editor://bank.example.test/callback", "http://127.0.0.1/cb"]
    }
    const at = await authorizing(await newRealm(), { client: settings })
    await authorize(at, { redirect_uri }, redirect_uri)
    await advanceClock(10)
    return at
  }

  test.each([
    "com.example.app:/callback",
    "editor://bank.example.test/callback",
    "http://127.0.0.1:51234/cb"
  ])("gets no code without user interaction, and its redirect URI is never shown as a host (SEC-214): %s", async (redirect_uri) => {
    const own = await native("skip", redirect_uri)
    await begin(own, { redirect_uri })
    expect(heading(own.visitor.page)).toBe(CHOICE)
    await begin(own, { redirect_uri, prompt: "none" })
    expect(redirectParams(own, redirect_uri)).toMatchObject({ error: "account_selection_required" })
    const others = await native("ask", redirect_uri)
    await begin(others, { redirect_uri })
    expect(heading(others.visitor.page)).toBe(CONSENT)
    expect(visibleText(others.visitor.page)).toContain("an app on this device")
    expect(visibleText(others.visitor.page)).not.toContain("bank.example.test")
    await others.visitor.fill({}, "Allow")
    await begin(others, { redirect_uri })
    expect(heading(others.visitor.page)).toBe(CONSENT)
  })
})

describe("SEC-166: an authorization request stops working at every step", () => {
  const reopen = async (at: Authorizing, link: string) => {
    await at.visitor.open(link)
    return statusAndHeading(await followRedirects(at))
  }

  test("when the client is deactivated", async () => {
    const at = await atConsentPage()
    const { values } = at.visitor.form("Allow")
    await at.realm.put(`/v2/client_apps/${at.client.id}`, { client_app: { state: "inactive" } })
    await at.visitor.send("authorize", values)
    expect(statusAndHeading(at.visitor.page)).toEqual(INVALID)
    expect(statusAndHeading(await requestAuthorization(at))).toEqual(INVALID)
  })

  test("when the redirect URI is removed from the client", async () => {
    const at = await authorizing(await newRealm())
    const link = await linkOf(at)
    await at.realm.put(`/v2/client_apps/${at.client.id}`, {
      client_app: { redirect_uris: ["https://new.example.test/"] }
    })
    expect(await reopen(at, link)).toEqual(INVALID)
  })

  test("when the user is deactivated, and asks for another login", async () => {
    const at = await atConsentPage()
    const { values } = at.visitor.form("Allow")
    await at.realm.put(`/v2/users/${at.user.id}`, { user: { state: "inactive" } })
    await at.visitor.send("authorize", values)
    await followRedirects(at)
    expect(heading(at.visitor.page)).toBe(LOGIN)
  })

  test("when the login app is deactivated, and ignores sessions of the replacement app", async () => {
    const at = await authorizing(await newRealm())
    const link = await linkOf(at)
    await at.realm.put(`/v2/client_apps/${at.app.id}`, { client_app: { state: "inactive" } })
    expect((await reopen(at, link))[0]).toBe(404)
    const [status, title] = statusAndHeading(await requestAuthorization(at))
    expect([status, title]).toEqual([404, "Login isn't available here"])
  })

  test("when the realm is deactivated", async () => {
    const at = await authorizing(await newRealm())
    const link = await linkOf(at)
    await at.realm.put(`/v2/realms/${at.realm.id}`, { realm: { state: "inactive" } })
    expect(await reopen(at, link)).toEqual([422, "Not available right now"])
    const reply = await requestAuthorization(at)
    expect(reply.headers.get("location")).toMatch(new RegExp(`^${CALLBACK}\\?error=access_denied&`))
  })
})

describe("SEC-167: text supplied by a client", () => {
  test("cannot inject markup into the pages", async () => {
    const evil = '"><script>alert(1)</script><a href="https://evil.example">'
    const plain = await atConsentPage({ ui_locales: "en" })
    const at = await authorizing(await newRealm(), { client: { consent: "ask", name: evil } })
    await authorize(at)
    await advanceClock(1)
    await begin(at, { prompt: "consent", state: evil, nonce: evil, ui_locales: evil, login_hint: at.email })
    expect(tagsOf(at.visitor.page)).toEqual(tagsOf(plain.visitor.page))
    await begin(at, { response_mode: "form_post", state: evil })
    expect(at.visitor.page.text).not.toContain("<script>alert")
  })

  test("is rejected and not stored if it is too long or contains NUL", async () => {
    const at = await authorizing(await newRealm())
    for (const params of [{ state: "s".repeat(5_000) }, { nonce: "a\u0000b" }, { login_hint: "\u0000" }]) {
      const reply = await requestAuthorization(at, params)
      expect(reply.headers.get("location")).toContain("error=invalid_request")
    }
  })

  test("is rejected if org_id names an org that the user doesn't belong to", async () => {
    const at = await authorizing(await newRealm({ org_mode: "multi_user" }))
    const org = await at.realm.post("/v2/orgs", { org: { name: "Other" } })
    expect(await authorize(at, { org_id: org.id })).toMatchObject({ error: "access_denied", state: "s-1" })
  })

  test("cannot refer to a client of another realm", async () => {
    const [one, other] = [await authorizing(await newRealm()), await authorizing(await newRealm())]
    expect(statusAndHeading(await requestAuthorization({ ...one, client: other.client }))).toEqual(INVALID)
    const mine = await oauthClient(one.realm, { login_app_id: one.app.id })
    expect((await requestAuthorization({ ...one, client: mine })).status).toBe(303)
  })
})
