import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, leadsTo, walk } from "../../external/BrowserLogins.ts"
import { oauth2Double, person } from "../../support/external.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { met, said, unescaped } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { service, turnedService } from "../../support/sallyport.ts"
import { atHome, atSecurity, claimsIn, formsIn, isIn, OURS, Visitor } from "../../support/visitor.ts"

const newRealm = async (settings = {}): Promise<GivenRealm> => (await service()).given.realm(settings)

const ended = (user: { readonly id: string }, session: string) => ({
  event_type: "session.deleted",
  user_id: user.id,
  session_id: session
})

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"

describe("/security: the names to log in with, and the password", () => {
  test("shows the e-mail and, where people have one, the username, which the profile changes", async () => {
    const realm = await newRealm()
    const { visitor, email } = await atSecurity(realm, { user: { username: "ada" } })
    expect(met(visitor.page)).toEqual([200, "Sign-in and security"])
    expect(said(visitor.page)).toContain(`You log in with E-mail ${email} Username ada Change in your profile`)
    const byEmail = await atSecurity(await newRealm({ username_validation_human: "email" }))
    expect(said(byEmail.visitor.page)).not.toContain("Username")
  })

  test("needs a login, which leads back", async () => {
    const realm = await newRealm()
    const { visitor, email } = await atHome(realm)
    const stranger = new Visitor(realm.transport, visitor.origin)
    await stranger.open("/security")
    expect([stranger.leads.pathname, stranger.leads.search]).toEqual(["/login", "?next=security"])
    expect(said(await stranger.follow())).toContain("Log in to see your security settings.")
    await stranger.fill({ name: email, password: PASSWORD })
    expect(stranger.leads.pathname).toBe("/security")
  })
})

/** Somebody who has logged in with a provider, and has no password. */
const byProvider = async (given?: GivenRealm) => {
  const realm = given ?? (await (await turnedService()).given.realm())
  const told = person()
  const at = await appWithDouble(realm, { told })
  expect((await walk(at)).status).toBe(302)
  const visitor = new Visitor(realm.transport, at.origin, at.browser)
  const user = await realm.get(`/v2/users/${told.email}`)
  await visitor.open("/security")
  return { realm, at, visitor, user, email: told.email }
}

describe("/security: who has no password", () => {
  test("sets one after a recent login, and logs in with it from then on", async () => {
    const { advance } = await turnedService()
    const { realm, at, visitor, user, email } = await byProvider()
    const both = { password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }
    const wrong = await realm.seen.during(() => visitor.fill({ ...both, password_confirmation: "x" }, "Set a password"))
    expect([wrong.result.status, wrong.events]).toEqual([422, []])
    await advance("10 minutes")
    await visitor.open("/security")
    const late = await realm.seen.during(() => visitor.fill(both, "Set a password"))
    expect([visitor.leads.pathname, visitor.leads.searchParams.get("why"), late.events]).toEqual([
      "/login",
      "proof",
      []
    ])
    expect((await walk(at, "?next=security")).headers.get("location")).toBe("/security")
    await visitor.open("/security")
    const { events } = await realm.seen.during(() => visitor.fill(both, "Set a password"))
    expect([events, visitor.leads.search]).toEqual([[event(user, "updated")], "?saved=password_set"])
    expect(said(await visitor.follow())).toContain("Your password has been set.")
    expect(await isIn(visitor)).toBe(true)
    const other = new Visitor(realm.transport, at.origin)
    expect((await other.logIn(email, OTHER_PASSWORD)).status).toBe(303)
    // It is there now: setting one again takes no change of it.
    const again = await realm.seen.during(() => visitor.send("/security", { way: "set_password", ...both }))
    expect([again.result.status, again.events]).toEqual([422, []])
  })
})

