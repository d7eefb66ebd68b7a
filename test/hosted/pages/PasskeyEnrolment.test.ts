import { describe, expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, beginLogin } from "../../external/BrowserLogins.ts"
import { hostedAt } from "../../support/hostedApi.ts"
import { userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { authenticatorResponse, passkeyOptionsBy, passkeyOptionsOn } from "../../support/passkeyPages.ts"
import { service } from "../../support/sallyport.ts"
import { claimsIn, isLoggedIn, Visitor, visitorAtApp } from "../../support/visitor.ts"

const NEEDED = "Set up two-step verification"

const newRealm = async (settings = {}): Promise<GivenRealm> =>
  (await service()).given.realm({ mfa: "required", signup_fields: [], ...settings })

/** Submits a passkey created for the page's options. */
const submitPasskey = (
  visitor: Visitor,
  device = new Authenticator(),
  ceremony: { readonly userVerified?: boolean } = {}
) => {
  const answer = authenticatorResponse(device, passkeyOptionsOn(visitor), { origin: visitor.origin, ...ceremony })
  return visitor.sendForm("Create a passkey", answer)
}

/** A user whose login requires setting up a second factor. */
const withPendingLogin = async (given?: GivenRealm) => {
  const realm = given ?? (await newRealm())
  const at = await visitorAtApp(realm)
  await at.visitor.logIn(at.email)
  expect([statusAndHeading(at.visitor.page), at.visitor.cookie]).toEqual([[200, NEEDED], undefined])
  return { realm, ...at }
}

describe("a passkey set up during a login in a realm that requires two factors (C147)", () => {
  test("is offered as an alternative to an authenticator app and is required at the next login", async () => {
    const { realm, visitor, user, email, origin } = await withPendingLogin()
    expect(visitor.form(undefined, ["code"]).button).toBe("Confirm")
    const device = new Authenticator()
    const { events } = await realm.seen.during(() => submitPasskey(visitor, device))
    expect(events).toMatchObject([event(user, "updated"), event(user, "login.succeeded")])
    expect(claimsIn(visitor.leads)).toMatchObject({ sub: user.id, amr: ["pwd", "hwk", "mfa"], acr: "aal2" })
    const update = (await realm.seen.all()).find(({ event_type }) => event_type === "user.updated")
    expect([update?.["actor"], await isLoggedIn(visitor)]).toEqual([{ type: "user", id: user.id }, true])
    const again = new Visitor(realm.transport, origin)
    await again.logIn(email)
    expect(statusAndHeading(again.page)).toEqual([200, "Confirm it's you"])
  })

  test("counts as a second factor even without user verification", async () => {
    const { visitor } = await withPendingLogin()
    await submitPasskey(visitor, new Authenticator(), { userVerified: false })
    expect(claimsIn(visitor.leads)).toMatchObject({ amr: ["pwd", "hwk", "mfa"], acr: "aal2" })
  })

  test("also completes a sign-up, a provider login or an invitation", async () => {
    const realm = await newRealm()
    const signup = await hostedAt(realm, { login_handler: "https://app.example.test/in", signup_mode: "user" })
    const joining = new Visitor(realm.transport, signup.origin)
    await joining.open("/signup")
    await joining.fill({ email: "new@example.test", password: PASSWORD })
    await submitPasskey(joining)
    expect(joining.leads.searchParams.get("signup")).toBe("true")

    const at = await appWithDouble(realm)
    const by = new Visitor(realm.transport, at.origin, at.browser)
    const query = new URLSearchParams({ state: await beginLogin(at), code: "a-code" })
    await by.open(`/auth/${at.provider.id}/callback?${query}`)
    expect(statusAndHeading(by.page)).toEqual([200, NEEDED])
    await submitPasskey(by)
    expect(await isLoggedIn(by)).toBe(true)

    const invitation = await realm.invitation({ invitation_type: "referral", email: "guest@example.test" })
    const guest = new Visitor(realm.transport, at.origin)
    await guest.open(`/invitation?token=${invitation.string("token")}`)
    await guest.fill({ password: PASSWORD })
    await submitPasskey(guest)
    expect(await isLoggedIn(guest)).toBe(true)
  })

  test("is not offered if passkeys are inactive or the login started with a passkey", async () => {
    const realm = await newRealm()
    await realm.put("/v2/auth_providers/passkey", { auth_provider: { state: "inactive" } })
    const { visitor } = await withPendingLogin(realm)
    expect(visibleText(visitor.page)).not.toContain("passkey")
    await realm.put("/v2/auth_providers/passkey", { auth_provider: { state: "active" } })

    const other = await withPendingLogin(realm)
    const device = new Authenticator()
    await submitPasskey(other.visitor, device)
    const unchecked = new Visitor(realm.transport, other.origin)
    const challenge = await unchecked.browser.go(new URL(`${other.origin}/v1/passkey_options`), { method: "POST" })
    const answer = authenticatorResponse(device, passkeyOptionsBy(challenge), {
      origin: other.origin,
      userVerified: false
    })
    await unchecked.send("/login", { way: "passkey", ...answer })
    expect(statusAndHeading(unchecked.page)).toEqual([200, NEEDED])
    expect(visibleText(unchecked.page)).not.toContain("Create a passkey")
  })
})

describe("SEC-131: setting up a passkey during a login", () => {
  test("is rejected with another user's challenge, without a valid login token or a second time", async () => {
    const realm = await newRealm()
    const [mine, theirs] = [await withPendingLogin(realm), await withPendingLogin(realm)]
    const foreign = authenticatorResponse(new Authenticator(), passkeyOptionsOn(theirs.visitor), {
      origin: mine.origin
    })
    const form = mine.visitor.form("Create a passkey").values
    const { events } = await realm.seen.during(async () => {
      await mine.visitor.send("/login", { ...form, ...foreign })
      expect([mine.visitor.page.status, visibleText(mine.visitor.page).includes("This took too long.")]).toEqual([
        422,
        true
      ])
      await mine.visitor.send("/login", { ...form, ...foreign, login: "" })
      await mine.visitor.send("/login", { ...form, response: "{}", token: "" })
      expect([mine.visitor.page.status, mine.visitor.cookie]).toEqual([422, undefined])
    })
    expect(events).toEqual([])
    const answer = authenticatorResponse(new Authenticator(), passkeyOptionsOn(mine.visitor), { origin: mine.origin })
    const values = { ...form, ...answer }
    await mine.visitor.send("/login", values)
    expect(mine.visitor.page.status).toBe(303)
    const again = new Visitor(realm.transport, mine.origin)
    await again.send("/login", values)
    expect([again.page.status, again.cookie]).toEqual([422, undefined])
  })

  test("is rejected if the user has set up a second factor in the meantime", async () => {
    const { realm, visitor, user, email, origin } = await withPendingLogin()
    const second = new Visitor(realm.transport, origin)
    await second.logIn(email)
    const { events } = await realm.seen.during(() => Promise.all([submitPasskey(visitor), submitPasskey(second)]))
    expect([visitor.page.status, second.page.status].toSorted()).toEqual([303, 422])
    expect(events.filter(({ event_type }) => event_type === "user.login.succeeded")).toHaveLength(1)
    const listed = await realm.get(`/v2/users/${user.id}?expand=credentials`)
    expect(listed.text.match(/"credential_type":"passkey"/g)).toHaveLength(1)
  })
})
