import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { appAt } from "../../external/BrowserLogins.ts"
import { authenticate, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { hashesComputed, quickUser } from "../../support/passwordEntryPoints.ts"
import { query } from "../../support/query.ts"
import { clockedService, newRealm, ownService, workerSql } from "../../support/sallyport.ts"
import { passwordToken, reset } from "../../support/tokens.ts"
import { Visitor, visitorAtApp } from "../../support/visitor.ts"

type At = Awaited<ReturnType<typeof visitorAtApp>> & { readonly realm: GivenRealm }

const COOKIE = "__Host-known_browser"

/** A user who has logged in with this browser before. */
const withKnownBrowser = async (realm: GivenRealm): Promise<At> => {
  const at = await visitorAtApp(realm)
  expect((await at.visitor.logIn(at.email)).status).toBe(303)
  return { ...at, realm }
}

const cookieOf = ({ visitor, host }: At): string => visitor.browser.cookies(host)[COOKIE] ?? ""

/** Guesses the password without the browser's cookie. */
const guess = ({ realm, user }: At, password = "not the password"): Promise<Reply> =>
  authenticate(realm, user.id, password)

const exhaustGuesses = async (at: At) => {
  for (let n = 0; n < 10; n += 1) expect((await guess(at)).status).toBe(422)
  expect((await guess(at, PASSWORD)).status).toBe(429)
}

/** Logs in from a new browser with this cookie. */
const withCookie = ({ origin, realm, email }: At, value: string, password = PASSWORD): Promise<Reply> => {
  const { browser } = new Visitor(realm.transport, origin)
  const headers = { origin: "null", "sec-fetch-site": "same-origin", cookie: `${COOKIE}=${value}` }
  return browser.go(`${origin}/login`, { form: { name: email, password, way: "login" }, headers })
}

const logInAgain = (at: At, password = PASSWORD) => at.visitor.logIn(at.email, password, "?way=login")

describe("SEC-108: a known browser", () => {
  test("stays known after the user changes the password in the browser", async () => {
    const at = await withKnownBrowser(await newRealm())
    await at.visitor.open("/security")
    const typed = { current_password: PASSWORD, password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }
    await at.visitor.fill(typed, "Change password")
    expect(at.visitor.page.status).toBe(303)
    for (let n = 0; n < 10; n += 1) expect((await guess(at)).status).toBe(422)
    expect((await guess(at, OTHER_PASSWORD)).status).toBe(429)
    expect((await logInAgain(at, OTHER_PASSWORD)).status).toBe(303)
  })

  test("is recognized for 180 days by a cookie, which is stored only as a digest", async () => {
    const realm = await newRealm()
    const at = await withKnownBrowser(realm)
    const [, line] = at.visitor.page.headers.getSetCookie()
    expect(line).toMatch(/^__Host-known_browser=\w{43}; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    const first = cookieOf(at)
    const sql = await workerSql()
    const rows = await query(sql`select * from known_browsers where realm_id = ${realm.id}`)
    expect([rows.length, rows[0]?.["user_id"], JSON.stringify(rows).includes(first)]).toEqual([1, at.user.id, false])
    // Another user's secret is added to the cookie, and each login replaces the user's own.
    const other = await quickUser(realm)
    await at.visitor.logIn(other.string("email"), PASSWORD, "?way=login")
    expect(cookieOf(at)).toMatch(new RegExp(`^${first}\\.\\w{43}$`))
    await logInAgain(at)
    expect([cookieOf(at).split(".").length, cookieOf(at).includes(first)]).toEqual([2, false])
    expect((await withCookie(at, first)).status).toBe(303)
  })

  test("is not locked out by wrong guesses from other browsers", async () => {
    const realm = await newRealm()
    const at = await withKnownBrowser(realm)
    await exhaustGuesses(at)
    const stranger = new Visitor(realm.transport, at.origin)
    const { result, events } = await realm.seen.during(async () => [
      (await stranger.logIn(at.email)).status,
      (await logInAgain(at, OTHER_PASSWORD)).status,
      (await logInAgain(at)).status,
      (await stranger.logIn(at.email)).status,
      (await guess(at, PASSWORD)).status
    ])
    expect(result).toEqual([429, 422, 303, 429, 429])
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "user.login.failed",
      "user.login.succeeded",
      "session.deleted"
    ])
    // The browser isn't blocked on the profile page either, which asks for the password again.
    await at.visitor.open("/profile")
    const typed = { email: "new@example.test", current_password: PASSWORD }
    expect((await at.visitor.fill(typed, "Save")).status).toBe(303)
  })

  test("is locked out and forgotten after ten wrong attempts in the same browser", async () => {
    const { given, clock } = await clockedService()
    const realm = await given.realm()
    const at = await withKnownBrowser(realm)
    const stolen = cookieOf(at)
    const before = await hashesComputed(realm)
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 30 }, () => withCookie(at, stolen, "not the password")))
    )
    expect([422, 429].map((status) => result.filter((reply) => reply.status === status).length)).toEqual([10, 20])
    expect((await hashesComputed(realm)) - before).toBe(10)
    expect(events.filter(({ event_type }) => event_type === "user.login.failed")).toHaveLength(10)
    expect(events.filter(({ event_type }) => event_type === "user.blocked")).toEqual([event(at.user, "blocked")])
    const refused = await logInAgain(at)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"])
    // Attempts from other browsers are unaffected.
    expect((await guess(at, PASSWORD)).status).toBe(200)
    clock.advance("15 minutes")
    await exhaustGuesses(at)
    expect((await withCookie(at, stolen)).status).toBe(429)
    clock.advance("15 minutes")
    expect((await logInAgain(at)).status).toBe(303)
    await exhaustGuesses(at)
    expect((await logInAgain(at)).status).toBe(303)
  })

  test("is recognized only for its own user and realm", async () => {
    const realm = await newRealm()
    const at = await withKnownBrowser(realm)
    const [other, foreign] = [await withKnownBrowser(realm), await withKnownBrowser(await newRealm())]
    const mine = cookieOf(at)
    await exhaustGuesses(at)
    const forged = [
      "",
      "x".repeat(43),
      `${mine}x`,
      mine.slice(1),
      mine.toUpperCase(),
      "'",
      ".".repeat(100),
      cookieOf(other),
      cookieOf(foreign),
      at.visitor.cookie ?? "",
      `${mine}.${"a".repeat(43)}.${"b".repeat(43)}.${"c".repeat(43)}.${"d".repeat(43)}`
    ]
    const events = await realm.seen.caused(async () => {
      for (const value of forged) expect([value, (await withCookie(at, value)).status]).toEqual([value, 429])
      // Scripts that other sites can load never use cookies.
      const query = new URLSearchParams({ email: at.email, password: PASSWORD })
      const reply = await at.visitor.browser.go(`${at.origin}/v1/login?${query}`)
      expect(reply.member("error")).toMatch(/^Too many failed attempts/)
    })
    expect(events).toEqual([])
    expect(
      (await at.visitor.browser.go(`${at.origin}/v1/login`, { form: { email: at.email, password: PASSWORD } })).body
    ).toMatchObject({ result: "okay" })
  })

  test("is forgotten after 180 days, a password change in another browser or the user's deletion", async () => {
    const { given, clock, sql } = await clockedService()
    const realm = await given.realm()
    const ends: ReadonlyArray<(at: At) => Promise<unknown>> = [
      async ({ user }) => reset(realm, await passwordToken(realm, user.id), PASSWORD),
      ({ user }) => realm.put(`/v2/users/${user.id}`, { user: { password: PASSWORD } }),
      ({ user }) =>
        realm.put(`/v2/users/${user.id}/update_password`, {
          user: { current_password: PASSWORD, password: PASSWORD, password_confirmation: PASSWORD }
        }),
      async () => clock.advance("180 days")
    ]
    for (const end of ends) {
      const at = await withKnownBrowser(realm)
      await end(at)
      await exhaustGuesses(at)
      expect((await logInAgain(at)).status).toBe(429)
    }
    const at = await withKnownBrowser(realm)
    expect((await realm.delete(`/v2/users/${at.user.id}`)).status).toBe(204)
    const rows = await query(sql`select 1 from known_browsers where user_id = ${at.user.id}`)
    expect(rows).toEqual([])
  })

  test("has its own rate limit (C45)", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const at = await withKnownBrowser(realm)
        await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { attempts: 2 } } })
        for (const status of [422, 422, 429]) expect((await guess(at)).status).toBe(status)
        expect((await logInAgain(at)).status).toBe(303)
        const elsewhere = await appAt(realm)
        expect((await new Visitor(realm.transport, elsewhere.origin).logIn(at.email)).status).toBe(429)
      },
      { limits: "all" }
    ))
})
