import { describe, expect, test } from "vitest"
import { HANDLER } from "../../external/BrowserLogins.ts"
import { PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  isLoggedIn,
  onProfilePage,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

const ASKED = [200, "You're logged in"]
const FORM = [200, "Log in"]
const PLACE = "https://app.example.test/cb?x=1"

describe("/login with a session and auto_continue", () => {
  test("redirects immediately to the requested URI with a token of the same session", async () => {
    const realm = await newRealm()
    const { visitor, user, sid } = await onProfilePage(realm, { app: { redirect_uris: [PLACE] } })
    const cookie = visitor.cookie
    const { result, events } = await realm.seen.during(() => visitor.open("/login"))
    expectTokenHandover(visitor.leads)
    expect([result.status, events, claimsIn(visitor.leads)]).toEqual([
      303,
      [],
      expect.objectContaining({ sid, sub: user.id })
    ])
    expect(result.headers.getSetCookie()).toEqual([])
    const parameters = { redirect_uri: PLACE, state: "a b&token=x" }
    await visitor.open(`/login?${new URLSearchParams(parameters)}`)
    expect([visitor.leads.origin + visitor.leads.pathname, ...visitor.leads.searchParams]).toEqual([
      "https://app.example.test/cb",
      ["x", "1"],
      ["token", expect.stringMatching(/^ey/)],
      ["state", parameters.state]
    ])
    expect([visitor.cookie, await isLoggedIn(visitor)]).toEqual([cookie, true])
  })

  test("shows the login form for way=login", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm, { app: { login_handler: null } })
    await visitor.logIn(email)
    expect(statusAndHeading(await visitor.open("/login?way=login"))).toEqual(FORM)
    await visitor.open("/login?next=invitation&state=s")
    expect([visitor.leads.pathname, visitor.leads.search]).toEqual(["/invitation", "?state=s"])
    await visitor.open("/login?state=s")
    expect([visitor.leads.pathname, visitor.leads.search]).toEqual(["/profile", "?state=s"])
  })

  test("SEC-33: rejects an unregistered redirect_uri and an invalid state", async () => {
    const realm = await newRealm()
    const foreign = "https://other.example.test/cb"
    await visitorAtApp(await newRealm(), { app: { redirect_uris: [foreign] } })
    const { visitor } = await onProfilePage(realm, {
      app: { redirect_uris: [PLACE], logout_uris: ["https://bye.test/"] }
    })
    const refused = [foreign, `${PLACE}1`, "https://bye.test/", "//evil.test", "javascript:alert(1)", "/profile"]
    const queries = [
      ...refused.map((redirect_uri) => new URLSearchParams({ redirect_uri }).toString()),
      `redirect_uri=${encodeURIComponent(PLACE)}&redirect_uri=${encodeURIComponent(foreign)}`,
      "state=a&state=b",
      new URLSearchParams({ state: "a\nb" }).toString()
    ]
    for (const query of queries) {
      const reply = await visitor.open(`/login?${query}`)
      expect([query, ...statusAndHeading(reply), reply.headers.get("location")]).toEqual([
        query,
        422,
        "This link isn't valid",
        null
      ])
    }
  })

  test("SEC-112: redirects only top-level navigations, so that frames and scripts get no token", async () => {
    const realm = await newRealm()
    const { visitor, origin } = await onProfilePage(realm)
    const org = await newRealm({ org_mode: "multi_user" })
    const member = await onProfilePage(org)
    await org.membership(member.user.id, (await org.org()).id)
    for (const destination of ["iframe", "frame", "embed", "object", "empty", "image", "script"]) {
      const headers = { "sec-fetch-dest": destination, "sec-fetch-site": "same-site" }
      const login = await visitor.browser.go(`${origin}/login`, { headers })
      expect([destination, ...statusAndHeading(login)]).toEqual([destination, ...ASKED])
      const accounts = await member.visitor.browser.go(`${member.origin}/accounts`, { headers })
      expect([destination, ...statusAndHeading(accounts)]).toEqual([destination, 200, "Choose an organization"])
      for (const { headers: answered, text } of [login, accounts]) {
        expect([answered.get("location"), answered.get("x-frame-options"), /ey\w+\.ey/.test(text)]).toEqual([
          null,
          "DENY",
          false
        ])
      }
    }
    const headers = { "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" }
    expect((await visitor.browser.go(`${origin}/login`, { headers })).status).toBe(303)
  })

  test("shows the login form on another app's host, or if the session, user or realm is inactive", async () => {
    const realm = await newRealm()
    const { visitor, email, user, app, origin, sid } = await onProfilePage(realm)
    const cookie = `__Host-session=${visitor.cookie}`
    for (const other of [await visitorAtApp(realm), await visitorAtApp(await newRealm())]) {
      const reply = await new Visitor(realm.transport, other.origin).browser.go(`${other.origin}/login`, {
        headers: { cookie }
      })
      expect(statusAndHeading(reply)).toEqual(FORM)
    }
    const stranger = () => new Visitor(realm.transport, origin).browser.go(`${origin}/login`, { headers: { cookie } })
    await realm.delete(`/v2/sessions/${sid}`)
    expect(statusAndHeading(await stranger())).toEqual(FORM)
    await visitor.logIn(email)
    await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect(statusAndHeading(await visitor.open("/login"))).toEqual(FORM)
    await realm.put(`/v2/users/${user.id}`, { user: { state: "active" } })
    await visitor.logIn(email)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    expect(statusAndHeading(await visitor.open("/login"))).toEqual([422, "Not available right now"])
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "active" } })
    await realm.delete(`/v2/client_apps/${app.id}`)
    expect(statusAndHeading(await visitor.open("/login"))).toEqual([404, "Page not found"])
  })

  test("asks for confirmation as soon as the app turns auto_continue off", async () => {
    const realm = await newRealm()
    const { visitor, app } = await onProfilePage(realm)
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { auto_continue: false } })
    expect(statusAndHeading(await visitor.open("/login"))).toEqual(ASKED)
    await realm.put(`/v1/login_policies/${app.id}`, { login_policy: { auto_continue: null } })
    expect((await visitor.open("/login")).status).toBe(303)
  })
})

