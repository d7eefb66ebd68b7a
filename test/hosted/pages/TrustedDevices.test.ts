import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { recoveryCodes } from "../../support/codes.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { query } from "../../support/query.ts"
import { clockedService } from "../../support/sallyport.ts"
import { claimsIn, Visitor, visitorAtApp } from "../../support/visitor.ts"

const COOKIE = "__Host-trusted_device"
const CODE = [200, "Enter your code"]

const newRealm = async (settings: object = {}): Promise<GivenRealm> =>
  (await clockedService()).given.realm({ trusted_devices_days: 30, ...settings })

const now = async (): Promise<number> => (await clockedService()).clock.currentTimeMillisUnsafe()

/** A user with an authenticator app who has ticked the box in this browser. */
const withTrust = async (realm: GivenRealm) => {
  const at = await visitorAtApp(realm)
  const device = await enrolled(realm, at.user.id, await now())
  await at.visitor.logIn(at.email)
  await at.visitor.fill({ code: device.code(0, await now()), trust: "1" })
  expect(at.visitor.page.status).toBe(303)
  const cookie = () => at.visitor.browser.cookies(at.host)[COOKIE] ?? ""
  const asksCode = async () => {
    await at.visitor.logIn(at.email, PASSWORD, "?way=login")
    return at.visitor.page.status === 200
  }
  return { ...at, realm, device, cookie, asksCode }
}

/** Logs in from a new browser with this cookie. */
const withCookie = async (at: { origin: string; realm: GivenRealm }, email: string, value: string) => {
  const { browser } = new Visitor(at.realm.transport, at.origin)
  const headers = { origin: "null", "sec-fetch-site": "same-origin", cookie: `${COOKIE}=${value}` }
  const reply = await browser.go(`${at.origin}/login`, { form: { name: email, password: PASSWORD }, headers })
  return reply.status
}

