import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { leadsTo } from "../../external/BrowserLogins.ts"
import { oauth2Double, person } from "../../support/external.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { met, said } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { service, turnedService } from "../../support/sallyport.ts"
import { atHome, atSecurity, byProvider, formsIn, isIn, linking, Visitor } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await service()).given.realm(settings)

const comesBack = (visitor: Visitor, provider: string, state: string, query: object = { code: "a-code" }) =>
  visitor.open(`/auth/${provider}/callback?${new URLSearchParams({ state, ...query })}`)

describe("/security: connected services", () => {
  test("can be connected whatever their email, used to log in, and disconnected", async () => {
    const realm = await newRealm()
    const told = person({ email: "private@elsewhere.test", email_verified: false })
    const { provider } = await oauth2Double(realm, told)
    const { visitor, user, origin } = await atHome(realm)
    const state = await linking(visitor, provider.id)
    expect(met(visitor.page)).toEqual([200, "Connect a service"])
    const { result, events } = await realm.seen.during(() => comesBack(visitor, provider.id, state))
    expect([result.status, result.headers.get("location"), events]).toEqual([
      302,
      "/security?saved=linked",
      [event(user, "updated")]
    ])
    expect(said(await visitor.follow())).toContain("The service is connected.")
    // The state is used up.
    expect(met(await comesBack(visitor, provider.id, state))).toEqual([422, "This login can't be completed"])
    const other = new Visitor(realm.transport, origin)
    const login = leadsTo(await other.browser.go(`${origin}/auth/${provider.id}`)).searchParams.get("state") ?? ""
    const loggedIn = await realm.seen.during(() => comesBack(other, provider.id, login))
    expect(loggedIn.events.map(({ event_type }) => event_type)).toEqual(["user.login.succeeded"])
    expect(loggedIn.events[0]).toMatchObject({ user_id: user.id })

    await visitor.open("/security")
    const gone = await realm.seen.during(() => visitor.fill({}, "Disconnect"))
    expect([gone.events, visitor.leads.search]).toEqual([[event(user, "updated")], "?saved=unlinked"])
    expect((await realm.get(`/v2/users/${user.id}`)).text).not.toContain("oauth2")
  })

  test("can only be changed within ten minutes of a login", async () => {
    const { advance } = await turnedService()
    const { realm, visitor } = await byProvider()
    const { provider } = await oauth2Double(realm, person())
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

  test("are not connected when the user cancels or another account already uses the login", async () => {
    const realm = await newRealm()
    const taken = await byProvider(realm)
    const mine = await atHome(realm)
    const provider = taken.at.provider.id
    const refusals = [
      [{ error: "access_denied" }, "The login was canceled at the provider."],
      [{ code: "a-code" }, "Another account here already uses this login."]
    ] as const
    for (const [query, sentence] of refusals) {
      const state = await linking(mine.visitor, provider)
      const { result, events } = await realm.seen.during(() => comesBack(mine.visitor, provider, state, query))
      expect([...met(result), events]).toEqual([422, "The service wasn't connected", []])
      expect(said(result)).toContain(sentence)
    }
    expect((await realm.get(`/v2/users/${mine.user.id}`)).text).not.toContain("oauth2")
    expect((await realm.get(`/v2/users/${taken.user.id}`)).text).toContain("oauth2")
  })

  test("SEC-136: a connection can only be completed by the user and browser that began it, and never as a login", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2Double(realm, person())
    const eve = await atHome(realm)
    const state = await linking(eve.visitor, provider.id)
    const victim = await quickUser(realm)
    const events = await realm.seen.caused(async () => {
      // Eve makes a victim's browser return with her state and code.
      const browser = new Visitor(realm.transport, eve.origin)
      expect(met(await comesBack(browser, provider.id, state))).toEqual([422, "The service wasn't connected"])
      expect(await isIn(browser)).toBe(false)
      await browser.logIn(victim.string("email"))
      expect(met(await comesBack(browser, provider.id, state))).toEqual([422, "The service wasn't connected"])
      // Another user logs in in the browser that began the connection.
      await eve.visitor.logIn(victim.string("email"), PASSWORD, "?way=login")
      expect(met(await comesBack(eve.visitor, provider.id, state))).toEqual([422, "The service wasn't connected"])
      expect((await realm.get(`/v2/users/${victim.id}`)).text).not.toContain("oauth2")
    })
    expect([...new Set(events.map(({ event_type }) => event_type))].toSorted()).toEqual(["user.login.succeeded"])
    // A page of another site cannot begin one.
    const owner = await atHome(realm)
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
  test("has no button to remove it, and a forged form is rejected", async () => {
    const { realm, visitor, user } = await byProvider()
    expect(said(visitor.page)).toContain("This is your only way to log in.")
    expect(visitor.page.text).not.toContain('value="unlink"')
    const credential = (await realm.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
    const { result, events } = await realm.seen.during(() => visitor.send("/security", { way: "unlink", credential }))
    expect([...met(result), events]).toEqual([422, "Login and security", []])
    expect(said(result)).toContain("This is your only way to log in. Add another one first.")
    // A second factor doesn't count as a login method.
    await enrolled(realm, user.id, (await turnedService()).clock.currentTimeMillisUnsafe())
    expect((await visitor.send("/security", { way: "unlink", credential })).status).toBe(422)
  })

  test("remains when the last two are removed at the same time", async () => {
    const realm = await (await turnedService()).given.realm()
    const { visitor, user } = await byProvider(realm)
    const second = await oauth2Double(realm, person())
    await comesBack(visitor, second.provider.id, await linking(visitor, second.provider.id))
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

  test("may be disconnected if codes by email are enabled", async () => {
    const { realm, visitor, user } = await byProvider()
    await realm.put("/v2/auth_providers/email_code", { auth_provider: { state: "active" } })
    await visitor.open("/security")
    expect(await realm.seen.caused(() => visitor.fill({}, "Disconnect"))).toEqual([event(user, "updated")])
  })

  test("also remains if it is the last required second factor", async () => {
    const { clock } = await turnedService()
    const realm = await (await turnedService()).given.realm()
    const { visitor, user } = await atSecurity(realm)
    const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "required" } })
    await visitor.open("/security")
    const form = formsIn(visitor.page).find(({ values }) => values["device"] === device.id)
    const { result, events } = await realm.seen.during(() =>
      visitor.send("/security", { ...form?.values, code: device.code() })
    )
    expect([...met(result), events]).toEqual([422, "Login and security", []])
    expect(said(result)).toContain("Two-step verification is required here. Add another second step first.")
  })

  test("is unaffected by requests with another user's credential, a device or an unknown id", async () => {
    const realm = await (await turnedService()).given.realm()
    const theirs = await byProvider(realm)
    const { visitor, user } = await atHome(realm)
    const device = await enrolled(realm, user.id, (await turnedService()).clock.currentTimeMillisUnsafe())
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
