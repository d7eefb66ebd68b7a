import { describe, expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, unescapeHtml, visibleText } from "../../support/pages.ts"
import { authenticatorResponse, createPasskey, passkeyOptionsBy, passkeyOptionsOn } from "../../support/passkeyPages.ts"
import { newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  onProfilePage,
  SAME_SITE_HEADERS,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

/** A user with a passkey and its authenticator. */
const withPasskey = async (settings = {}) => {
  const realm = await newRealm(settings)
  const at = await onProfilePage(realm)
  const device = new Authenticator({ backupEligible: true })
  await createPasskey(at.visitor, device)
  return { ...at, realm, device }
}

const challenge = async (visitor: Visitor) =>
  passkeyOptionsBy(await visitor.browser.go(new URL(`${visitor.origin}/v1/passkey_options`), { method: "POST" }))

describe("a passkey on the hosted pages (C136 to C139)", () => {
  test("logs in without a username and counts as two factors", async () => {
    const { realm, user, origin, device } = await withPasskey()
    const visitor = new Visitor(realm.transport, origin)
    await visitor.open("/login?state=mine")
    const { values } = visitor.form("Log in with a passkey")
    const { events } = await realm.seen.during(async () =>
      visitor.send("/login", { ...values, ...authenticatorResponse(device, await challenge(visitor), { origin }) })
    )
    expect(visitor.leads.searchParams.get("state")).toBe("mine")
    expect(claimsIn(visitor.leads)).toMatchObject({ sub: user.id, amr: ["swk", "mfa"], acr: "aal2" })
    expect(events).toMatchObject([event(user, "login.succeeded")])
  })

  test("is asked for after the password if the realm requires a second factor", async () => {
    const { realm, origin, email, device } = await withPasskey()
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    const visitor = new Visitor(realm.transport, origin)
    await visitor.logIn(email)
    expect(statusAndHeading(visitor.page)).toEqual([200, "Confirm it's you"])
    const { values } = visitor.form("Use a passkey")
    const answer = authenticatorResponse(device, passkeyOptionsOn(visitor), { origin })
    await visitor.send("/login", { ...values, ...answer, response: "{}" })
    expect([visitor.page.status, visitor.page.text.includes('<div class="errors" role="alert"')]).toEqual([422, true])
    await visitor.send("/login", { ...values, ...answer })
    expect(claimsIn(visitor.leads)).toMatchObject({ amr: ["pwd", "swk", "mfa"], acr: "aal2" })
  })

  test("is optional as a second factor unless the realm requires a second factor", async () => {
    const { realm, origin, email, user } = await withPasskey()
    const first = new Visitor(realm.transport, origin)
    await first.logIn(email)
    expectTokenHandover(first.leads)
    const { code } = await enrolled(realm, user.id)
    const second = new Visitor(realm.transport, origin)
    await second.logIn(email)
    expect(statusAndHeading(second.page)).toEqual([200, "Confirm it's you"])
    await second.fill({}, "Use your authenticator app")
    await second.fill({ code: code() }, "Log in")
    expect(claimsIn(second.leads)).toMatchObject({ amr: ["pwd", "otp", "mfa"] })
  })

  test("counts as only one factor without user verification", async () => {
    const { realm, origin, user, device } = await withPasskey()
    await enrolled(realm, user.id)
    const visitor = new Visitor(realm.transport, origin)
    const unchecked = { origin, userVerified: false }
    await visitor.send("/login", {
      way: "passkey",
      ...authenticatorResponse(device, await challenge(visitor), unchecked)
    })
    expect(statusAndHeading(visitor.page)).toEqual([200, "Enter your code"])
    const { login = "" } = visitor.form("Log in").values
    const again = authenticatorResponse(device, await challenge(visitor), unchecked)
    const { result, events } = await realm.seen.during(() =>
      visitor.send("/login", { way: "code", by: "passkey", login, ...again })
    )
    expect([result.status, events]).toEqual([422, []])
  })

  test("can be renamed and removed by its owner, except for the last required second factor", async () => {
    const { realm, visitor, user, device, origin } = await withPasskey()
    await visitor.open("/security")
    expect(visibleText(visitor.page)).toMatch(
      /Passkeys .*Passkey .*Added .* · Not used yet · Synced across your devices/
    )
    expect(await realm.seen.caused(() => visitor.fill({ passkey_name: "My laptop" }, "Save"))).toEqual([
      event(user, "updated")
    ])
    await visitor.follow()
    expect(visibleText(visitor.page)).toContain("The passkey has been renamed.")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    // Changes now require a login with two factors (C160).
    await visitor.send("/login", {
      way: "passkey",
      ...authenticatorResponse(device, await challenge(visitor), { origin })
    })
    await visitor.open("/security")
    const rejection = await realm.seen.during(() => visitor.fill({}, "Remove My laptop"))
    expect([rejection.result.status, rejection.events]).toEqual([422, []])
    expect(visibleText(rejection.result)).toContain("Two-step verification is required here.")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "optional" } })
    expect(await realm.seen.caused(() => visitor.fill({}, "Remove My laptop"))).toEqual([event(user, "updated")])
    await visitor.follow()
    expect(visibleText(visitor.page)).toContain("The passkey has been removed.")
  })

  test("C295: is named after the device that created it without a name", async () => {
    const { visitor } = await withPasskey()
    await visitor.open("/passkey")
    const { origin } = visitor
    const answer = authenticatorResponse(new Authenticator(), passkeyOptionsOn(visitor), { origin })
    const agent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1"
    await visitor.send("/passkey", { way: "create", ...answer }, { ...SAME_SITE_HEADERS, "user-agent": agent })
    expect(visibleText(await visitor.open("/security"))).toContain("iPhone (Safari)")
  })

  test("is offered after a password login in a capable browser until the user declines", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    const logIn = async (passkeys: string) => {
      await visitor.open("/login?way=login&state=mine")
      return visitor.send("/login", { ...visitor.form("Log in").values, name: email, password: PASSWORD, passkeys })
    }
    await logIn("")
    expectTokenHandover(new URL(visitor.leads.href.replace(/&state=mine$/, "")))
    await logIn("1")
    expect([visitor.leads.pathname, visitor.leads.searchParams.get("offer")]).toEqual(["/passkey", "1"])
    await visitor.follow()
    await visitor.fill({}, "Not now")
    expect(visitor.leads.searchParams.get("state")).toBe("mine")
    expect(visitor.page.headers.getSetCookie().join()).toMatch(/^__Host-passkey_offer=[\w-]{16}; Max-Age=15552000; /)
    await logIn("1")
    expect(visitor.leads.pathname).not.toBe("/passkey")
  })

  test("C306, SEC-286: may be created without asking after a password login, but only as an offer", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    await visitor.open("/login?way=login")
    await visitor.send("/login", { ...visitor.form("Log in").values, name: email, password: PASSWORD, passkeys: "1" })
    await visitor.follow()
    expect(visitor.page.text).toContain('data-upgrade="on"')
    const create = (more: object) => {
      const unseen = new Authenticator({ userPresent: false, userVerified: false })
      const answer = authenticatorResponse(unseen, passkeyOptionsOn(visitor), { origin: visitor.origin })
      return visitor.send("/passkey", { way: "create", ...answer, ...more })
    }
    expect((await create({ offer: "1" })).status).toBe(422)
    expect((await create({ conditional: "1" })).status).toBe(422)
    expect((await create({ offer: "1", conditional: "1" })).status).toBe(303)
    expect((await realm.get("/v2/events?event_type=user.updated")).items).toHaveLength(1)
    await visitor.open("/passkey")
    expect(visitor.page.text).not.toContain("data-upgrade")
  })

  test("C306: is never created without asking if the realm requires user verification or attestation", async () => {
    for (const rules of [{ user_verification: "required" }, { attestation: "direct" }]) {
      const realm = await newRealm()
      await realm.put("/v2/auth_providers/passkey", { auth_provider: rules })
      const { visitor } = await onProfilePage(realm)
      await visitor.open("/passkey?offer=1")
      expect([visitor.page.status, visitor.page.text.includes("data-upgrade")]).toEqual([200, false])
    }
  })

  test("C306: is reported to the browser with the user's names, so that it forgets removed passkeys", async () => {
    const { visitor, device } = await withPasskey()
    const [passkey] = device.passkeys
    const signalsOn = () => JSON.parse(unescapeHtml(/data-signals="([^"]*)"/.exec(visitor.page.text)?.[1] ?? "null"))
    await visitor.open("/security")
    const own = { rpId: passkey?.rpId, userId: passkey?.userHandle }
    expect(signalsOn()).toEqual({
      signalAllAcceptedCredentials: { ...own, allAcceptedCredentialIds: [passkey?.id] },
      signalCurrentUserDetails: { ...own, name: expect.stringContaining("@"), displayName: expect.any(String) }
    })
    await visitor.open("/profile")
    expect(signalsOn()).toBeNull()
    await visitor.fill({ first_name: "Ada", last_name: "King" }, "Save")
    await visitor.follow()
    expect(signalsOn().signalCurrentUserDetails.displayName).toBe("Ada King")
  })

  test("is not offered on any page if passkeys are inactive in the realm", async () => {
    const realm = await newRealm()
    const { items } = await realm.get("/v2/auth_providers")
    const id = items.find(({ provider_type }) => provider_type === "passkey")?.["id"]
    await realm.put(`/v2/auth_providers/${id}`, { auth_provider: { state: "inactive" } })
    const { visitor } = await onProfilePage(realm)
    expect(visibleText(await visitor.open("/security"))).not.toContain("Passkey")
    expect((await visitor.open("/login?way=login")).text).not.toMatch(/data-passkey|connect-src/)
    const page = await visitor.open("/passkey")
    expect([page.status, /data-options/.test(page.text), visibleText(page)]).toEqual([
      200,
      false,
      expect.stringContaining("This login method is turned off for this realm.")
    ])
  })
})
