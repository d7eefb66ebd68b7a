import { describe, expect, test } from "vitest"
import { HANDLER } from "../../external/BrowserLogins.ts"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  isLoggedIn,
  onProfilePage,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

const ASKED = [200, "Log out?"]
const REFUSED = [422, "This link isn't valid"]

const registered = {
  signup_handler: "https://app.example.test/welcome",
  redirect_uris: ["https://phone.example.test/cb?x=1&state=old"],
  logout_uris: ["https://www.example.test/goodbye", "com.acme.app:/bye"]
}

const PLACES = [HANDLER, registered.signup_handler, ...registered.redirect_uris, ...registered.logout_uris]

const queryOf = (redirect_uri: string, more: Readonly<Record<string, string>> = {}) =>
  new URLSearchParams({ redirect_uri, ...more }).toString()

describe("/logout with redirect_uri (C65)", () => {
  test("asks for confirmation, then redirects to a registered URI with the state but without a token", async () => {
    const realm = await newRealm()
    const { visitor, email, user } = await onProfilePage(realm, { app: registered })
    for (const place of PLACES) {
      await visitor.logIn(email, PASSWORD, "?way=login")
      const { sid } = claimsIn(visitor.leads)
      const page = await visitor.open(`/logout?${queryOf(place, { state: "a b&c" })}`)
      expect([place, ...statusAndHeading(page)]).toEqual([place, ...ASKED])
      const { result, events } = await realm.seen.during(() => visitor.fill({}, "Log out"))
      expect(events).toEqual([{ event_type: "session.deleted", user_id: user.id, session_id: sid }])
      expect(result.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=; Max-Age=0; /)])
      const expected = new URL(place)
      expected.searchParams.delete("state")
      const kept = expected.search === "" ? "?" : `${expected.search}&`
      expect([result.status, visitor.leads.href]).toEqual([303, `${place.split("?")[0]}${kept}state=a%20b%26c`])
      expect(await isLoggedIn(visitor)).toBe(false)
    }
    await visitor.logIn(email)
    await visitor.open(`/logout?${queryOf(HANDLER)}`)
    await visitor.fill({}, "Log out")
    expect(visitor.leads.href).toBe(HANDLER)
  })

  test("allows the redirect in its content security policy (C83)", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm, { app: registered })
    for (const place of ["https://www.example.test/goodbye", "com.acme.app:/bye"]) {
      const { headers, text } = await visitor.open(`/logout?${queryOf(place, { state: "s" })}`)
      expect(headers.get("content-security-policy")).not.toContain("form-action")
      expect(text).toContain('href="https://app.example.test/">Stay logged in')
    }
    expect((await visitor.open("/logout?state=s")).text).toContain('href="profile?state=s">Stay logged in')
  })

  test("redirects without asking if the browser has no session", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm, { app: registered })
    for (const place of PLACES) {
      const { result, events } = await realm.seen.during(() => visitor.open(`/logout?${queryOf(place)}`))
      expect([place, result.status, visitor.leads.href, events]).toEqual([place, 303, place, []])
    }
    expect(statusAndHeading(await visitor.open("/logout?state=s"))).toEqual([200, "You're logged out"])
    expect(visitor.page.text).toContain('href="login?state=s"')
  })

  test("SEC-33: rejects an unregistered redirect_uri without ending the session", async () => {
    const realm = await newRealm()
    const [elsewhere, sibling] = ["https://elsewhere.example.test/bye", "https://sibling.example.test/bye"]
    await visitorAtApp(await newRealm(), { app: { logout_uris: [elsewhere] } })
    await visitorAtApp(realm, { app: { logout_uris: [sibling] } })
    const { visitor, origin } = await onProfilePage(realm, { app: registered })
    const evil = [
      elsewhere,
      sibling,
      "https://www.example.test/goodbye/",
      "https://www.example.test/goodbye?x=1",
      "https://www.example.test/goodbye#x",
      "https://www.example.test.evil.tld/goodbye",
      "https://www.example.test@evil.tld/goodbye",
      "https://www.example.test\\@evil.tld/goodbye",
      "http://www.example.test/goodbye",
      "//evil.tld/goodbye",
      "/\\evil.tld",
      "/profile",
      "login",
      `${origin}/login`,
      "com.acme.app://bye",
      "javascript:alert(1)",
      "data:text/html,x",
      "https://www.example.test/goodbye\r\nset-cookie: a=b"
    ]
    const events = await realm.seen.caused(async () => {
      for (const redirect_uri of evil) {
        const stranger = new Visitor(realm.transport, origin)
        for (const page of [
          await stranger.open(`/logout?${queryOf(redirect_uri)}`),
          await visitor.open(`/logout?${queryOf(redirect_uri)}`),
          await visitor.send("/logout", { way: "logout", redirect_uri })
        ]) {
          expect([redirect_uri, ...statusAndHeading(page), page.headers.get("location")]).toEqual([
            redirect_uri,
            ...REFUSED,
            null
          ])
          expect([page.text.includes("evil"), page.headers.getSetCookie()]).toEqual([false, []])
        }
      }
      const good = queryOf(HANDLER)
      for (const query of [`${good}&${good}`, `${good}&${queryOf("https://evil.tld/")}`, `${good}&state=a&state=b`]) {
        expect([query, ...statusAndHeading(await visitor.open(`/logout?${query}`))]).toEqual([query, ...REFUSED])
      }
    })
    expect([events, await isLoggedIn(visitor)]).toEqual([[], true])
  })

  test("rejects a logout URI as the redirect_uri of a login", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: registered })
    for (const redirect_uri of registered.logout_uris) {
      for (const page of ["login", "signup"]) {
        expect([page, statusAndHeading(await visitor.open(`/${page}?${queryOf(redirect_uri)}`))]).toEqual([
          page,
          REFUSED
        ])
      }
      const form = { way: "login", name: email, password: PASSWORD, redirect_uri }
      expect(statusAndHeading(await visitor.send("/login", form))).toEqual(REFUSED)
    }
  })

  test("still works in an inactive realm", async () => {
    const realm = await newRealm()
    const { visitor, app } = await onProfilePage(realm, { app: registered })
    const [place = ""] = registered.logout_uris
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    await visitor.open(`/logout?${queryOf(place)}`)
    await visitor.fill({}, "Log out")
    expect(visitor.leads.href).toBe(place)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "active" } })
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { logout_uris: [] } })
    expect(statusAndHeading(await visitor.open(`/logout?${queryOf(place)}`))).toEqual(REFUSED)
    await realm.delete(`/v2/client_apps/${app.id}`)
    expect(statusAndHeading(await visitor.open(`/logout?${queryOf(place)}`))).toEqual([404, "Page not found"])
  })
})

describe("DELETE /sessions/{id} called by the app's server", () => {
  test("logs the browser out, so that /login asks for the password again", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: registered })
    const ends = [
      (url: URL) => realm.delete(`/v2/sessions/${claimsIn(url)["sid"]}`),
      (url: URL) => realm.delete(`/v1/sessions/${url.searchParams.get("token")}`)
    ]
    for (const end of ends) {
      await visitor.logIn(email)
      // A later token still belongs to the browser's session.
      await visitor.open("/login")
      expectTokenHandover(visitor.leads)
      expect((await end(visitor.leads)).status).toBe(204)
      expect([statusAndHeading(await visitor.open("/login")), visitor.form().open.has("password")]).toEqual([
        [200, "Log in"],
        true
      ])
      const { result, events } = await realm.seen.during(() => visitor.open(`/logout?${queryOf(HANDLER)}`))
      expect([result.status, visitor.leads.href, events]).toEqual([303, HANDLER, []])
    }
  })
})
