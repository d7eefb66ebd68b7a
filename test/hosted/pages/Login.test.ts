import { describe, expect, test } from "vitest"
import { sessionOf } from "../../external/BrowserLogins.ts"
import { KNOWN } from "../../support/browser.ts"
import { enrolled, userEvent as event, PASSWORD, wrongCode } from "../../support/logins.ts"
import { fieldOf, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { newRealm, ownService } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  formsIn,
  SAME_SITE_HEADERS,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

const [LOGIN, AGAIN] = [[200, "Log in"] as const, [422, "Log in"] as const]
const CODE = [200, "Enter your code"]

describe("/login with a password", () => {
  test("redirects to the app's handler with the token of a new session", async () => {
    const realm = await newRealm()
    const { user, app, email, visitor } = await visitorAtApp(realm)
    expect(statusAndHeading(await visitor.open("/login"))).toEqual(LOGIN)
    expect(visitor.page.headers.getSetCookie()).toEqual([])
    const { result, events } = await realm.seen.during(() => visitor.fill({ name: email, password: PASSWORD }))
    expect(result.status).toBe(303)
    expectTokenHandover(visitor.leads)
    expect(result.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=\w{43}; Max-Age=21600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      KNOWN
    ])
    const session = await sessionOf(realm, visitor.leads)
    expect([session.member("user_id"), session.member("client_app_id")]).toEqual([user.id, app.id])
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: session.id }])
    expect([result.headers.get("cache-control"), result.headers.get("referrer-policy")]).toEqual([
      "no-store",
      "no-referrer"
    ])
  })

  test("accepts the username in any letter case and records address and browser", async () => {
    const realm = await newRealm({ session_minutes: 30 })
    const { visitor } = await visitorAtApp(realm, { user: { username: "ada" } })
    const form = { name: " ADA", password: PASSWORD, way: "login" }
    const reply = await visitor.send("/login", form, { ...SAME_SITE_HEADERS, "user-agent": "Wanderer/1.0" })
    expect(reply.headers.getSetCookie()[0]).toContain("; Max-Age=1800; ")
    const request = { ip: "127.0.0.1", client: "Wanderer/1.0" }
    expect((await sessionOf(realm, visitor.leads)).member("request")).toEqual(request)
    expect((await realm.seen.all()).at(-1)).toMatchObject({ event_type: "user.login.succeeded", request })
  })

  test("uses different cookie names, without Secure, over plain HTTP", () =>
    ownService(
      async ({ transport, given }) => {
        const { origin, email } = await visitorAtApp(await given.realm())
        const visitor = new Visitor(transport, origin)
        await visitor.logIn(email)
        expect(visitor.page.headers.getSetCookie()).toEqual([
          expect.stringMatching(/^session=\w{43}; Max-Age=21600; Path=\/; HttpOnly; SameSite=Lax$/),
          expect.stringMatching(/^known_browser=\w{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/)
        ])
      },
      { publicUrl: "http://id.localhost:8080" }
    ))

  test("SEC-14: returns the same page for a wrong password, an unknown name and an inactive user", async () => {
    const realm = await newRealm()
    const { user, email, visitor } = await visitorAtApp(realm)
    const asleep = await quickUser(realm, { state: "inactive" })
    const texts: Array<string> = []
    const tries = [
      [email, "not the right one", [event(user, "login.failed")]],
      ["nobody@example.test", PASSWORD, []],
      [asleep.string("email"), PASSWORD, [event(asleep, "login.failed")]]
    ] as const
    for (const [name, password, expected] of tries) {
      const { result, events } = await realm.seen.during(() => visitor.logIn(name, password))
      expect([...statusAndHeading(result), fieldOf(result, "name"), events]).toEqual([...AGAIN, name, expected])
      expect(visibleText(result)).toContain("Incorrect username or password.")
      expect([result.text.includes(password), result.headers.getSetCookie()]).toEqual([false, []])
      texts.push(result.text.replaceAll(name, ""))
    }
    expect(new Set(texts).size).toBe(1)
  })

  test("asks for a missing name or password and records no event", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    const events = await realm.seen.caused(async () => {
      expect([...statusAndHeading(await visitor.logIn(" ")), visibleText(visitor.page)]).toEqual([
        ...AGAIN,
        expect.stringContaining("Enter your email or username.")
      ])
      expect(statusAndHeading(await visitor.logIn(email, ""))).toEqual(AGAIN)
    })
    expect(events).toEqual([])
  })

  test("rejects even the right password after ten wrong ones, and shows the time to wait (SEC-06)", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    for (let n = 0; n < 10; n += 1) await visitor.send("/login", { name: email, password: "wrong", way: "login" })
    const reply = await visitor.logIn(email)
    expect([...statusAndHeading(reply), reply.headers.get("retry-after"), reply.headers.getSetCookie()]).toEqual([
      429,
      "Log in",
      "900",
      []
    ])
    expect(visibleText(reply)).toContain("Too many failed attempts. Try again in 15 minutes.")
  })

  test("rejects more than five attempts in ten seconds from one address (C45)", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const { visitor, email } = await visitorAtApp(realm)
        for (let n = 0; n < 5; n += 1) {
          const name = `nobody-${n}@example.test`
          expect((await visitor.send("/login", { name, password: PASSWORD, way: "login" })).status).toBe(422)
        }
        const { result, events } = await realm.seen.during(() => visitor.logIn(email))
        expect([...statusAndHeading(result), result.headers.get("retry-after"), events]).toEqual([
          429,
          "Too many attempts",
          "10",
          []
        ])
        expect(statusAndHeading(await visitor.open("/login"))).toEqual(LOGIN)
        for (const page of ["forgot", "signup", "reset", "verify"]) {
          expect([page, statusAndHeading(await visitor.send(`/${page}`, { name: email, email, token: "x" }))]).toEqual([
            page,
            [429, "Too many attempts"]
          ])
        }
      },
      { limits: "all" }
    ))

  test("hides the password form and rejects submitted passwords while passwords are turned off", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    await visitor.open("/login")
    expect(formsIn(visitor.page).map(({ button }) => button)).toEqual(["Log in with a passkey"])
    await realm.put("/v2/auth_providers/passkey", { auth_provider: { state: "inactive" } })
    expect([...statusAndHeading(await visitor.open("/login")), formsIn(visitor.page)]).toEqual([...LOGIN, []])
    expect(visibleText(visitor.page)).toContain("Login isn't available right now.")
    const reply = await visitor.send("/login", { name: email, password: PASSWORD, way: "login" })
    expect(statusAndHeading(reply)).toEqual([422, "Password login is turned off"])
  })

  test("rejects logins and existing sessions in an inactive realm", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: { auto_continue: false } })
    await visitor.logIn(email)
    await visitor.open("/login")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    const OFF = [422, "Not available right now"]
    expect(statusAndHeading(await visitor.fill())).toEqual(OFF)
    const form = { name: email, password: PASSWORD, way: "login" }
    expect(statusAndHeading(await visitor.send("/login", form))).toEqual(OFF)
    for (const page of ["login", "signup", "forgot", "profile", "accounts", "invitation"]) {
      expect([page, statusAndHeading(await visitor.open(`/${page}`))]).toEqual([page, OFF])
    }
    await visitor.open("/logout")
    expect(statusAndHeading(await visitor.fill())).toEqual([200, "You're logged out"])
  })

  test("redirects to the profile if there is no handler", async () => {
    const realm = await newRealm()
    const provider = await realm.authProvider({ name: "Acme SSO" })
    const { visitor, email } = await visitorAtApp(realm, { app: { login_handler: null } })
    await visitor.logIn(email)
    expect(statusAndHeading(await visitor.follow())).toEqual([200, "Your profile"])
    await visitor.open("/login?way=login&next=accounts")
    expect(visitor.page.text).toContain(`href="auth/${provider.id}?next=accounts"`)
  })
})

