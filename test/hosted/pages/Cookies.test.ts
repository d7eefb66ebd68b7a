import { describe, expect, test } from "vitest"
import { appAt } from "../../external/BrowserLogins.ts"
import { userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import { passwordToken, reset } from "../../support/tokens.ts"
import {
  claimsIn,
  expectTokenHandover,
  isLoggedIn,
  newPassword,
  onProfilePage,
  Visitor
} from "../../support/visitor.ts"

describe("a session cookie", () => {
  test("is cleared by a logout, which ends the session", async () => {
    const realm = await newRealm()
    const { user, visitor, sid } = await onProfilePage(realm)
    const secret = visitor.cookie ?? ""
    await visitor.open("/logout")
    expect(statusAndHeading(visitor.page)).toEqual([200, "Log out?"])
    const { result, events } = await realm.seen.during(() => visitor.fill())
    expect(statusAndHeading(result)).toEqual([200, "You're logged out"])
    expect(events).toEqual([{ event_type: "session.deleted", user_id: user.id, session_id: sid }])
    expect(result.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=; Max-Age=0; Path=\/; /)])
    expect([visitor.cookie, await isLoggedIn(visitor)]).toEqual([undefined, false])
    const headers = { cookie: `__Host-session=${secret}` }
    expect((await visitor.browser.go(`${visitor.origin}/profile`, { headers })).status).toBe(303)
    // A second logout changes nothing and gets the same response.
    const again = await realm.seen.during(() => visitor.send("/logout", { way: "logout" }))
    expect([...statusAndHeading(again.result), again.events]).toEqual([200, "You're logged out", []])
  })

  test("SEC-107: is replaced by a new login, which ends this browser's previous session", async () => {
    const realm = await newRealm()
    const { user, visitor, email, sid, origin } = await onProfilePage(realm)
    const elsewhere = new Visitor(realm.transport, origin)
    await elsewhere.logIn(email)
    const { events } = await realm.seen.during(() => visitor.logIn(email, PASSWORD, "?way=login"))
    const next = String(claimsIn(visitor.leads)["sid"])
    expect(events).toEqual([
      { ...event(user, "login.succeeded"), session_id: next },
      { event_type: "session.deleted", user_id: user.id, session_id: sid }
    ])
    expect([
      (await realm.get(`/v2/sessions/${sid}`)).status,
      await isLoggedIn(elsewhere),
      await isLoggedIn(visitor)
    ]).toEqual([404, true, true])
    // The JSON API does the same, except for GET, which ignores cookies.
    const body = new URLSearchParams({ email, password: PASSWORD })
    const byGet = await realm.seen.during(() => visitor.browser.go(`${origin}/v1/login?${body}`))
    expect(byGet.events.map(({ event_type }) => event_type)).toEqual(["user.login.succeeded"])
    const byPost = await realm.seen.during(() =>
      visitor.browser.go(`${origin}/v1/login`, { form: { email, password: PASSWORD } })
    )
    expect(byPost.events.slice(1)).toEqual([{ event_type: "session.deleted", user_id: user.id, session_id: next }])
    // A login of another user in the same browser replaces the cookie but doesn't end the session.
    const sessionCount = (await realm.get(`/v2/sessions?user_id=${user.id}`)).items.length
    const other = await quickUser(realm)
    const theirs = await realm.seen.during(() => visitor.logIn(other.string("email"), PASSWORD, "?way=login"))
    expect(theirs.events.map(({ event_type, user_id }) => [event_type, user_id])).toEqual([
      ["user.login.succeeded", other.id]
    ])
    expect((await realm.get(`/v2/sessions?user_id=${user.id}`)).items.length).toBe(sessionCount)
  })

  test("is not accepted on the host of another app", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    const headers = { cookie: `__Host-session=${visitor.cookie}` }
    for (const { origin } of [await appAt(realm), await appAt(await newRealm())]) {
      const { browser } = new Visitor(realm.transport, origin)
      const reply = await browser.go(`${origin}/profile`, { headers })
      expect([reply.status, reply.headers.get("location")]).toEqual([303, "login?next=profile"])
      const events = await realm.seen.caused(() => browser.go(`${origin}/logout`, { form: {}, headers }))
      expect(events).toEqual([])
    }
    expect(await isLoggedIn(visitor)).toBe(true)
  })

  test("is invalid once its session, user or app is deleted, or the user is inactive", async () => {
    const realm = await newRealm()
    const ends: ReadonlyArray<
      readonly [string, (at: Awaited<ReturnType<typeof onProfilePage>>) => Promise<unknown>, number]
    > = [
      ["session", ({ sid }) => realm.delete(`/v2/sessions/${sid}`), 303],
      ["inactive", ({ user }) => realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } }), 303],
      ["user", ({ user }) => realm.delete(`/v2/users/${user.id}`), 303],
      ["app", ({ app }) => realm.delete(`/v2/client_apps/${app.id}`), 404]
    ]
    for (const [what, end, status] of ends) {
      const at = await onProfilePage(realm)
      await end(at)
      expect([what, (await at.visitor.open("/profile")).status]).toEqual([what, status])
      expect([what, (await at.visitor.send("/profile", { way: "details", email: "x@example.test" })).status]).toEqual([
        what,
        status
      ])
    }
  })

  test("is invalid once its session has expired, even before the session is deleted (SEC-24)", async () => {
    const { given, clock } = await clockedService()
    for (const session_type of ["managed", "unmanaged"]) {
      const realm = await given.realm({ session_type, session_minutes: 30 })
      const { visitor } = await onProfilePage(realm)
      clock.advance(30 * 60_000 - 1_000)
      expect(await isLoggedIn(visitor)).toBe(true)
      clock.advance(1_000)
      expect(await isLoggedIn(visitor)).toBe(false)
    }
  })

  test("works in a realm with unmanaged sessions until the password changes", async () => {
    const realm = await newRealm({ session_type: "unmanaged" })
    const { user, visitor, email, origin, sid } = await onProfilePage(realm)
    const elsewhere = new Visitor(realm.transport, origin)
    await elsewhere.logIn(email)
    expect([await isLoggedIn(visitor), await isLoggedIn(elsewhere)]).toEqual([true, true])
    const { events } = await realm.seen.during(() => visitor.open("/login"))
    expectTokenHandover(visitor.leads)
    expect([events, claimsIn(visitor.leads)["sid"] === sid]).toEqual([[], false])
    await visitor.open("/security")
    expect(
      await realm.seen.caused(() => visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password"))
    ).toEqual([event(user, "updated")])
    expect([await isLoggedIn(visitor), await isLoggedIn(elsewhere)]).toEqual([false, false])
    await visitor.logIn(email, OTHER_PASSWORD)
    await visitor.open("/logout")
    const out = await realm.seen.during(() => visitor.fill())
    expect([...statusAndHeading(out.result), out.events, await isLoggedIn(visitor)]).toEqual([
      200,
      "You're logged out",
      [],
      false
    ])
    expect(statusAndHeading(await visitor.open("/login"))).toEqual([200, "Log in"])
  })

  test.each([
    "managed",
    "unmanaged"
  ])("stays invalid after a deactivation or a password reset (%s)", async (session_type) => {
    const realm = await newRealm({ session_type })
    const ends: ReadonlyArray<(userId: string) => Promise<unknown>> = [
      async (id) => {
        for (const state of ["inactive", "active"]) await realm.put(`/v2/users/${id}`, { user: { state } })
      },
      async (id) => reset(realm, await passwordToken(realm, id)),
      (id) => realm.put(`/v2/users/${id}`, { user: { password: OTHER_PASSWORD } })
    ]
    for (const end of ends) {
      const { user, visitor } = await onProfilePage(realm)
      await end(user.id)
      expect(await isLoggedIn(visitor)).toBe(false)
    }
  })

  test("is rejected with a modified or unknown value", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    const browser = new Visitor(realm.transport, visitor.origin).browser
    const secret = visitor.cookie ?? ""
    for (const value of [
      "",
      "x",
      "A".repeat(43),
      `${secret}x`,
      secret.toLowerCase(),
      `${secret.slice(1)}.`,
      "%00",
      "é"
    ]) {
      const headers = { cookie: `__Host-session=${encodeURI(value)}` }
      expect([value, (await browser.go(`${visitor.origin}/profile`, { headers })).status]).toEqual([value, 303])
    }
    // The cookie name for plain HTTP is ignored.
    const headers = { cookie: `session=${secret}` }
    expect((await browser.go(`${visitor.origin}/profile`, { headers })).status).toBe(303)
  })
})
