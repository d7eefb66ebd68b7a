import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { appWithDouble, beginLogin, HANDLER, redirectTarget, returnWithCode } from "../../external/BrowserLogins.ts"
import { profile } from "../../support/external.ts"
import { hostedAt, rejection, statusAndBody } from "../../support/hostedApi.ts"
import { enrolled, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { fieldOf, statusAndHeading, unescapeHtml } from "../../support/pages.ts"
import { query } from "../../support/query.ts"
import { newRealm, ownService, workerSql } from "../../support/sallyport.ts"
import { SAME_SITE_HEADERS, visitorAtApp } from "../../support/visitor.ts"

/** A state with characters that are special in URLs and HTML. */
const STATE = `"><script>alert(1)</script>&token=x&state= ñ 猫 %41+\u00a0'`

const queryString = (more: Readonly<Record<string, string>> = {}) =>
  `?${new URLSearchParams({ state: STATE, ...more })}`

/** The URL that receives a token, and the other parameters. */
const handoverOf = (url: URL) => {
  expect(url.searchParams.getAll("token")).toEqual([expect.stringMatching(/^ey/)])
  return [url.origin + url.pathname, [...url.searchParams].filter(([name]) => name !== "token")]
}

/** The links of a page to other hosted pages. */
const links = ({ text }: Reply) =>
  [...text.matchAll(/<a [^>]*href="([^"#]*)"/g)]
    .map(([, href = ""]) => new URL(unescapeHtml(href), "https://a.test/"))
    .filter(({ origin }) => origin === "https://a.test")

const hiddenIn = (form: string, field: string) => {
  const value = new RegExp(` name="${field}" value="([^"]*)"`).exec(form)?.[1]
  return value === undefined ? undefined : unescapeHtml(value)
}

/** Asserts that all forms and links of a page pass the state on, and that it is escaped. */
const expectStateOn = (page: Reply) => {
  const forms = (page.text.match(/<form.*?<\/form>/gs) ?? []).map((form) => hiddenIn(form, "state"))
  expect(forms).toEqual(forms.map(() => STATE))
  const states = links(page).map(({ pathname, searchParams }) => [pathname, searchParams.get("state")])
  expect(states).toEqual(states.map(([pathname]) => [pathname, STATE]))
  expect(forms.length + states.length).toBeGreaterThan(0)
  expect(page.text).not.toContain("<script>alert")
}

describe("SEC-91: the state parameter", () => {
  test("is passed on by every page, even after errors, and returned with the token", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ org_mode: "multi_user" })
      const { user, visitor, email } = await visitorAtApp(realm, { app: { auto_continue: false } })
      const { id: provider } = await realm.authProvider()
      for (const name of ["Pilots", "Dockers"]) {
        await realm.membership(user.id, (await realm.org({ name })).id, { permissions: "ar:owner" })
      }
      const device = await enrolled(realm, user.id)
      for (const path of ["signup", "forgot", "login"]) expectStateOn(await visitor.open(`${path}${queryString()}`))
      expect(links(visitor.page).map(({ pathname }) => pathname)).toContain(`/auth/${provider}`)
      expectStateOn(await visitor.fill({ name: email, password: OTHER_PASSWORD }))
      expectStateOn(await visitor.fill({ name: email, password: PASSWORD }))
      expectStateOn(await visitor.fill({ code: "123" }))
      await visitor.fill({ code: device.code() })
      expect([visitor.page.status, visitor.leads.pathname]).toEqual([303, "/accounts"])
      expectStateOn(await visitor.follow())
      await visitor.fill({}, "Dockers")
      expect(handoverOf(visitor.leads)).toEqual([HANDLER, [["state", STATE]]])
      // The app's login is only confirmed once it is older than a minute (C106).
      clock.advance(60_000)
      for (const path of ["accounts", "invitation", "login", "logout", "profile", "security"]) {
        expect([path, (await visitor.open(`${path}${queryString()}`)).status]).toEqual([path, 200])
        expectStateOn(visitor.page)
      }
      expectStateOn(await visitor.fill({ device_name: "Another" }, "Set up"))
      await visitor.open(`profile${queryString()}`)
      await visitor.fill({ first_name: "Jo" }, "Save")
      expectStateOn(await visitor.follow())
      clock.advance(60_000)
      await visitor.open(`login${queryString()}`)
      await visitor.fill({}, "Continue")
      expect(handoverOf(visitor.leads)).toEqual([HANDLER, [["state", STATE]]])
      await visitor.open(`logout${queryString()}`)
      expectStateOn(await visitor.fill({}, "Log out"))
      // A login required by a page leads back with all parameters.
      await visitor.open(`accounts${queryString()}`)
      expectStateOn(await visitor.follow())
      await visitor.fill({ name: email, password: PASSWORD })
      await visitor.fill({ code: device.code(0, STARTS_AT + 120_000) })
      expectStateOn(await visitor.follow())
    }))

  test("is returned once after a sign-up and overrides the handler URL's own state", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/new?a=b%20c&state=old&state=older"
    const { visitor } = await visitorAtApp(realm, { app: { signup_handler: place, login_handler: place } })
    const username = uniqueText("newcomer")
    await visitor.open(`signup${queryString()}`)
    await visitor.fill({ username, email: `${username}@example.test`, password: PASSWORD })
    const expected = [
      ["a", "b c"],
      ["signup", "true"],
      ["state", STATE]
    ]
    expect(handoverOf(visitor.leads)).toEqual(["https://app.example.test/new", expected])
    await visitor.open("login")
    // Without a state the handler's URL stays unchanged.
    expect(visitor.leads.href).toMatch(/^https:\/\/app\.example\.test\/new\?a=b%20c&state=old&state=older&token=ey/)
  })

  test("is stored encrypted during a provider login and then returned", async () => {
    const realm = await newRealm()
    const info = profile()
    const at = await appWithDouble(realm, { told: info })
    const state = await beginLogin(at, queryString())
    const sql = await workerSql()
    const rows = await query(sql`select * from oauth_states where realm_id = ${realm.id}`)
    expect([rows.length, JSON.stringify(rows).includes("script")]).toEqual([1, false])
    const first = redirectTarget(await returnWithCode(at, state))
    const expected = [
      ["signup", "true"],
      ["state", STATE]
    ]
    expect(handoverOf(first)).toEqual([HANDLER, expected])
    const own = await at.browser.go(`${at.path}${queryString({ next: "profile" })}`)
    const page = await returnWithCode(at, redirectTarget(own).searchParams.get("state") ?? "")
    expect(page.headers.get("location")).toBe(`/profile${queryString().replace(/^\?/, "?")}`)
    const user = await realm.get(`/v2/users/${info.email}`)
    const device = await enrolled(realm, user.id)
    const due = await returnWithCode(at, await beginLogin(at, queryString()))
    expectStateOn(due)
    const login = fieldOf(due, "login") ?? ""
    const wrong = await at.browser.go(`${at.path}/code`, { form: { login, state: STATE, code: "123" } })
    expectStateOn(wrong)
    const done = await at.browser.go(`${at.path}/code`, { form: { login, state: STATE, code: device.code() } })
    expect(handoverOf(redirectTarget(done))).toEqual([HANDLER, [["state", STATE]]])
  })

  test("is passed on by invitation pages and returned with the token", async () => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm)
    const made = await realm.invitation()
    const token = made.string("token")
    expectStateOn(await visitor.open(`invitation${queryString({ token })}`))
    expectStateOn(await visitor.open(`invitation${queryString({ token, way: "login" })}`))
    await visitor.open(`invitation${queryString({ token })}`)
    await visitor.fill({ password: PASSWORD })
    const expected = [
      ["signup", "true"],
      ["state", STATE]
    ]
    expect(handoverOf(visitor.leads)).toEqual([HANDLER, expected])
  })

  const refused = ["x".repeat(513), "a\u0000b", "a\nb", "a\u0085b", "a\u200bb", "a\u2028b", "a\u202eb", "\u{e0041}"]

  test("is rejected by every page if it is over 512 characters long or has control or invisible characters", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    const { path, browser } = await appWithDouble(realm)
    const BAD = [422, "This link isn't valid"]
    const events = await realm.seen.caused(async () => {
      for (const state of refused) {
        const query = new URLSearchParams({ state })
        for (const page of ["login", "signup", "logout", "forgot", "accounts", "profile", "invitation"]) {
          expect([page, state, ...statusAndHeading(await visitor.open(`/${page}?${query}`))]).toEqual([
            page,
            state,
            ...BAD
          ])
        }
        expect([state, ...statusAndHeading(await browser.go(`${path}?${query}`))]).toEqual([state, ...BAD])
        for (const form of [
          { way: "login", name: email, password: PASSWORD },
          { way: "code", login: "kli_x", code: "1" }
        ]) {
          expect(statusAndHeading(await visitor.send("/login", { ...form, state }))).toEqual(BAD)
        }
        expect(statusAndHeading(await visitor.send("/signup", { email, password: PASSWORD, state }))).toEqual(BAD)
        expect(visitor.page.headers.getSetCookie()).toEqual([])
      }
    })
    expect(events).toEqual([])
    // The longest state, counted in characters rather than bytes.
    await visitor.open(`login?${new URLSearchParams({ state: "🐘".repeat(512) })}`)
    expect(visitor.page.status).toBe(200)
  })

  test("is rejected if it occurs more than once, and ignored if blank", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    const { path, browser } = await appWithDouble(realm)
    for (const page of ["login", "signup", "logout", "accounts"]) {
      expect([page, (await visitor.open(`/${page}?state=a&state=a`)).status]).toEqual([page, 422])
    }
    expect((await browser.go(`${path}?state=a&state=b`)).status).toBe(422)
    const body = `name=${encodeURIComponent(email)}&password=${encodeURIComponent(PASSWORD)}&way=login&state=a&state=b`
    const headers = { ...SAME_SITE_HEADERS, "content-type": "application/x-www-form-urlencoded" }
    const reply = await visitor.browser.go(`${visitor.origin}/login`, { body, headers })
    expect([reply.status, reply.headers.get("location"), reply.headers.getSetCookie()]).toEqual([400, null, []])
    await visitor.logIn(email, PASSWORD, "?state=+")
    expect(handoverOf(visitor.leads)).toEqual([HANDLER, []])
  })

  test("is accepted by the JSON API in every operation that returns a url", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const username = uniqueText("person")
    const signedUp = await at.post("signup", {
      username,
      email: `${username}@example.test`,
      password: PASSWORD,
      state: STATE
    })
    const expected = [
      ["signup", "true"],
      ["state", STATE]
    ]
    expect(handoverOf(new URL(signedUp.string("url")))).toEqual([HANDLER, expected])
    for (const ask of [at.post, at.form, at.get]) {
      const { status, body } = await ask("login", { username, password: PASSWORD, state: STATE })
      expect([status, handoverOf(new URL(String(Object(body)["url"])))]).toEqual([200, [HANDLER, [["state", STATE]]]])
    }
    const device = await enrolled(realm, (await realm.get(`/v2/users/${username}@example.test`)).id)
    const { body } = await at.post("login", { username, password: PASSWORD })
    const pending = { username, token: String(Object(body)["token"]), code: device.code() }
    const sentence = "The state parameter must be printable text of at most 512 characters."
    const events = await realm.seen.caused(async () => {
      for (const state of refused.filter((text) => !text.includes("\u0000"))) {
        expect(statusAndBody(await at.post("login", { username, password: "wrong", state }))).toEqual(
          rejection(sentence)
        )
        expect(statusAndBody(await at.post("verifyLogin", { ...pending, state }))).toEqual(rejection(sentence))
      }
    })
    expect(events).toEqual([])
    const verified = await at.post("verifyLogin", { ...pending, state: STATE })
    expect(handoverOf(new URL(verified.string("url")))).toEqual([HANDLER, [["state", STATE]]])
  })
})