describe("a host without an active app", () => {
  test("returns a 404 page for every path", async () => {
    const realm = await newRealm()
    const { app, host, browser } = await visitorAtApp(realm).then(({ visitor, ...at }) => ({
      ...at,
      browser: visitor.browser
    }))
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { state: "inactive" } })
    for (const at of [host, `x-${host}`, `${host}.evil.test`, "evil.test"]) {
      for (const path of ["login", "profile", "reset?token=x"]) {
        expect([at, path, ...statusAndHeading(await browser.go(`https://${at}/${path}`))]).toEqual([
          at,
          path,
          404,
          "Page not found"
        ])
      }
    }
  })
})

describe("/login with a second factor", () => {
  test("asks for the code and then completes the login", async () => {
    const realm = await newRealm()
    const { user, email, visitor } = await visitorAtApp(realm)
    const device = await enrolled(realm, user.id)
    const first = await realm.seen.during(() => visitor.logIn(email))
    expect([...statusAndHeading(first.result), first.events, visitor.cookie]).toEqual([
      ...CODE,
      [event(user, "login.initiated")],
      undefined
    ])
    const wrong = await realm.seen.during(() => visitor.fill({ code: wrongCode(device) }))
    expect([...statusAndHeading(wrong.result), wrong.events]).toEqual([
      422,
      "Enter your code",
      [event(user, "login.failed")]
    ])
    expect(visibleText(wrong.result)).toContain("That code is incorrect or no longer valid.")
    const right = await realm.seen.during(() => visitor.fill({ code: ` ${device.code()} ` }))
    expectTokenHandover(visitor.leads)
    const session = await sessionOf(realm, visitor.leads)
    expect(right.events).toEqual([{ ...event(user, "login.succeeded"), session_id: session.id }])
    expect(visitor.cookie).toMatch(/^\w{43}$/)
  })

  test("asks for the password again after five wrong codes", async () => {
    const realm = await newRealm()
    const { user, email, visitor } = await visitorAtApp(realm)
    const device = await enrolled(realm, user.id)
    await visitor.logIn(email)
    for (let n = 0; n < 5; n += 1) await visitor.fill({ code: wrongCode(device) })
    const login = visitor.form().values["login"] ?? ""
    const reply = await visitor.send("/login", { way: "code", login, code: device.code() })
    expect([...statusAndHeading(reply), visibleText(reply)]).toEqual([
      ...AGAIN,
      expect.stringContaining("This login has expired, or too many codes were tried.")
    ])
    expect([visitor.form().open.has("password"), visitor.cookie]).toEqual([true, undefined])
  })

  test("asks for the password again after ten minutes and keeps the redirect_uri", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const place = "https://app.example.test/cb"
      const { user, email, visitor } = await visitorAtApp(realm, { app: { redirect_uris: [place] } })
      const device = await enrolled(realm, user.id)
      await visitor.logIn(email, PASSWORD, `?redirect_uri=${place}`)
      clock.advance(600_000)
      const at = Date.parse("2026-01-01T00:10:00Z")
      expect(statusAndHeading(await visitor.fill({ code: device.code(0, at) }))).toEqual(AGAIN)
      await visitor.fill({ name: email, password: PASSWORD })
      await visitor.fill({ code: device.code(0, at) })
      expectTokenHandover(visitor.leads, place)
    }))
})

