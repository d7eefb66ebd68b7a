import { describe, expect, test } from "vitest"
import { redirectTarget } from "../../external/BrowserLogins.ts"
import { oauth2StandIn, profile } from "../../support/external.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import {
  formsIn,
  isLoggedIn,
  onProfilePage,
  onSecurityPage,
  startLinking,
  Visitor,
  withProviderLogin
} from "../../support/visitor.ts"

const returnFromProvider = (visitor: Visitor, provider: string, state: string, query: object = { code: "a-code" }) =>
  visitor.open(`/auth/${provider}/callback?${new URLSearchParams({ state, ...query })}`)

describe("/security: connected services", () => {
  test("can be connected, used for login and disconnected", async () => {
    const realm = await newRealm()
    const told = profile({ email: "private@elsewhere.test", email_verified: false })
    const { provider } = await oauth2StandIn(realm, told)
    const { visitor, user, origin } = await onProfilePage(realm)
    const state = await startLinking(visitor, provider.id)
    expect(statusAndHeading(visitor.page)).toEqual([200, "Connect a service"])
    const { result, events } = await realm.seen.during(() => returnFromProvider(visitor, provider.id, state))
    expect([result.status, result.headers.get("location"), events]).toEqual([
      302,
      "/security?saved=linked",
      [event(user, "updated")]
    ])
    expect(visibleText(await visitor.follow())).toContain("The service is connected.")
    // The state is used up.
    expect(statusAndHeading(await returnFromProvider(visitor, provider.id, state))).toEqual([
      422,
      "This login can't be completed"
    ])
    const other = new Visitor(realm.transport, origin)
    const login =
      redirectTarget(await other.browser.go(`${origin}/auth/${provider.id}`)).searchParams.get("state") ?? ""
    const loggedIn = await realm.seen.during(() => returnFromProvider(other, provider.id, login))
    expect(loggedIn.events.map(({ event_type }) => event_type)).toEqual(["user.login.succeeded"])
    expect(loggedIn.events[0]).toMatchObject({ user_id: user.id })

    await visitor.open("/security")
    const gone = await realm.seen.during(() => visitor.fill({}, "Disconnect"))
    expect([gone.events, visitor.leads.search]).toEqual([[event(user, "updated")], "?saved=unlinked"])
    expect((await realm.get(`/v2/users/${user.id}`)).text).not.toContain("oauth2")
  })

  test("can be changed only within ten minutes of a login", async () => {
    const { advance } = await clockedService()
    const { realm, visitor } = await withProviderLogin()
    const { provider } = await oauth2StandIn(realm, profile())
    await advance("10 minutes")
    await visitor.open("/security")
    const events = await realm.seen.caused(async () => {
      for (const form of [
        { way: "link", provider: provider.id },
        { way: "unlink", credential: "crd_x" }
      ]) {
        await visitor.send("/security", form)
        expect([visitor.leads.pathname, visitor.leads.searchParams.get("why")]).toEqual(["/login", "proof"])
      }
    })
    expect(events).toEqual([])
  })

  test("are not connected when the user cancels or another account uses the provider account", async () => {
    const realm = await newRealm()
    const taken = await withProviderLogin(realm)
    const mine = await onProfilePage(realm)
    const provider = taken.at.provider.id
    const refusals = [
      [{ error: "access_denied" }, "The login was canceled at the provider."],
      [{ code: "a-code" }, "Another account here already uses this login."]
    ] as const
    for (const [query, sentence] of refusals) {
      const state = await startLinking(mine.visitor, provider)
      const { result, events } = await realm.seen.during(() => returnFromProvider(mine.visitor, provider, state, query))
      expect([...statusAndHeading(result), events]).toEqual([422, "The service wasn't connected", []])
      expect(visibleText(result)).toContain(sentence)
    }
    expect((await realm.get(`/v2/users/${mine.user.id}`)).text).not.toContain("oauth2")
    expect((await realm.get(`/v2/users/${taken.user.id}`)).text).toContain("oauth2")
  })

  test("SEC-136: can be connected only by the user and browser that started the connection", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2StandIn(realm, profile())
    const eve = await onProfilePage(realm)
    const state = await startLinking(eve.visitor, provider.id)
    const victim = await quickUser(realm)
    const events = await realm.seen.caused(async () => {
      // Eve makes a victim's browser return with her state and code.
      const browser = new Visitor(realm.transport, eve.origin)
      expect(statusAndHeading(await returnFromProvider(browser, provider.id, state))).toEqual([
        422,
        "The service wasn't connected"
      ])
      expect(await isLoggedIn(browser)).toBe(false)
      await browser.logIn(victim.string("email"))
      expect(statusAndHeading(await returnFromProvider(browser, provider.id, state))).toEqual([
        422,
        "The service wasn't connected"
      ])
      // Another user logs in in the browser that began the connection.
      await eve.visitor.logIn(victim.string("email"), PASSWORD, "?way=login")
      expect(statusAndHeading(await returnFromProvider(eve.visitor, provider.id, state))).toEqual([
        422,
        "The service wasn't connected"
      ])
      expect((await realm.get(`/v2/users/${victim.id}`)).text).not.toContain("oauth2")
    })
    expect([...new Set(events.map(({ event_type }) => event_type))].toSorted()).toEqual(["user.login.succeeded"])
    // A page of another site cannot begin a connection.
    const owner = await onProfilePage(realm)
    await owner.visitor.send(
      "/security",
      { way: "link", provider: provider.id },
      { origin: "https://evil.example.test" }
    )
    expect(owner.visitor.page.status).toBe(403)
    expect(
      (await owner.visitor.open(`/security?way=link&provider=${provider.id}`)).headers.get("set-cookie")
    ).toBeNull()
  })
})