describe("SEC-296: a trusted device", () => {
  test("is offered only if the realm allows it, and for an authenticator app", async () => {
    const realm = await newRealm({ trusted_devices_days: null })
    const at = await visitorAtApp(realm)
    const { code } = await enrolled(realm, at.user.id, await now())
    await at.visitor.logIn(at.email)
    expect(at.visitor.page.text).not.toContain("Trust this device")
    const { login = "" } = at.visitor.form().values
    await at.visitor.send("/login", { way: "code", by: "totp", login, trust: "1", code: code(0, await now()) })
    expect([at.visitor.page.status, at.visitor.browser.cookies(at.host)[COOKIE]]).toEqual([303, undefined])
    await realm.put(`/v2/realms/${realm.id}`, { realm: { trusted_devices_days: 1 } })
    await at.visitor.logIn(at.email, PASSWORD, "?way=login")
    expect(visibleText(at.visitor.page)).toContain("Trust this device for 1 day")
  })

  test("skips the second factor until its days are over, and counts as no factor", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const at = await visitorAtApp(realm)
    const device = await enrolled(realm, at.user.id, await now())
    await at.visitor.logIn(at.email)
    const first = await realm.seen.during(async () =>
      at.visitor.fill({ code: device.code(0, await now()), trust: "1" })
    )
    const session_id = String(claimsIn(at.visitor.leads)["sid"])
    expect(first.events).toEqual([
      { ...event(at.user, "login.succeeded"), session_id },
      event(at.user, "device.trusted")
    ])
    expect(at.visitor.page.headers.getSetCookie().join("\n")).toMatch(
      /^__Host-trusted_device=\w{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/m
    )
    const { sql } = await clockedService()
    const rows = await query(sql`select * from trusted_devices where realm_id = ${realm.id}`)
    const secret = at.visitor.browser.cookies(at.host)[COOKIE] ?? "nothing"
    expect([rows.length, JSON.stringify(rows).includes(secret)]).toEqual([1, false])
    await advance("29 days")
    const again = await realm.seen.during(() => at.visitor.logIn(at.email, PASSWORD, "?way=login"))
    expect(again.events).toEqual([
      { ...event(at.user, "login.succeeded"), session_id: String(claimsIn(at.visitor.leads)["sid"]) }
    ])
    expect(claimsIn(at.visitor.leads)).toMatchObject({ amr: ["pwd"], acr: "aal1" })
    await advance("1 day")
    await at.visitor.logIn(at.email, PASSWORD, "?way=login")
    expect(statusAndHeading(at.visitor.page)).toEqual(CODE)
  })

  test("is trusted by neither a recovery code nor a wrong code", async () => {
    const realm = await newRealm()
    const at = await visitorAtApp(realm)
    await enrolled(realm, at.user.id, await now())
    await realm.post("/v2/credentials", { credential: { user_id: at.user.id, credential_type: "recovery_codes" } })
    const [code = ""] = await recoveryCodes(realm, at.user.id)
    await at.visitor.logIn(at.email)
    await at.visitor.fill({ code: "000000", trust: "1" })
    // The box stays ticked.
    expect([at.visitor.page.status, at.visitor.form().values["trust"]]).toEqual([422, "1"])
    await at.visitor.fill({ code })
    expect([at.visitor.page.status, at.visitor.browser.cookies(at.host)[COOKIE]]).toEqual([303, undefined])
  })

  test.each([
    "?acr_values=aal2",
    "?max_age=600",
    "?why=proof&next=security",
    "?why=again"
  ])("does not replace the second factor of a login with %s", async (demand) => {
    const at = await withTrust(await newRealm())
    await at.visitor.open(`/login${demand}&way=login`)
    // A login that proves the identity again already knows the user.
    const name = at.visitor.form(undefined, ["password"]).open.has("name") ? { name: at.email } : {}
    await at.visitor.fill({ ...name, password: PASSWORD })
    expect(statusAndHeading(at.visitor.page)).toEqual(CODE)
  })

  test("does not allow sensitive changes of the account", async () => {
    const { advance } = await clockedService()
    const at = await withTrust(await newRealm())
    await advance("1 minute")
    expect(await at.asksCode()).toBe(false)
    await at.visitor.send("/security", { way: "recovery_codes" })
    expect([at.visitor.leads.pathname, at.visitor.leads.searchParams.get("why")]).toEqual(["/login", "proof"])
    await at.visitor.open("/login?acr_values=aal2")
    expect(statusAndHeading(at.visitor.page)).toEqual(CODE)
  })

  test("works only for its own user and realm, and several users can trust one browser", async () => {
    const realm = await newRealm()
    const at = await withTrust(realm)
    const other = await quickUser(realm)
    const { code } = await enrolled(realm, other.id, await now())
    const stolen = at.cookie()
    expect(await withCookie(at, at.email, stolen)).toBe(303)
    expect(await withCookie(at, other.string("email"), stolen)).toBe(200)
    const foreign = await withTrust(await newRealm())
    expect(await withCookie(at, at.email, foreign.cookie())).toBe(200)
    await at.visitor.logIn(other.string("email"), PASSWORD, "?way=login")
    expect(statusAndHeading(at.visitor.page)).toEqual(CODE)
    await at.visitor.fill({ code: code(0, await now()), trust: "1" })
    expect(at.cookie()).toMatch(new RegExp(`^${stolen}\\.\\w{43}$`))
    expect(await at.asksCode()).toBe(false)
  })

  test.each<[string, (at: Awaited<ReturnType<typeof withTrust>>) => Promise<unknown>]>([
    ["sessions end through the API", ({ realm, user }) => realm.post(`/v2/users/${user.id}/end_sessions`, {})],
    ["authenticator app is removed", ({ realm, device }) => realm.delete(`/v2/credentials/${device.id}`)],
    [
      "recovery codes are replaced",
      ({ realm, user }) =>
        realm.post("/v2/credentials", { credential: { user_id: user.id, credential_type: "recovery_codes" } })
    ],
    [
      "password is changed",
      ({ realm, user }) => realm.put(`/v2/users/${user.id}`, { user: { password: OTHER_PASSWORD } })
    ],
    ["user is deactivated", ({ realm, user }) => realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })]
  ])("is no longer trusted once the %s", async (_, change) => {
    const at = await withTrust(await newRealm())
    const { events } = await at.realm.seen.during(() => change(at))
    expect(events.filter(({ event_type }) => event_type === "user.device.untrusted")).toEqual([
      event(at.user, "device.untrusted")
    ])
    const { sql } = await clockedService()
    expect(await query(sql`select 1 from trusted_devices where realm_id = ${at.realm.id}`)).toEqual([])
  })

  test("stays untrusted after the realm turns the setting off and on, and ends earlier if it is shortened", async () => {
    const { advance } = await clockedService()
    const [first, second] = [await withTrust(await newRealm()), await withTrust(await newRealm())]
    for (const trusted_devices_days of [null, 30]) {
      await first.realm.put(`/v2/realms/${first.realm.id}`, { realm: { trusted_devices_days } })
    }
    expect(await first.asksCode()).toBe(true)
    await second.realm.put(`/v2/realms/${second.realm.id}`, { realm: { trusted_devices_days: 7 } })
    await advance("6 days")
    expect(await second.asksCode()).toBe(false)
    await advance("1 day")
    expect(await second.asksCode()).toBe(true)
  })

  test("is enough in a realm that requires a second factor, until its user ends the trust", async () => {
    const at = await withTrust(await newRealm({ mfa: "required" }))
    expect(await at.asksCode()).toBe(false)
    await at.visitor.open("/security")
    expect(visibleText(at.visitor.page)).toContain("Trusted devices")
    const { events } = await at.realm.seen.during(() => at.visitor.fill({}, "Stop trusting"))
    expect(events).toEqual([event(at.user, "device.untrusted")])
    await at.visitor.follow()
    expect(visibleText(at.visitor.page)).toContain("That device is no longer trusted.")
    expect(at.visitor.page.text).not.toContain('id="trusted"')
    await at.visitor.open("/login")
    expect(statusAndHeading(at.visitor.page)).toEqual(CODE)
  })

  test("of another user can't be removed, and logging out everywhere else ends the trust", async () => {
    const realm = await newRealm()
    const [at, stranger] = [await withTrust(realm), await withTrust(realm)]
    const { sql } = await clockedService()
    const [row] = await query(sql`select id from trusted_devices where user_id = ${at.user.id}`)
    const { events } = await realm.seen.during(async () => {
      await stranger.visitor.open("/security")
      await stranger.visitor.send("/security", { way: "untrust", device: String(row?.["id"]) })
    })
    expect([events, await at.asksCode()]).toEqual([[], false])
    await at.visitor.open("/security")
    await at.visitor.send("/security", { way: "end_others" })
    expect(await at.asksCode()).toBe(true)
  })

  test("is listed by the API, which ends the trust in all devices of the user", async () => {
    const realm = await newRealm()
    const at = await withTrust(realm)
    const other = await withTrust(realm)
    const path = `/v2/users/${at.user.id}/trusted_devices`
    const created_at = (await now()) / 1000
    const reply = await realm.get(path)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        object: "trusted_devices",
        user_id: at.user.id,
        trusted_devices: [
          {
            object: "trusted_device",
            created_at,
            expires_at: created_at + 30 * 86_400,
            request: { ip: "127.0.0.1", client: null }
          }
        ]
      }
    ])
    const ended = await realm.seen.during(() => realm.delete(path))
    expect(ended.events).toEqual([event(at.user, "device.untrusted")])
    const again = await realm.seen.during(() => realm.delete(path))
    expect(again.events).toEqual([])
    expect((await realm.get(path)).body).toMatchObject({ trusted_devices: [] })
    expect([await at.asksCode(), await other.asksCode()]).toEqual([true, false])
    const foreign = await newRealm()
    expect((await foreign.get(path)).status).toBe(404)
    expect((await foreign.delete(path)).status).toBe(404)
  })

  test("is no longer trusted once wrong codes block its user", async () => {
    const at = await withTrust(await newRealm())
    const elsewhere = new Visitor(at.realm.transport, at.origin)
    const { events } = await at.realm.seen.during(async () => {
      for (let n = 0; n < 10; n += 1) {
        if (n % 5 === 0) await elsewhere.logIn(at.email)
        await elsewhere.fill({ code: "000000" })
      }
    })
    const types = events.map(({ event_type }) => event_type)
    expect(types.slice(-3)).toEqual(["user.login.failed", "user.blocked", "user.device.untrusted"])
    expect(await at.asksCode()).toBe(true)
  })

  test.each([0, 91, 1.5])("is limited to 1 to 90 days: %s", async (trusted_devices_days) => {
    const { given } = await clockedService()
    const reply = await given.root.post("/v2/realms", { realm: { name: "Realm", trusted_devices_days } })
    expect(reply.status).toBe(422)
  })
})
