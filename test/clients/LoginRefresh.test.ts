import { describe, expect, test } from "vitest"
import { loginFlow } from "#client/frameworks/login/LoginFlow"
import { LoginVisitor, locationIn, loginApp, SITE } from "./LoginVisitor.ts"

/** A logged-in user of an app. */
const member = async (
  settings: Parameters<typeof loginApp>[0] = {},
  attributes: Parameters<typeof loginApp>[1] = {}
) => {
  const app = await loginApp(settings, attributes)
  const user = await app.user({ first_name: "Ada" })
  const { id, token } = await app.token(user.id)
  const browser = new LoginVisitor(app.login)
  await browser.logIn(token)
  const count = () => app.calls.filter((call) => call === `GET /v2/sessions/${id}`).length
  const atLogin = count()
  /** The number of reads of the session since the login. */
  const reads = () => count() - atLogin
  return { ...app, user, id, browser, reads }
}

const name = async (browser: LoginVisitor) => (await browser.get("/")).session?.user.first_name

describe("session refresh", () => {
  test("replaces a token older than a minute without a redirect", async () => {
    const { realm, user, browser, reads, pass } = await member()
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Grace" } })
    pass(60)
    expect([await name(browser), browser.set, reads()]).toEqual(["Ada", [], 0])
    pass(1)
    expect([await name(browser), reads()]).toEqual(["Grace", 1])
    expect(browser.set).toEqual([expect.stringMatching(/^__Host-session=eyJ[^;]+; Path=\/; Max-Age=21539; HttpOnly; /)])
  })

  test("sends one request to the service for all requests of a page, even if they still send the old cookie", async () => {
    const { browser, reads, pass } = await member()
    pass(61)
    const cookie = browser.cookies.get("__Host-session") ?? ""
    await Promise.all(Array.from({ length: 10 }, () => name(browser)))
    browser.cookies.set("__Host-session", cookie)
    expect([await name(browser), reads()]).toEqual(["Ada", 1])
    // The service's clock is stopped, so its tokens are always old.
    pass(60)
    browser.cookies.set("__Host-session", cookie)
    expect([await name(browser), reads()]).toEqual(["Ada", 2])
  })

  test("deletes the cookie of a session that has ended elsewhere", async () => {
    const { realm, id, browser, pass } = await member()
    await realm.delete(`/v2/sessions/${id}`)
    expect(await name(browser)).toBe("Ada")
    pass(61)
    expect(await browser.user()).toBeNull()
    expect([browser.cookies.size, browser.set.length]).toEqual([0, 1])
  })

  test("keeps users logged in during an outage, and retries ten seconds later", async () => {
    const { browser, calls, cut, log, pass } = await member()
    cut(true)
    pass(61)
    const before = calls.length
    expect([await name(browser), await name(browser), calls.length - before]).toEqual(["Ada", "Ada", 1])
    expect(log).toEqual([expect.stringContaining("fetch failed")])
    cut(false)
    pass(9)
    expect([await name(browser), calls.length - before]).toEqual(["Ada", 1])
    pass(1)
    expect([await name(browser), calls.length - before]).toEqual(["Ada", 2])
  })

  test("gets a new token immediately when the app asks for it", async () => {
    const { realm, user, browser } = await member()
    const org = (await realm.org()).id
    await realm.membership(user.id, org, { permissions: ["ar:owner"] })
    expect((await browser.get("/")).session?.orgs).toEqual([])
    expect((await browser.refresh()).session?.orgs).toMatchObject([{ id: org, permissions: ["ar:owner"] }])
    expect((await browser.get("/")).session?.orgs).toMatchObject([{ id: org }])
  })

  test("accepts API tokens without refreshing them if the app allows it", async () => {
    const { login, browser, reads, pass, user } = await member({ bearer: true })
    const authorization = `Bearer ${browser.cookies.get("__Host-session")}`
    const other = new LoginVisitor(login)
    pass(61)
    expect((await other.get("/", { authorization })).session?.user_id).toBe(user.id)
    expect([other.set, reads()]).toEqual([[], 0])
    expect((await other.get("/", { authorization: "Bearer x" })).session).toBeNull()
  })

  test("ignores API tokens by default, and uses the cookie", async () => {
    const { login, browser, user } = await member()
    const authorization = `Bearer ${browser.cookies.get("__Host-session")}`
    expect((await new LoginVisitor(login).get("/", { authorization })).session).toBeNull()
    expect((await browser.get("/", { authorization: "Bearer x" })).session?.user_id).toBe(user.id)
  })

  test("explains that the key isn't allowed to read tokens", async () => {
    const reader = await loginApp()
    const settings = { session_tokens: "write" }
    await reader.realm.put(`/v2/realms/${reader.realm.id}`, { realm: settings })
    const user = await reader.user()
    const { token } = await reader.token(user.id)
    const { key } = await reader.realm.as("read")
    let seconds = 0
    const log: Array<string> = []
    const login = loginFlow({
      ...reader.options,
      key,
      log: (line) => void log.push(line),
      now: () => Number(reader.options.now?.()) + seconds * 1_000
    })
    const browser = new LoginVisitor(login)
    await browser.logIn(token)
    seconds = 61
    expect(await browser.user()).toBe(user.id)
    expect(log).toEqual(["hostedLogin: The API key can't read tokens. Use a key of level `write`."])
    const { answer } = await browser.send("POST", "/logout")
    expect(answer?.status).toBe(503)
    expect(log.at(-1)).toContain("DELETE /v2/sessions/{session_id}")
  })
})

describe("app logout", () => {
  test("ends the session at the service and returns to the app", async () => {
    const { realm, id, browser } = await member({ afterLogout: "/bye" })
    expect(locationIn(await browser.send("POST", "/logout"))).toBe("/bye")
    expect(browser.set).toEqual(["__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure"])
    expect((await realm.get(`/v2/sessions/${id}`)).status).toBe(404)
    expect(locationIn(await browser.send("POST", "/logout"))).toBe("/bye")
  })

  test("continues through the login pages if the app has registered the return URL", async () => {
    const { browser, pages } = await member({}, { logout_uris: [`${SITE}/`] })
    const to = `${pages}/logout?redirect_uri=${encodeURIComponent(`${SITE}/`)}`
    expect(locationIn(await browser.send("POST", "/logout"))).toBe(to)
  })

  test("reports that the user is still logged in if the service is unreachable", async () => {
    const { browser, cut, user } = await member()
    cut(true)
    const { answer } = await browser.send("POST", "/logout")
    expect([answer?.status, answer?.headers["retry-after"]]).toEqual([503, "5"])
    expect(answer?.body).toContain("You&#39;re still logged in")
    cut(false)
    expect(await browser.user()).toBe(user.id)
    expect(locationIn(await browser.send("POST", "/logout"))).toBe("/")
  })
})