describe("SEC-135: the last login method", () => {
  test("cannot be removed, not even with a forged form", async () => {
    const { realm, visitor, user } = await withProviderLogin()
    expect(visibleText(visitor.page)).toContain("This is your only way to log in.")
    expect(visitor.page.text).not.toContain('value="unlink"')
    const credential = (await realm.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
    const { result, events } = await realm.seen.during(() => visitor.send("/security", { way: "unlink", credential }))
    expect([...statusAndHeading(result), events]).toEqual([422, "Login and security", []])
    expect(visibleText(result)).toContain("This is your only way to log in. Add another one first.")
    // A second factor doesn't count as a login method.
    await enrolled(realm, user.id, (await clockedService()).clock.currentTimeMillisUnsafe())
    expect((await visitor.send("/security", { way: "unlink", credential })).status).toBe(422)
  })

  test("remains when the user removes the last two methods at the same time", async () => {
    const realm = await (await clockedService()).given.realm()
    const { visitor, user } = await withProviderLogin(realm)
    const second = await oauth2StandIn(realm, profile())
    await returnFromProvider(visitor, second.provider.id, await startLinking(visitor, second.provider.id))
    await visitor.open("/security")
    const forms = formsIn(visitor.page).filter(({ button }) => button === "Disconnect")
    expect(forms).toHaveLength(2)
    const browsers = forms.map(() => new Visitor(realm.transport, visitor.origin, visitor.browser))
    const { result, events } = await realm.seen.during(() =>
      Promise.all(forms.map(({ values }, place) => browsers[place]?.send("/security", values)))
    )
    expect(result.map((reply) => reply?.status).toSorted()).toEqual([303, 422])
    expect(events).toEqual([event(user, "updated")])
  })

  test("may be disconnected if login by emailed code is enabled", async () => {
    const { realm, visitor, user } = await withProviderLogin()
    await realm.put("/v2/auth_providers/email_code", { auth_provider: { state: "active" } })
    await visitor.open("/security")
    expect(await realm.seen.caused(() => visitor.fill({}, "Disconnect"))).toEqual([event(user, "updated")])
  })

  test("remains if the method is also the last second factor in a realm that requires a second factor", async () => {
    const { clock } = await clockedService()
    const realm = await (await clockedService()).given.realm()
    const { visitor, user } = await onSecurityPage(realm)
    const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    await visitor.open("/security")
    const form = formsIn(visitor.page).find(({ values }) => values["device"] === device.id)
    const { result, events } = await realm.seen.during(() =>
      visitor.send("/security", { ...form?.values, code: device.code() })
    )
    expect([...statusAndHeading(result), events]).toEqual([422, "Login and security", []])
    expect(visibleText(result)).toContain("Two-step verification is required here. Add another second step first.")
  })

  test("is not removed by a request with another user's credential, a device or an unknown id", async () => {
    const realm = await (await clockedService()).given.realm()
    const theirs = await withProviderLogin(realm)
    const { visitor, user } = await onProfilePage(realm)
    const device = await enrolled(realm, user.id, (await clockedService()).clock.currentTimeMillisUnsafe())
    const credential = (await realm.get(`/v2/users/${theirs.user.id}`)).string("credentials", 0, "id")
    const events = await realm.seen.caused(async () => {
      for (const id of [credential, device.id, "", "crd_x"]) {
        await visitor.send("/security", { way: "unlink", credential: id })
        expect([id, visitor.page.status, visitor.leads.search]).toEqual([id, 303, ""])
      }
    })
    expect(events).toEqual([])
  })
})
