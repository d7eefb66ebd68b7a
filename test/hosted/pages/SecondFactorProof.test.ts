import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { appAt } from "../../external/BrowserLogins.ts"
import { codeAt } from "../../support/credentials.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService } from "../../support/sallyport.ts"
import { onSecurityPage, Visitor } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)

/** A user with an authenticator app who logs in with password and code. */
const withApp = async (realm: GivenRealm) => {
  const { clock } = await clockedService()
  const user = await quickUser(realm)
  const { code } = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
  const { origin } = await appAt(realm)
  const visitor = new Visitor(realm.transport, origin)
  /** A login that proves the identity again already knows the user. */
  const logIn = async (isKnown = false) => {
    await visitor.fill({ ...(isKnown ? {} : { name: user.string("email") }), password: PASSWORD })
    await visitor.fill({ code: code(0, clock.currentTimeMillisUnsafe()) })
  }
  await visitor.open("/login")
  await logIn()
  return { visitor, user, logIn }
}

const changes = [
  ["a new set of recovery codes", "/security", { way: "recovery_codes" }],
  ["another app", "/security", { way: "add", device_name: "Phone", current_password: PASSWORD }],
  ["another email", "/profile", { way: "details", email: "new@example.test", current_password: PASSWORD }],
  ["the account's data", "/profile", { way: "export", current_password: PASSWORD }]
] as const

describe("SEC-144: a session of a user with two factors", () => {
  test("allows no sensitive change after ten minutes, not even with the password", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor } = await withApp(realm)
    await advance("10 minutes")
    const { events } = await realm.seen.during(async () => {
      for (const [, page, form] of changes) {
        await visitor.send(page, form)
        expect([visitor.leads.pathname, visitor.leads.searchParams.get("why")]).toEqual(["/login", "proof"])
      }
      await visitor.send("/passkey", { way: "create" })
      expect(visitor.leads.pathname).toBe("/login")
    })
    expect(events).toEqual([])
    for (const page of ["/security", "/profile"]) {
      await visitor.open(page)
      expect(visitor.page.text).not.toMatch(/id="de(vice|tails)-password"/)
    }
  })

  test("allows sensitive changes for ten minutes after a login with both factors", async () => {
    const { advance } = await clockedService()
    const realm = await newRealm()
    const { visitor, user, logIn } = await withApp(realm)
    await advance("10 minutes")
    await visitor.open("/security")
    await visitor.fill({}, "Create recovery codes")
    await visitor.follow()
    await logIn(true)
    expect([visitor.leads.pathname, visitor.page.status]).toEqual(["/security", 303])
    await visitor.follow()
    const made = await realm.seen.during(() => visitor.fill({}, "Create recovery codes"))
    expect([...statusAndHeading(made.result), made.events]).toEqual([
      200,
      "Save your recovery codes",
      [event(user, "updated")]
    ])
    await advance("10 minutes")
    await visitor.send("/security", { way: "recovery_codes" })
    expect(visitor.leads.pathname).toBe("/login")
  })

  test("allows no sensitive change if the login happened before the authenticator app was added", async () => {
    const { advance, clock } = await clockedService()
    const realm = await newRealm()
    const { visitor, user } = await onSecurityPage(realm)
    await advance("1 minute")
    await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    await advance("10 minutes")
    await visitor.send("/security", { way: "add", device_name: "Phone", current_password: PASSWORD })
    expect(visitor.leads.pathname).toBe("/login")
  })
})

test("C160: a user who has just set up an authenticator app can create recovery codes without another code", async () => {
  const { advance, clock } = await clockedService()
  const realm = await newRealm()
  const { visitor, user } = await onSecurityPage(realm)
  await advance("1 minute")
  await visitor.open("/security")
  await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
  const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
  await advance("1 minute")
  await visitor.fill({ code: codeAt(secret, clock.currentTimeMillisUnsafe()) })
  await visitor.follow()
  const { result, events } = await realm.seen.during(() => visitor.fill({}, "Create recovery codes"))
  expect([result.status, events]).toEqual([200, [event(user, "updated")]])
})

test("C160: the password alone is enough for changes if second factors are off, but not if they are required", async () => {
  const { advance } = await clockedService()
  const add = { way: "add", device_name: "Phone", current_password: PASSWORD }
  const open = await newRealm({ mfa: "off" })
  const mine = await onSecurityPage(open)
  await advance("10 minutes")
  await mine.visitor.send("/security", add)
  expect(mine.visitor.page.status).toBe(200)
  const strict = await newRealm()
  const theirs = await onSecurityPage(strict)
  await strict.put(`/v2/realms/${strict.id}`, { realm: { mfa: "required" } })
  await theirs.visitor.send("/security", add)
  expect(theirs.visitor.leads.pathname).toBe("/login")
})
