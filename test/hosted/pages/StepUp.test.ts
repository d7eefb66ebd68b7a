import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, logInAtProvider } from "../../external/BrowserLogins.ts"
import { codeAt } from "../../support/credentials.ts"
import { profile } from "../../support/external.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService } from "../../support/sallyport.ts"
import { onProfilePage, Visitor, visitorAtApp } from "../../support/visitor.ts"

const newRealm = async (settings: Readonly<Record<string, unknown>> = {}): Promise<GivenRealm> =>
  (await clockedService()).given.realm(settings)

const now = async (): Promise<number> => (await clockedService()).clock.currentTimeMillisUnsafe()

const seconds = async (): Promise<number> => Math.floor((await now()) / 1000)

/** The claims of the token that the app received. */
const receivedClaims = (visitor: Visitor) => {
  const { sid, auth_time, amr, acr } = decodeJwt(visitor.leads.searchParams.get("token") ?? "")
  return { sid, auth_time, amr, acr }
}

const keyOn = ({ text }: Reply): string =>
  /<code class="key">([^<]*)</.exec(text)?.[1]?.replaceAll(" ", "") ?? "nothing"

const CODE = "Enter your code"
const LOGIN = "Log in"
const SET_UP = "Set up two-step verification"

describe("step-up (C148)", () => {
  test("asks only for the code if acr_values=aal2, and keeps the session", async () => {
    const realm = await newRealm()
    const { visitor, user, sid } = await onProfilePage(realm)
    const device = await enrolled(realm, user.id, await now())
    await visitor.open("/login?acr_values=aal2&state=s-1")
    expect(statusAndHeading(visitor.page)).toEqual([200, CODE])
    const { events } = await realm.seen.during(async () => visitor.fill({ code: device.code(0, await now()) }))
    expect(receivedClaims(visitor)).toEqual({
      sid,
      auth_time: await seconds(),
      amr: ["pwd", "otp", "mfa"],
      acr: "aal2"
    })
    expect(visitor.leads.searchParams.get("state")).toBe("s-1")
    expect(events).toEqual([event(user, "login.initiated"), { ...event(user, "login.succeeded"), session_id: sid }])
    const session = await realm.get(`/v2/sessions/${sid}`)
    expect(session.body).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: "aal2" })
    // A requirement that is already met isn't asked for again.
    await visitor.open("/login?acr_values=aal2&max_age=600")
    expect(receivedClaims(visitor)).toMatchObject({ sid, acr: "aal2" })
  })

  test("asks for the password if the login is older than max_age, and renews the session", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, sid, email } = await onProfilePage(realm)
    await visitor.open("/login?max_age=60")
    expect(receivedClaims(visitor)).toMatchObject({ sid, acr: "aal1" })
    await advance("2 minutes")
    await visitor.open("/login?max_age=60")
    expect([statusAndHeading(visitor.page), visitor.form().values["name"]]).toEqual([[200, LOGIN], email])
    expect(visibleText(visitor.page)).toMatch(new RegExp(`To continue, log in again\\..* ${email} `))
    expect(visibleText(visitor.page)).not.toContain("Sign up")
    await visitor.fill({ password: PASSWORD })
    expect(receivedClaims(visitor)).toEqual({ sid, auth_time: await seconds(), amr: ["pwd"], acr: "aal1" })
    expect((await realm.get("/v2/sessions")).items).toHaveLength(1)
    await visitor.open("/login?max_age=0")
    expect(statusAndHeading(visitor.page)).toEqual([200, LOGIN])
  })

  test("lets a user without a second factor set up a second factor if acr_values=aal2", async () => {
    const realm = await newRealm()
    const { visitor, sid } = await onProfilePage(realm)
    const { events } = await realm.seen.during(() => visitor.open("/login?acr_values=aal2"))
    expect([statusAndHeading(visitor.page), events]).toEqual([[200, SET_UP], []])
    await visitor.fill()
    await visitor.fill({ code: codeAt(keyOn(visitor.page), await now()) })
    expect(receivedClaims(visitor)).toMatchObject({ sid, acr: "aal2" })
  })

  test("applies to existing logins when the realm starts to require a second factor", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    await visitor.open("/login")
    expect(statusAndHeading(visitor.page)).toEqual([200, SET_UP])
    await visitor.send("/login", { way: "continue" })
    expect(statusAndHeading(visitor.page)).toEqual([200, SET_UP])
  })

  test("applies acr_values and max_age to a new login", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    await visitor.open("/login?acr_values=aal2&max_age=30")
    await visitor.fill({ name: email, password: PASSWORD })
    expect(statusAndHeading(visitor.page)).toEqual([200, SET_UP])
    await visitor.fill({ code: codeAt(keyOn(visitor.page), await now()) })
    expect(receivedClaims(visitor)).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: "aal2" })
  })

  test("applies acr_values to a provider login", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm, { told: profile() })
    const back = await logInAtProvider(at, "?acr_values=aal2&state=s-2")
    expect(statusAndHeading(back)).toEqual([200, SET_UP])
    expect(statusAndHeading(await at.browser.go(`${at.path}?acr_values=aal9`))).toEqual([422, "This link isn't valid"])
  })

  test.each([
    "acr_values=aal3",
    "acr_values=urn:mace:incommon:iap:silver",
    "acr_values=aal1%20gold",
    "max_age=-1",
    "max_age=1.5",
    "max_age=soon",
    "max_age=99999999999",
    "max_age=1&max_age=2",
    "acr_values=aal2&acr_values=aal1"
  ])("rejects %s", async (query) => {
    const realm = await newRealm()
    const { visitor } = await visitorAtApp(realm)
    await visitor.open(`/login?${query}`)
    expect(statusAndHeading(visitor.page)).toEqual([422, "This link isn't valid"])
  })

  test("works in a realm with unmanaged sessions", async () => {
    const realm = await newRealm({ session_type: "unmanaged" })
    const { visitor, user, email } = await visitorAtApp(realm)
    await visitor.logIn(email)
    const device = await enrolled(realm, user.id, await now())
    await visitor.open("/login?acr_values=aal2")
    await visitor.fill({ code: device.code(0, await now()) })
    expect(receivedClaims(visitor)).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: "aal2" })
    await visitor.open("/login?acr_values=aal2")
    expect(receivedClaims(visitor)).toMatchObject({ acr: "aal2" })
  })
})

