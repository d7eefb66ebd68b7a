import { beforeAll, describe, expect, test } from "vitest"
import { type LoginApp, LoginVisitor, locationIn, loginApp } from "./LoginVisitor.ts"

let app: LoginApp
let ada: string

beforeAll(async () => {
  app = await loginApp()
  ada = (await app.user({ first_name: "Ada" })).id
})

const visitor = () => new LoginVisitor(app.login)

describe("the login of an app", () => {
  test("redirects to the login pages with a random state, stored in a cookie for half an hour", async () => {
    const browser = visitor()
    const to = await browser.begin("/login?return_to=/notes?page=2&max_age=300&acr_values=aal2&color=red")
    expect(to.origin + to.pathname).toBe(`${app.pages}/login`)
    expect(Object.fromEntries(to.searchParams)).toEqual({
      state: expect.stringMatching(/^[\da-f]{32}$/),
      max_age: "300",
      acr_values: "aal2"
    })
    expect(browser.set).toEqual([
      expect.stringMatching(
        /^__Host-session_login_[\da-f]{8}=[\w-]+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/
      )
    ])
    expect((await browser.begin("/signup")).pathname).toBe("/signup")
  })

  test("stores the session in a cookie and returns to the page that required the login", async () => {
    const browser = visitor()
    const { id, token } = await app.token(ada)
    expect(locationIn(await browser.logIn(token, "/login?return_to=%2Fnotes%3Fpage%3D2%23top"))).toBe(
      "/notes?page=2#top"
    )
    expect(browser.set).toEqual([
      `__Host-session=${token}; Path=/; Max-Age=21600; HttpOnly; SameSite=Lax; Secure`,
      expect.stringMatching(/^__Host-session_login_[\da-f]{8}=; Path=\/; Max-Age=0; /)
    ])
    const { session } = await browser.get("/notes")
    expect(session).toMatchObject({ id, user: { id: ada, first_name: "Ada" }, orgs: [], permissions: [] })
    expect([...browser.cookies.keys()]).toEqual(["__Host-session"])
  })

  test("redirects pages without a session to the login, and responds with 401 to other requests", async () => {
    const request = (accept: string, mode?: string) => ({
      method: "GET",
      url: "/notes?page=2",
      header: (name: string) => ({ accept, "sec-fetch-mode": mode })[name],
      param: () => undefined
    })
    const decide = (accept: string, mode?: string) => app.login.require(null, request(accept, mode))
    const redirected = { answer: { status: 303, headers: { location: "/login?return_to=%2Fnotes%3Fpage%3D2" } } }
    expect(decide("text/html,*/*")).toMatchObject(redirected)
    expect(decide("text/html", "navigate")).toMatchObject(redirected)
    for (const refused of [decide("*/*"), decide("text/html", "cors")])
      expect(refused).toMatchObject({ refusal: { status: 401, body: { error: "session_missing" } } })
  })

  test("sends new users to the afterSignup page", async () => {
    const other = await loginApp({ afterSignup: "/welcome", afterLogin: "/home" })
    const browser = new LoginVisitor(other.login)
    const { token } = await other.token((await other.user()).id)
    const finish = async (query: object) =>
      locationIn(await browser.handOver({ token, state: await browser.state("/signup"), ...query }))
    expect([await finish({ signup: "true" }), await finish({})]).toEqual(["/welcome", "/home"])
  })

  test("starts a login for users who follow a link in an email, instead of accepting the link's token", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    expect(locationIn(await browser.handOver({ token }))).toBe("/login")
    expect(locationIn(await browser.get("/callback"))).toBe("/login")
    expect([browser.set, await browser.user()]).toEqual([[], null])
  })

  test("SEC-265: leaves the session unchanged when a callback arrives without a state", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    await browser.logIn(token)
    const other = (await app.token((await app.user({ first_name: "Eve" })).id)).token
    for (const query of [{ token: other }, { error: "x" }, {}]) {
      expect(locationIn(await browser.handOver(query))).toBe("/")
      expect(browser.set).toEqual([])
    }
    expect(await browser.user()).toBe(ada)
  })

  test("splits a token that is too long for a cookie, and joins the parts again", async () => {
    const org = (await app.realm.org()).id
    const user = (await app.user({ first_name: "Lo" })).id
    await app.realm.membership(user, org)
    await app.realm.put(`/v2/orgs/${org}`, { org: { custom: { note: "x".repeat(6_000) } } })
    await app.realm.put(`/v2/realms/${app.realm.id}`, { realm: { jwt_scopes: ["ar.orgs", "ar.custom"] } })
    const [browser, { token }, short] = [visitor(), await app.token(user), await app.token(ada)]
    expect(token.length).toBeGreaterThan(6_000)
    await browser.logIn(token)
    expect([...browser.cookies.keys()].slice(0, 2)).toEqual(["__Host-session", "__Host-session.1"])
    for (const [name, value] of browser.cookies) expect(name.length + value.length).toBeLessThan(4_000)
    expect(await browser.user()).toBe(user)
    // A shorter token leaves no part of the longer one behind.
    await browser.logIn(short.token)
    expect([...browser.cookies.keys()]).toEqual(["__Host-session"])
    expect(await browser.user()).toBe(ada)
  })
})