describe("/security: where somebody is logged in", () => {
  test("lists each browser by name, this one first, and ends one or all others", async () => {
    const { given, clock } = await turnedService()
    const realm = await given.realm()
    const { visitor, user, email, origin, sid } = await atHome(realm)
    const others: Array<string> = []
    for (const agent of [SAFARI, "curl/8.5.0", "Mozilla/5.0"]) {
      clock.advance(60_000)
      const elsewhere = new Visitor(realm.transport, origin)
      await elsewhere.send("/login", { name: email, password: PASSWORD }, { ...OURS, "user-agent": agent })
      others.push(String(claimsIn(elsewhere.leads)["sid"]))
    }
    const page = said(await visitor.open("/security"))
    const list = page.slice(page.indexOf("Where you're logged in"))
    const places = ["Unknown browser", "This browser", "curl", "Safari on iPhone"].map((name) => list.indexOf(name))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(formsIn(visitor.page).filter(({ button }) => button === "Log out")).toHaveLength(3)

    const form = formsIn(visitor.page).find(({ values }) => values["session"] === others[0])
    const one = await realm.seen.during(() => visitor.send("/security", form?.values ?? {}))
    expect([one.events, visitor.leads.search]).toEqual([[ended(user, others[0] ?? "")], "?saved=session_ended"])
    expect(said(await visitor.follow())).toContain("That session has been logged out.")
    const rest = await realm.seen.during(() => visitor.fill({}, "Log out everywhere else"))
    expect(rest.events).toEqual(
      others
        .slice(1)
        .toSorted()
        .map((id) => ended(user, id))
    )
    expect(said(await visitor.follow())).toContain("You've been logged out everywhere else.")
    expect([await isIn(visitor), (await realm.get(`/v2/sessions/${sid}`)).status]).toEqual([true, 200])
    expect((await visitor.open("/security")).text).not.toContain("end_others")
  })

  test("a realm of unmanaged sessions lists none", async () => {
    const { visitor } = await atSecurity(await newRealm({ session_type: "unmanaged" }))
    expect(said(visitor.page)).not.toContain("Where you're logged in")
    await visitor.send("/security", { way: "end_others" })
    expect(visitor.leads.pathname).toBe("/security")
  })

  test("SEC-134: another user's session, one of another realm, and what is none are not ended", async () => {
    const realm = await newRealm()
    const { visitor } = await atSecurity(realm)
    const theirs = await realm.session((await quickUser(realm)).id)
    const elsewhere = await newRealm()
    const strange = await elsewhere.session((await elsewhere.user()).id)
    const events = await realm.seen.caused(async () => {
      for (const session of [theirs.id, strange.id, "", "ses_x", "' or true"]) {
        await visitor.send("/security", { way: "end_session", session })
        expect([session, visitor.page.status, visitor.page.headers.get("location")]).toEqual([session, 303, "security"])
      }
    })
    expect([events, (await realm.get(`/v2/sessions/${theirs.id}`)).status]).toEqual([[], 200])
    expect((await elsewhere.get(`/v2/sessions/${strange.id}`)).status).toBe(200)
    // And by nobody who is not logged in, nor by a page of another site.
    const stranger = new Visitor(realm.transport, visitor.origin)
    await stranger.send("/security", { way: "end_session", session: theirs.id })
    expect(stranger.leads.pathname).toBe("/login")
    await visitor.send("/security", { way: "end_others" }, { origin: "https://evil.example.test" })
    expect(visitor.page.status).toBe(403)
  })
})

/** Begins to connect a provider on the security page: the state that goes to the provider. */
const linking = async (visitor: Visitor, provider: string): Promise<string> => {
  await visitor.open("/security")
  const form = formsIn(visitor.page).find(({ values }) => values["provider"] === provider)
  if (form === undefined) throw new Error(`${provider} can't be connected: ${visitor.page.text}`)
  await visitor.send("/security", form.values)
  const href = /<a class="choice go" href="([^"]*)"/.exec(visitor.page.text)?.[1] ?? ""
  return new URL(unescaped(href)).searchParams.get("state") ?? ""
}

const comesBack = (visitor: Visitor, provider: string, state: string, query: object = { code: "a-code" }) =>
  visitor.open(`/auth/${provider}/callback?${new URLSearchParams({ state, ...query })}`)

describe("/security: connected services", () => {
  test("are connected whatever their e-mail, log in from then on, and are disconnected", async () => {
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

  test("are connected and disconnected within ten minutes of a login only", async () => {
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

  test("that somebody gives up, or that is another's, is told; the account stays as it is", async () => {
    const realm = await newRealm()
    const taken = await byProvider(realm)
    const mine = await atHome(realm)
    const provider = taken.at.provider.id
    const refusals = [
      [{ error: "access_denied" }, "access_denied"],
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

  test("SEC-136: a link that one browser or user has begun is finished by no other, and never as a login", async () => {
    const realm = await newRealm()
    const { provider } = await oauth2Double(realm, person())
    const eve = await atHome(realm)
    const state = await linking(eve.visitor, provider.id)
    const victim = await quickUser(realm)
    const events = await realm.seen.caused(async () => {
      // Eve has a victim's browser come back with her state, and her code.
      const browser = new Visitor(realm.transport, eve.origin)
      expect(met(await comesBack(browser, provider.id, state))).toEqual([422, "The service wasn't connected"])
      expect(await isIn(browser)).toBe(false)
      await browser.logIn(victim.string("email"))
      expect(met(await comesBack(browser, provider.id, state))).toEqual([422, "The service wasn't connected"])
      // Somebody else logs in in the browser that has begun it.
      await eve.visitor.logIn(victim.string("email"), PASSWORD, "?way=login")
      expect(met(await comesBack(eve.visitor, provider.id, state))).toEqual([422, "The service wasn't connected"])
      expect((await realm.get(`/v2/users/${victim.id}`)).text).not.toContain("oauth2")
    })
    expect([...new Set(events.map(({ event_type }) => event_type))].toSorted()).toEqual(["user.login.succeeded"])
    // A page of another site begins none.
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

describe("SEC-135: the last way in", () => {
  test("is not offered to be removed, and not removed where that is asked for all the same", async () => {
    const { realm, visitor, user } = await byProvider()
    expect(said(visitor.page)).toContain("This is your only way to log in.")
    expect(visitor.page.text).not.toContain('value="unlink"')
    const credential = (await realm.get(`/v2/users/${user.id}`)).string("credentials", 0, "id")
    const { result, events } = await realm.seen.during(() => visitor.send("/security", { way: "unlink", credential }))
    expect([...met(result), events]).toEqual([422, "Sign-in and security", []])
    expect(said(result)).toContain("This is your only way to log in. Add another one first.")
    // A second factor is no way in.
    await enrolled(realm, user.id, (await turnedService()).clock.currentTimeMillisUnsafe())
    expect((await visitor.send("/security", { way: "unlink", credential })).status).toBe(422)
  })

  test("remains where the last two are removed at once", async () => {
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

  test("another user's credential, a device and what is none are not disconnected", async () => {
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
