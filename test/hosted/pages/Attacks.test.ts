import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { oauth2StandIn, profile } from "../../support/external.ts"
import { effectsOf } from "../../support/hostedApi.ts"
import { enrolled, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import { mailedToken, passwordToken } from "../../support/tokens.ts"
import {
  expectTokenHandover,
  isLoggedIn,
  linkTo,
  onProfilePage,
  SAME_SITE_HEADERS,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

/** A valid form for every page that can change something for the logged-in user. */
const effectiveForms = async (realm: GivenRealm, userId: string, email: string) => {
  const [org, other] = [await realm.org(), await realm.user()]
  await realm.membership(userId, org.id, { permissions: ["ar:admin"] })
  return {
    login: { way: "login", name: email, password: PASSWORD },
    profile: { way: "details", first_name: "Eve", email, current_password: PASSWORD },
    accounts: { way: "choose", org_id: org.id },
    team: { way: "invite", org: org.id, email: "ida@example.test", role: "Guest" },
    invitation: { way: "invite", email: "eve@example.test", org_id: org.id },
    signup: { email: "new@example.test", username: "new", password: PASSWORD },
    forgot: { name: email },
    reset: {
      token: await passwordToken(realm, userId),
      password: OTHER_PASSWORD,
      password_confirmation: OTHER_PASSWORD
    },
    verify: { token: await mailedToken(realm, other.id) },
    logout: { way: "logout" }
  } satisfies Readonly<Record<string, Readonly<Record<string, string>>>>
}

const roles = [{ name: "Guest", permissions: [] }]

describe("SEC-35: a form submitted by another site", () => {
  test("is rejected by every page without changing data", async () => {
    const realm = await newRealm({ org_mode: "multi_user", roles })
    const { user, email, visitor, origin } = await onProfilePage(realm)
    const forms = await effectiveForms(realm, user.id, email)
    const foreign = [
      { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "cross-site" },
      { origin: "null", "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
      { origin: "https://evil.test" },
      { origin: origin.replace("https://", "https://evil.") },
      { origin: `${origin}.evil.test` },
      { origin: "https://app.example.test" },
      { origin: "https://evil.test", "sec-fetch-site": "same-origin" }
    ]
    const events = await realm.seen.caused(async () => {
      for (const [page, form] of Object.entries(forms)) {
        for (const headers of foreign) {
          const reply = await visitor.send(`/${page}`, form, headers)
          expect([page, headers, ...statusAndHeading(reply), reply.headers.getSetCookie()]).toEqual([
            page,
            headers,
            403,
            "This request came from another site",
            []
          ])
        }
        for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/json"]) {
          const body = new URLSearchParams(form).toString()
          const reply = await visitor.browser.go(`${origin}/${page}`, { body, headers: { "content-type": type } })
          expect([page, type, reply.status]).toEqual([page, type, 415])
        }
      }
    })
    expect([events, await isLoggedIn(visitor)]).toEqual([[], true])
    const types = (
      await realm.seen.caused(async () => {
        for (const [page, form] of Object.entries(forms)) {
          expect([page, (await visitor.send(`/${page}`, form)).status]).toEqual([
            page,
            expect.toSatisfy((n) => n < 400)
          ])
        }
      })
    ).map(({ event_type }) => event_type)
    expect(types).toEqual(
      expect.arrayContaining([
        "user.login.succeeded",
        "invitation.org.created",
        "user.created",
        "user.password_token.consumed"
      ])
    )
  })
})

describe("SEC-30: a link", () => {
  test("never changes anything, and a link to /logout asks first", async () => {
    const realm = await newRealm({ org_mode: "multi_user", roles })
    const { user, email, visitor, origin } = await onProfilePage(realm, { app: { auto_continue: false } })
    const forms = await effectiveForms(realm, user.id, email)
    const before = await realm.get(`/v2/users/${user.id}`)
    const cookie = visitor.cookie
    const events = await effectsOf(realm, async (own) => {
      const headers = { cookie: `__Host-session=${cookie}` }
      for (const [page, form] of Object.entries(forms)) {
        for (const method of ["GET", "HEAD"]) {
          const address = `${origin}/${page}?${new URLSearchParams(form)}`
          const reply = await new Visitor(own.transport, origin).browser.go(address, { method, headers })
          expect([page, method, reply.status, reply.headers.getSetCookie()]).toEqual([page, method, 200, []])
          expect(reply.text).not.toMatch(/ey\w+\.ey\w+/)
        }
      }
    })
    expect([events, (await realm.get(`/v2/users/${user.id}`)).body]).toEqual([[], before.body])
    expect([statusAndHeading(await visitor.open("/logout?way=logout")), await isLoggedIn(visitor)]).toEqual([
      [200, "Log out?"],
      true
    ])
  })
})

describe("SEC-36, session fixation: a login", () => {
  test("CVE-2026-7507: creates a new session and secret instead of adopting a planted cookie", async () => {
    const realm = await newRealm()
    const eve = await onProfilePage(realm)
    const offered = [eve.visitor.cookie ?? "", "A".repeat(43), "x"]
    const seen = new Set<string>()
    for (const value of offered) {
      const { visitor, user, email, app } = await visitorAtApp(realm)
      // The victim's browser on the host where Eve is logged in.
      const victim = new Visitor(realm.transport, eve.origin)
      const headers = { ...SAME_SITE_HEADERS, cookie: `__Host-session=${value}` }
      const reply = await victim.send("/login", { way: "login", name: email, password: PASSWORD }, headers)
      expectTokenHandover(victim.leads)
      expect([reply.status, visitor.cookie, app.id === eve.app.id]).toEqual([303, undefined, false])
      expect(offered).not.toContain(victim.cookie)
      seen.add(victim.cookie ?? "")
      // The planted cookie reveals nothing about the victim.
      const profile = await victim.browser.go(`${eve.origin}/profile`, {
        headers: { cookie: `__Host-session=${value}` }
      })
      expect(profile.text).not.toContain(user.string("email"))
    }
    expect(seen.size).toBe(offered.length)
  })

  test("CVE-2022-25896: invalidates the browser's previous cookie, as do sign-ups and provider logins", async () => {
    const realm = await newRealm()
    const { visitor, email, origin } = await onProfilePage(realm)
    const isValid = async (cookie: string | undefined) => {
      const headers = { cookie: `__Host-session=${cookie}` }
      return (await new Visitor(realm.transport, origin).browser.go(`${origin}/profile`, { headers })).status === 200
    }
    const first = visitor.cookie
    expect(await isValid(first)).toBe(true)
    await visitor.logIn(email, PASSWORD, "?way=login")
    const second = visitor.cookie
    expect([await isValid(first), await isValid(second)]).toEqual([false, true])
    await visitor.open("/signup")
    await visitor.fill({ email: "more@example.test", username: "more", password: PASSWORD })
    const third = visitor.cookie
    expect([await isValid(second), await isValid(third)]).toEqual([false, true])
    const { provider, double } = await oauth2StandIn(realm, profile())
    const elsewhere = await visitor.browser.go(`${origin}/auth/${provider.id}`)
    const state = new URL(elsewhere.headers.get("location") ?? "").searchParams.get("state") ?? ""
    await visitor.browser.go(`${origin}/auth/${provider.id}/callback?${new URLSearchParams({ state, code: "a-code" })}`)
    expect([double.at("token").length, await isValid(third), await isValid(visitor.cookie)]).toEqual([1, false, true])
  })

  test("CVE-2024-28197: creates no session before the second factor and upgrades no existing session", async () => {
    const realm = await newRealm()
    const eve = await onProfilePage(realm)
    const { user, email } = await visitorAtApp(realm)
    const device = await enrolled(realm, user.id)
    const victim = new Visitor(realm.transport, eve.origin)
    const cookie = `__Host-session=${eve.visitor.cookie}`
    await victim.send("/login", { way: "login", name: email, password: PASSWORD }, { ...SAME_SITE_HEADERS, cookie })
    expect([statusAndHeading(victim.page), victim.cookie]).toEqual([[200, "Enter your code"], undefined])
    expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items).toEqual([])
    const { values } = victim.form()
    await victim.send("/login", { ...values, code: device.code() }, { ...SAME_SITE_HEADERS, cookie })
    expectTokenHandover(victim.leads)
    expect(victim.cookie).not.toBe(eve.visitor.cookie)
    expect((await eve.visitor.open("/profile")).text).not.toContain(email)
  })
})

describe("SEC-37: URLs on pages and in emails", () => {
  const told = {
    "x-forwarded-host": "evil.test",
    "x-forwarded-proto": "http",
    "x-forwarded-port": "8080",
    "x-original-host": "evil.test",
    "x-http-method-override": "POST",
    forwarded: "host=evil.test;proto=http"
  }

  test("are unaffected by forged Host, Forwarded and X-Forwarded-* headers", async () => {
    const realm = await newRealm()
    const { visitor, email, host } = await visitorAtApp(realm)
    for (const name of [host, `${host}:8080`, host.toUpperCase(), `${host}.`]) {
      const headers = { ...SAME_SITE_HEADERS, ...told, host: name }
      const form = { way: "login", name: email, password: PASSWORD }
      await visitor.send("/login", form, headers)
      expectTokenHandover(visitor.leads)
      expect(visitor.page.headers.getSetCookie()[0]).toMatch(/^__Host-session=.*; Secure; /)
      const page = await visitor.browser.go(`${visitor.origin}/login?way=login`, { headers })
      expect([page.status, /evil|8080/.test(page.text)]).toEqual([200, false])
      expect(page.text.match(/ (?:action|href)="(?!\w+["?])[^"]*"/g)).toBe(null)
    }
    for (const name of ["evil.test", `${host}@evil.test`, `${host}.evil.test`, `evil.test:${host}`]) {
      const headers = { ...told, host: name, "x-forwarded-host": host }
      expect([name, (await visitor.browser.go(`${visitor.origin}/login`, { headers })).status]).toEqual([name, 404])
    }
  })

  test("CVE-2025-64101 GHSA-93m4-mfpg-c3xf: point to the app's own host in emails", async () => {
    const { given } = await clockedService()
    const realm = await given.realm()
    const { visitor, email, host, origin } = await visitorAtApp(realm)
    await visitor.send("/forgot", { name: email }, { ...SAME_SITE_HEADERS, ...told, host: `${host}:8080` })
    await expect
      .poll(async () => (await realm.get("/v2/events?event_type=user.password.resetting")).items.length)
      .toBe(1)
    expect((await linkTo(email)).startsWith(`${origin}/reset?token=`)).toBe(true)
  })
})
