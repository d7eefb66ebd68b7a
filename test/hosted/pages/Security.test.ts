import { describe, expect, test } from "vitest"
import { logInAtProvider } from "../../external/BrowserLogins.ts"
import { userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  formsIn,
  isLoggedIn,
  onProfilePage,
  onSecurityPage,
  SAME_SITE_HEADERS,
  Visitor,
  withProviderLogin
} from "../../support/visitor.ts"

const sessionDeleted = (user: { readonly id: string }, session: string) => ({
  event_type: "session.deleted",
  user_id: user.id,
  session_id: session
})

const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"

describe("/security: login names and password", () => {
  test("shows the email, and in a realm with usernames the username with a link to change it", async () => {
    const realm = await newRealm()
    const { visitor, email } = await onSecurityPage(realm, { user: { username: "ada" } })
    expect(statusAndHeading(visitor.page)).toEqual([200, "Login and security"])
    expect(visibleText(visitor.page)).toContain(`You log in with Email ${email} Username ada Change in your profile`)
    const byEmail = await onSecurityPage(await newRealm({ username_validation_human: "email" }))
    expect(visibleText(byEmail.visitor.page)).not.toContain("Username")
  })

  test("asks for a login and then returns to the page", async () => {
    const realm = await newRealm()
    const { visitor, email } = await onProfilePage(realm)
    const stranger = new Visitor(realm.transport, visitor.origin)
    await stranger.open("/security")
    expect([stranger.leads.pathname, stranger.leads.search]).toEqual(["/login", "?next=security"])
    expect(visibleText(await stranger.follow())).toContain("Log in to see your security settings.")
    await stranger.fill({ name: email, password: PASSWORD })
    expect(stranger.leads.pathname).toBe("/security")
  })
})

describe("/security: a user without a password", () => {
  test("can set a password shortly after a login, and log in with the new password", async () => {
    const { advance } = await clockedService()
    const { realm, at, visitor, user, email } = await withProviderLogin()
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
    expect((await logInAtProvider(at, "?next=security")).headers.get("location")).toBe("/security")
    await visitor.open("/security")
    const { events } = await realm.seen.during(() => visitor.fill(both, "Set a password"))
    expect([events, visitor.leads.search]).toEqual([[event(user, "updated")], "?saved=password_set"])
    expect(visibleText(await visitor.follow())).toContain("Your password has been set.")
    expect(await isLoggedIn(visitor)).toBe(true)
    const other = new Visitor(realm.transport, at.origin)
    expect((await other.logIn(email, OTHER_PASSWORD)).status).toBe(303)
    // The user has a password now, which this form can't change.
    const again = await realm.seen.during(() => visitor.send("/security", { way: "set_password", ...both }))
    expect([again.result.status, again.events]).toEqual([422, []])
  })
})

describe("/security: sessions", () => {
  test("are listed by browser, starting with the current session, and can be ended individually or all at once", async () => {
    const { given, clock } = await clockedService()
    const realm = await given.realm()
    const { visitor, user, email, origin, sid } = await onProfilePage(realm)
    const others: Array<string> = []
    for (const agent of [SAFARI, "curl/8.5.0", "Mozilla/5.0"]) {
      clock.advance(60_000)
      const elsewhere = new Visitor(realm.transport, origin)
      await elsewhere.send("/login", { name: email, password: PASSWORD }, { ...SAME_SITE_HEADERS, "user-agent": agent })
      others.push(String(claimsIn(elsewhere.leads)["sid"]))
    }
    const page = visibleText(await visitor.open("/security"))
    const list = page.slice(page.indexOf("Where you're logged in"))
    const places = ["Unknown browser", "This browser", "curl", "Safari on iPhone"].map((name) => list.indexOf(name))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(formsIn(visitor.page).filter(({ button }) => button === "Log out")).toHaveLength(3)

    const form = formsIn(visitor.page).find(({ values }) => values["session"] === others[0])
    const one = await realm.seen.during(() => visitor.send("/security", form?.values ?? {}))
    expect([one.events, visitor.leads.search]).toEqual([
      [sessionDeleted(user, others[0] ?? "")],
      "?saved=session_ended"
    ])
    expect(visibleText(await visitor.follow())).toContain("That session has been logged out.")
    const rest = await realm.seen.during(() => visitor.fill({}, "Log out everywhere else"))
    expect(rest.events).toEqual(
      others
        .slice(1)
        .toSorted()
        .map((id) => sessionDeleted(user, id))
    )
    expect(visibleText(await visitor.follow())).toContain("You've been logged out everywhere else.")
    expect([await isLoggedIn(visitor), (await realm.get(`/v2/sessions/${sid}`)).status]).toEqual([true, 200])
    expect((await visitor.open("/security")).text).not.toContain("end_others")
  })

  test("are not listed in a realm with unmanaged sessions", async () => {
    const { visitor } = await onSecurityPage(await newRealm({ session_type: "unmanaged" }))
    expect(visibleText(visitor.page)).not.toContain("Where you're logged in")
    await visitor.send("/security", { way: "end_others" })
    expect(visitor.leads.pathname).toBe("/security")
  })

  test("SEC-134: cannot be ended by another user or from another realm", async () => {
    const realm = await newRealm()
    const { visitor } = await onSecurityPage(realm)
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
    // The same applies without a login and to a page of another site.
    const stranger = new Visitor(realm.transport, visitor.origin)
    await stranger.send("/security", { way: "end_session", session: theirs.id })
    expect(stranger.leads.pathname).toBe("/login")
    await visitor.send("/security", { way: "end_others" }, { origin: "https://evil.example.test" })
    expect(visitor.page.status).toBe(403)
  })
})
