import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { effectsOf } from "../../support/hostedApi.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { fieldOf, GONE, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import { passwordToken } from "../../support/tokens.ts"
import { claimsIn, expectTokenHandover, formsIn, linkTo, Visitor, visitorAtApp } from "../../support/visitor.ts"

const passwordFields = (password: string) => ({ password, password_confirmation: password })
const DONE = [200, "Password changed"]

/** Requests a reset email on the page and returns its link. */
const requestResetLink = async (visitor: Visitor, realm: GivenRealm, name: string, email: string): Promise<string> => {
  await visitor.open("/forgot")
  await visitor.fill({ name })
  expect(statusAndHeading(visitor.page)).toEqual([200, "Check your email"])
  await expect.poll(async () => (await realm.get("/v2/events?event_type=user.password.resetting")).items.length).toBe(1)
  return linkTo(email)
}

describe("a forgotten password", () => {
  test("is reset once by an emailed link to the app's host", async () => {
    const { given } = await clockedService()
    const realm = await given.realm()
    const { user, email, visitor, origin } = await visitorAtApp(realm, { user: { username: "ada" } })
    const elsewhere = new Visitor(realm.transport, origin)
    await elsewhere.logIn(email)
    const session_id = claimsIn(elsewhere.leads)["sid"]
    const link = await requestResetLink(visitor, realm, "ADA ", email)
    expect(link).toMatch(new RegExp(`^${origin.replaceAll(".", "\\.")}/reset\\?token=kpw_\\w{43}$`))
    const scanner = new Visitor(realm.transport, origin)
    const eventsOfViews = await realm.seen.caused(async () => {
      for (let n = 0; n < 3; n += 1)
        expect(statusAndHeading(await scanner.open(link))).toEqual([200, "Choose a new password"])
      expect((await scanner.browser.go(link, { method: "HEAD" })).status).toBe(200)
    })
    expect(eventsOfViews).toEqual([])

    await visitor.open(link)
    const short = await realm.seen.during(() => visitor.fill(passwordFields("short")))
    expect([...statusAndHeading(short.result), short.events]).toEqual([422, "Choose a new password", []])
    await visitor.fill({ password: OTHER_PASSWORD, password_confirmation: PASSWORD })
    expect(visibleText(visitor.page)).toContain("The passwords don't match.")
    const { result, events } = await realm.seen.during(() => visitor.fill(passwordFields(OTHER_PASSWORD)))
    expect([statusAndHeading(result), result.headers.getSetCookie()]).toEqual([DONE, []])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      event(user, "email.verified"),
      { event_type: "session.deleted", user_id: user.id, session_id }
    ])
    expect((await elsewhere.open("/profile")).status).toBe(303)
    const failed = event(user, "password_token.failed")
    const reopened = await realm.seen.during(() => visitor.open(link))
    expect([statusAndHeading(reopened.result), formsIn(visitor.page), reopened.events]).toEqual([GONE, [], [failed]])
    const token = new URL(link).searchParams.get("token") ?? ""
    const replayed = await realm.seen.during(() =>
      visitor.send("/reset", { token, ...passwordFields("some other words") })
    )
    expect([statusAndHeading(replayed.result), replayed.events]).toEqual([GONE, [failed]])
    expect((await visitor.logIn(email)).status).toBe(422)
    await visitor.logIn(email, OTHER_PASSWORD)
    expectTokenHandover(visitor.leads)
  })

  test("SEC-23: can be reset without bypassing the second factor", async () => {
    const { given, clock } = await clockedService()
    const realm = await given.realm()
    const { user, email, visitor } = await visitorAtApp(realm, { user: { email_verification: "verified" } })
    const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    await visitor.open(await requestResetLink(visitor, realm, email, email))
    await visitor.fill(passwordFields(OTHER_PASSWORD))
    expect([statusAndHeading(visitor.page), visitor.cookie]).toEqual([DONE, undefined])
    expect(statusAndHeading(await visitor.logIn(email, OTHER_PASSWORD))).toEqual([200, "Enter your code"])
    expect(visitor.cookie).toBe(undefined)
    await visitor.fill({ code: device.code(1, clock.currentTimeMillisUnsafe()) })
    expectTokenHandover(visitor.leads)
  })

  test("SEC-15: gets the same page for any name, but an email only for an active user", async () => {
    const realm = await newRealm()
    const { user, email, origin } = await visitorAtApp(realm)
    const asleep = await quickUser(realm, { state: "inactive" })
    const pages: Array<string> = []
    const events = await effectsOf(realm, async (own) => {
      const visitor = new Visitor(own.transport, origin)
      for (const name of [email, asleep.string("email"), "nobody@example.test", "\0", "x".repeat(300)]) {
        await visitor.open("/forgot")
        await visitor.fill({ name })
        expect([name, ...statusAndHeading(visitor.page)]).toEqual([name, 200, "Check your email"])
        pages.push(visitor.page.text.replaceAll(name, ""))
      }
      await visitor.open("/forgot")
      await visitor.fill({ name: "  " })
      expect([...statusAndHeading(visitor.page), visibleText(visitor.page)]).toEqual([
        422,
        "Forgot your password?",
        expect.stringContaining("Enter your email or username.")
      ])
    })
    expect(events).toEqual([event(user, "password.resetting")])
    expect(new Set(pages.slice(0, 3)).size).toBe(1)
  })

  test("can be reset without losing redirect_uri and next", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/cb"
    const { email, visitor } = await visitorAtApp(realm, { app: { redirect_uris: [place] } })
    await visitor.open(`/login?redirect_uri=${place}&next=profile`)
    const links = (text: string) =>
      [...text.matchAll(/ href="(\w+\?[^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    const query = `?redirect_uri=${encodeURIComponent(place)}&next=profile`
    expect(links(visitor.page.text)).toEqual([`forgot${query}`, `signup${query}`])
    await visitor.open(`/forgot${query}`)
    await visitor.fill({ name: email })
    expect(links(visitor.page.text)).toEqual([`forgot${query}`, `login${query}`])
  })

  test("SEC-20: cannot be reset with an unknown token or a token of another realm", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const { visitor, user } = await visitorAtApp(realm)
    const strange = await passwordToken(other, (await quickUser(other)).id)
    for (const token of [strange, "", "kpw_x", `kpw_${"A".repeat(43)}`]) {
      expect([token, statusAndHeading(await visitor.open(`/reset?token=${token}`))]).toEqual([token, GONE])
      expect(statusAndHeading(await visitor.send("/reset", { token, ...passwordFields(OTHER_PASSWORD) }))).toEqual(GONE)
    }
    const mine = await passwordToken(realm, user.id)
    await visitor.open(`/reset?token=${mine}`)
    expect([visitor.page.status, fieldOf(visitor.page, "token")]).toEqual([200, mine])
  })
})