describe("SEC-129: the level that a token states", () => {
  test("is the actual level of the login when acr_values is removed from the form", async () => {
    const realm = await newRealm()
    const { visitor, user } = await onProfilePage(realm)
    await enrolled(realm, user.id, await now())
    await visitor.open("/login?acr_values=aal2")
    await visitor.send("/login", { way: "continue" })
    expect(receivedClaims(visitor)).toMatchObject({ amr: ["pwd"], acr: "aal1" })
    await visitor.send("/login", { way: "continue", acr_values: "aal2" })
    expect(statusAndHeading(visitor.page)).toEqual([200, CODE])
  })

  test("is not lowered by renewing the login", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, user, sid } = await onProfilePage(realm)
    const device = await enrolled(realm, user.id, await now())
    await visitor.open("/login?acr_values=aal2")
    await visitor.fill({ code: device.code(0, await now()) })
    await advance("5 minutes")
    await visitor.open("/login?max_age=60")
    await visitor.fill({ password: PASSWORD })
    expect(statusAndHeading(visitor.page)).toEqual([200, CODE])
    expect((await realm.get(`/v2/sessions/${sid}`)).member("auth_time")).toBe((await seconds()) - 300)
    await visitor.fill({ code: device.code(0, await now()) })
    expect(receivedClaims(visitor)).toEqual({
      sid,
      auth_time: await seconds(),
      amr: ["pwd", "otp", "mfa"],
      acr: "aal2"
    })
  })

  test("cannot be aal2 in a realm without second factors", async () => {
    const realm = await newRealm({ mfa: "off" })
    const { visitor } = await onProfilePage(realm)
    await visitor.open("/login?acr_values=aal2")
    expect(statusAndHeading(visitor.page)).toEqual([422, "This link isn't valid"])
  })
})

describe("SEC-130: the step-up of a session", () => {
  test("is rejected in a browser other than the one that started the step-up", async () => {
    const realm = await newRealm()
    const victim = await onProfilePage(realm)
    const device = await enrolled(realm, victim.user.id, await now())
    await victim.visitor.open("/login?acr_values=aal2")
    await victim.visitor.fill({ code: "000000" })
    const { login = "" } = victim.visitor.form().values
    const stranger = new Visitor(realm.transport, victim.visitor.origin)
    const { events } = await realm.seen.during(async () =>
      stranger.send("/login", { way: "code", login, code: device.code(0, await now()) })
    )
    expect([stranger.cookie, events]).toEqual([undefined, []])
    expect((await realm.get(`/v2/sessions/${victim.sid}`)).member("acr")).toBe("aal1")
  })

  test("starts a separate session if another user logs in", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, sid } = await onProfilePage(realm)
    const other = await quickUser(realm, {})
    await advance("5 minutes")
    await visitor.open("/login?max_age=60")
    expect(visibleText(visitor.page)).toContain("Use another account")
    await visitor.send("/login", { max_age: "60", name: other.string("email"), password: PASSWORD })
    const token = receivedClaims(visitor)
    expect(token.sid).not.toBe(sid)
    const session = await realm.get(`/v2/sessions/${token.sid}`)
    expect(session.member("user_id")).toBe(other.id)
    expect((await realm.get(`/v2/sessions/${sid}`)).member("auth_time")).toBe((await seconds()) - 300)
  })
})

describe("SEC-133: the auth_time in a token", () => {
  test("stays the same in a new token of an old session", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, sid } = await onProfilePage(realm)
    const loginTime = await seconds()
    await advance("1 hour")
    const read = await realm.get(`/v2/sessions/${sid}`)
    expect(decodeJwt(read.string("token"))).toMatchObject({ auth_time: loginTime, iat: loginTime + 3600 })
    await visitor.open("/login")
    expect(receivedClaims(visitor)).toMatchObject({ sid, auth_time: loginTime })
  })

  test("stays the same when a second factor is added later", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, user } = await onProfilePage(realm)
    const loginTime = await seconds()
    const device = await enrolled(realm, user.id, await now())
    await advance("1 hour")
    await visitor.open("/login?acr_values=aal2")
    await visitor.fill({ code: device.code(0, await now()) })
    expect(receivedClaims(visitor)).toMatchObject({ auth_time: loginTime, acr: "aal2" })
    await visitor.open("/login?acr_values=aal2&max_age=300")
    expect(statusAndHeading(visitor.page)).toEqual([200, LOGIN])
  })
})