describe("/login with a session", () => {
  test("continues in the same session with one click, or switches to another account", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/cb?x=1"
    const { user, email, visitor } = await visitorAtApp(realm, {
      app: { redirect_uris: [place], auto_continue: false },
      user: { first_name: "Ada" }
    })
    const query = `?redirect_uri=${encodeURIComponent(place)}`
    await visitor.logIn(email)
    const { sid } = claimsIn(visitor.leads)
    const { result, events } = await realm.seen.during(async () => {
      expect([...statusAndHeading(await visitor.open(`/login${query}`)), visibleText(visitor.page)]).toEqual([
        200,
        "You're logged in",
        expect.stringContaining("as Ada")
      ])
      return visitor.fill()
    })
    expectTokenHandover(visitor.leads, place)
    expect([result.status, events, claimsIn(visitor.leads)]).toEqual([303, [], expect.objectContaining({ sid })])
    await visitor.open(`/login${query}`)
    const other = /href="(login\?[^"]*way=login[^"]*)"/.exec(visitor.page.text)?.[1]?.replaceAll("&amp;", "&")
    expect(statusAndHeading(await visitor.open(`/${other}`))).toEqual(LOGIN)
    const somebody = await quickUser(realm)
    await visitor.fill({ name: somebody.string("email"), password: PASSWORD })
    expectTokenHandover(visitor.leads, place)
    expect(claimsIn(visitor.leads)["sub"]).toBe(somebody.id)
    expect((await visitor.open("/profile")).text).not.toContain(user.string("email"))
  })

  test("shows the form once the session has ended", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    await visitor.logIn(email)
    await realm.delete(`/v2/sessions/${(await sessionOf(realm, visitor.leads)).id}`)
    await visitor.open("/login")
    expect(visitor.form().open.has("password")).toBe(true)
    await visitor.send("/login", { way: "continue" })
    expect([visitor.page.status, visitor.leads.pathname]).toEqual([303, "/login"])
  })
})