describe("C106: /login without auto_continue", () => {
  test("redirects without asking within a minute after a login if the app sends a state", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const { visitor, origin, sid } = await onProfilePage(realm, { app: { auto_continue: false } })
    expect(statusAndHeading(await visitor.open("/login"))).toEqual(ASKED)
    for (const wait of ["1 second", "58 seconds"] as const) {
      await advance(wait)
      await visitor.open("/login?state=s")
      expect([visitor.page.status, visitor.leads.searchParams.get("state")]).toEqual([303, "s"])
      expect(claimsIn(visitor.leads)["sid"]).toBe(sid)
    }
    const headers = { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-site" }
    expect(statusAndHeading(await visitor.browser.go(`${origin}/login?state=s`, { headers }))).toEqual(ASKED)
    await advance("1 second")
    expect(statusAndHeading(await visitor.open("/login?state=s"))).toEqual(ASKED)
  })
})

describe("a user with one org", () => {
  const prepared = async (app: object = {}) => {
    const realm = await newRealm({ org_mode: "multi_user" })
    const at = await visitorAtApp(realm, { app })
    const [one, two] = [await realm.org({ name: "Pilots" }), await realm.org({ name: "Dockers" })]
    await realm.membership(at.user.id, one.id, { permissions: ["x:y"] })
    return { realm, ...at, one, two }
  }

  const selected = (orgId: string) => [expect.objectContaining({ oid: orgId, perm: ["x:y"], selected: true })]

  test("never has to select the org, which is marked as selected in tokens", async () => {
    const { visitor, email, one } = await prepared()
    await visitor.logIn(email)
    expectTokenHandover(visitor.leads)
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selected(one.id))
    for (const path of ["/accounts", "/login", "/accounts?state=s"]) {
      await visitor.open(path)
      expect([path, visitor.page.status, visitor.leads.origin + visitor.leads.pathname]).toEqual([path, 303, HANDLER])
      expect([path, claimsIn(visitor.leads)["orgs"]]).toEqual([path, selected(one.id)])
    }
    expect((await visitor.open("/profile")).text).not.toContain('href="accounts"')
  })

  test("must select an org only after joining a second active org", async () => {
    const { realm, visitor, email, user, one, two } = await prepared()
    await realm.membership(user.id, two.id)
    await visitor.logIn(email)
    expect([visitor.leads.pathname, statusAndHeading(await visitor.open("/accounts"))]).toEqual([
      "/accounts",
      [200, "Choose an organization"]
    ])
    expect((await visitor.open("/profile")).text).toContain('href="accounts"')
    await realm.put(`/v2/orgs/${two.id}`, { org: { state: "inactive" } })
    await visitor.open("/accounts")
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selected(one.id))
    // Selecting the inactive org must not redirect to the other one.
    const reply = await visitor.send("/accounts", { way: "choose", org_id: two.id })
    expect([...statusAndHeading(reply), reply.headers.get("location")]).toEqual([200, "Choose an organization", null])
  })

  test("selects an org at /accounts if the app has no auto_continue", async () => {
    const { visitor, email, one } = await prepared({ auto_continue: false })
    await visitor.logIn(email)
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selected(one.id))
    expect(statusAndHeading(await visitor.open("/accounts"))).toEqual([200, "Choose an organization"])
    await visitor.open("/login")
    await visitor.fill({}, "Continue")
    expect(claimsIn(visitor.leads)["orgs"]).toEqual(selected(one.id))
  })

  test("gets a token with the org created by the sign-up", async () => {
    const { visitor } = await prepared({ signup_mode: "user_org" })
    await visitor.open("/signup")
    await visitor.fill({ email: "new@example.test", username: "new", password: PASSWORD, org_name: "Sailors" })
    expect(claimsIn(visitor.leads)["orgs"]).toEqual([expect.objectContaining({ name: "Sailors", selected: true })])
  })
})
