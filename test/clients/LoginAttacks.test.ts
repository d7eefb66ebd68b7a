import { beforeAll, describe, expect, test } from "vitest"
import { type LoginApp, LoginVisitor, locationIn, loginApp, SITE } from "./LoginVisitor.ts"

let app: LoginApp
let ada: string
let eve: string

beforeAll(async () => {
  app = await loginApp()
  ada = (await app.user({ first_name: "Ada" })).id
  eve = (await app.user({ first_name: "Eve" })).id
})

const visitor = () => new LoginVisitor(app.login)

const problem = (name: string) => `/callback?problem=${name}`

describe("attacks on the login of an app", () => {
  test("SEC-265: accepts a token only with a state that this browser started", async () => {
    const [victim, attacker] = [visitor(), visitor()]
    const { token } = await app.token(eve)
    const foreign = await attacker.state()
    const own = await victim.state()
    for (const state of [foreign, "", "x", `${own}0`, own.slice(1), own.toUpperCase().replace(/\d/g, "0")]) {
      const refused = await victim.handOver({ token, state })
      expect(locationIn(refused)).toBe(problem("state"))
      expect(victim.set).toEqual([])
    }
    expect(await victim.user()).toBeNull()
    const { answer } = await victim.get(problem("state"))
    expect([answer?.status, answer?.headers["cache-control"]]).toEqual([403, "no-store"])
    expect(answer?.body).toContain(
      "This login was not started in this browser, took too long, or is already completed."
    )
  })

  test("SEC-265: accepts a state only once, and only for half an hour", async () => {
    const [browser, { token }, other] = [visitor(), await app.token(ada), await app.token(eve)]
    const state = await browser.state()
    await browser.handOver({ token, state })
    // A user who presses Back stays logged in, whatever token the URL has.
    expect(locationIn(await browser.handOver({ token: other.token, state }))).toBe("/")
    expect(await browser.user()).toBe(ada)
    browser.cookies.delete("__Host-session")
    expect(locationIn(await browser.handOver({ token, state }))).toBe(problem("state"))

    const slow = await loginApp()
    const [late, session] = [new LoginVisitor(slow.login), await slow.token((await slow.user()).id)]
    const states = [await late.state(), await late.state()]
    const handOver = async (at: number) =>
      locationIn(await late.handOver({ token: session.token, state: states[at] ?? "" }))
    slow.pass(1_799)
    expect(await handOver(0)).toBe("/")
    late.cookies.delete("__Host-session")
    slow.pass(1)
    expect(await handOver(1)).toBe(problem("state"))
  })

  test("SEC-265: ignores a problem whose name every object has", async () => {
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect(locationIn(await visitor().get(problem(name)))).toBe("/login")
    }
  })

  test("SEC-269: doesn't store a page to return to whose escapes make it too long for a cookie", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    const url = `/${"漢".repeat(300)}`
    expect(locationIn(await browser.logIn(token, `/login?${new URLSearchParams({ return_to: url })}`))).toBe("/")
  })

  test("SEC-265: uses up the state of a login with an invalid token", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    const state = await browser.state()
    for (const forged of ["", `${token.slice(0, -8)}AAAAAAAA`]) {
      const at = await browser.state()
      expect(locationIn(await browser.handOver({ token: forged, state: at }))).toBe(problem("token"))
      expect(locationIn(await browser.handOver({ token, state: at }))).toBe(problem("state"))
    }
    expect(locationIn(await browser.handOver({ token, state }))).toBe("/")
  })

  test("SEC-266: replaces a session that an attacker has planted in the browser", async () => {
    const [browser, own, foreign] = [visitor(), await app.token(ada), await app.token(eve)]
    browser.cookies.set("__Host-session", foreign.token)
    await browser.logIn(own.token)
    expect(browser.cookies.get("__Host-session")).toBe(own.token)
    expect(await browser.user()).toBe(ada)
  })

  test("SEC-266: rejects and deletes a session cookie that was tampered with", async () => {
    const [browser, { token }, other] = [visitor(), await app.token(ada), await loginApp()]
    const [head = "", body = "", signature = ""] = token.split(".")
    const foreign = await other.token((await other.user()).id)
    const claims = Buffer.from(JSON.stringify({ ...JSON.parse(atob(body)), sub: eve })).toString("base64url")
    const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")
    for (const forged of [`${head}.${claims}.${signature}`, `${unsigned}.${claims}.`, foreign.token, "x", "a.b.c"]) {
      browser.cookies.set("__Host-session", forged)
      expect(await browser.user()).toBeNull()
      expect(browser.set).toEqual(["__Host-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure"])
    }
  })

  test("SEC-267: returns only to pages of this site", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    const elsewhere = [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/\t/evil.example",
      "/\n//evil.example",
      "javascript:alert(1)",
      "notes",
      "",
      `/${"x".repeat(1_000)}`,
      // Returning to the login's own paths would start the login again.
      "/login",
      "/callback?token=x",
      "/logout"
    ]
    for (const url of elsewhere)
      expect(locationIn(await browser.logIn(token, `/login?${new URLSearchParams({ return_to: url })}`))).toBe("/")
    const kept = [
      ["/.//evil.example", "/evil.example"],
      ["/a/..//evil.example", "/evil.example"],
      ["/ä?ö=//x#ü", "/%C3%A4?%C3%B6=//x#%C3%BC"]
    ] as const
    for (const [url, page] of kept)
      expect(locationIn(await browser.logIn(token, `/login?${new URLSearchParams({ return_to: url })}`))).toBe(page)
  })

  test("SEC-267: never redirects to another site, even if somebody else wrote the cookie of a started login", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    const started = { state: "0".repeat(32), at: Date.now() * 2, returnTo: "https://evil.example/" }
    const value = Buffer.from(JSON.stringify(started)).toString("base64url")
    browser.cookies.set("__Host-session_login_00000000", value)
    expect(locationIn(await browser.handOver({ token, state: started.state }))).toBe("/")
  })

  test("SEC-268: ends a session only at the request of the site's own pages", async () => {
    const [browser, { id, token }] = [visitor(), await app.token(ada)]
    await browser.logIn(token)
    const foreign = [
      { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
      { "sec-fetch-site": "same-site", origin: "https://evil.example.test" },
      { "sec-fetch-site": "cross-site", origin: SITE },
      { origin: "https://evil.example" },
      { origin: "null" }
    ]
    for (const headers of foreign) expect((await browser.send("POST", "/logout", headers)).answer?.status).toBe(403)
    const shown = (await browser.get("/logout", { "sec-fetch-site": "cross-site" })).answer
    expect([shown?.status, shown?.body.includes('<form method="post" action="/logout">')]).toEqual([200, true])
    for (const method of ["PUT", "DELETE"]) {
      const { answer } = await browser.send(method, "/logout")
      expect([answer?.status, answer?.headers["allow"]]).toEqual([405, "GET, HEAD, POST"])
    }
    expect(await browser.user()).toBe(ada)
    const headers = { "sec-fetch-site": "same-origin", origin: SITE }
    expect(locationIn(await browser.send("POST", "/logout", headers))).toBe("/")
    expect(await browser.user()).toBeNull()
    expect((await app.realm.get(`/v2/sessions/${id}`)).status).toBe(404)
  })

  test("SEC-268: rejects changes that another site or origin sends with the cookie", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    await browser.logIn(token)
    const foreign = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: SITE },
      { origin: "https://other.example.test" },
      { origin: `${SITE}:8443` },
      { origin: "http://app.example.test" },
      { origin: "null" }
    ]
    for (const headers of foreign) {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const { answer } = await browser.send(method, "/notes", headers)
        expect([headers, answer?.status, JSON.parse(answer?.body ?? "")]).toMatchObject([
          headers,
          403,
          { error: "cross_site" }
        ])
      }
      expect((await browser.get("/notes", headers)).session?.user_id).toBe(ada)
    }
    for (const headers of [{ "sec-fetch-site": "same-origin" }, { "sec-fetch-site": "none" }, { origin: SITE }, {}])
      expect((await browser.send("POST", "/notes", headers)).session?.user_id).toBe(ada)
  })

  test("SEC-269: forgets the oldest logins if the cookies of started logins have more than 3,000 bytes", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    const page = `/${"x".repeat(990)}`
    const begin = () => browser.state(`/login?${new URLSearchParams({ return_to: page })}`)
    const size = () => [...browser.cookies].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
    const small = [await browser.state(), await browser.state()]
    const first = await begin()
    expect([browser.cookies.size, size() < 3_000]).toEqual([3, true])
    const second = await begin()
    expect([browser.cookies.size, size() < 3_000]).toEqual([2, true])
    const third = await begin()
    expect([browser.cookies.size, size() < 3_000]).toEqual([2, true])
    for (const state of [...small, first])
      expect(locationIn(await browser.handOver({ token, state }))).toBe(problem("state"))
    for (const state of [second, third]) expect(locationIn(await browser.handOver({ token, state }))).toBe(page)
  })

  test("SEC-269: allows five logins in progress per browser, and forgets the oldest", async () => {
    const [browser, { token }] = [visitor(), await app.token(ada)]
    const states: Array<string> = []
    for (let login = 0; login < 7; login += 1) states.push(await browser.state())
    expect(browser.cookies.size).toBe(5)
    expect(locationIn(await browser.handOver({ token, state: states[0] ?? "" }))).toBe(problem("state"))
    for (const state of states.slice(3)) expect(locationIn(await browser.handOver({ token, state }))).toBe("/")
  })
})
