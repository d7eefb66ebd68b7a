import { describe, expect, test } from "vitest"
import { ISSUER } from "./FakeIssuer.ts"
import { locationIn, SITE } from "./LoginVisitor.ts"
import { visit } from "./OpenIdVisit.ts"

describe("sessions of an OpenID Connect client", () => {
  test("refreshes the tokens after five minutes, once for all requests", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    issuer.pass(300)
    expect([await browser.user(), issuer.forms.length]).toEqual(["usr_1", 1])
    issuer.pass(1)
    issuer.claims = { name: "Grace" }
    const cookie = browser.cookies.get("__Host-session") ?? ""
    const visits = await Promise.all(Array.from({ length: 5 }, () => browser.get("/")))
    expect(visits.map(({ session }) => session?.user.name)).toEqual(Array.from({ length: 5 }, () => "Grace"))
    browser.cookies.set("__Host-session", cookie)
    expect(await browser.user()).toBe("usr_1")
    expect(issuer.forms.slice(1)).toEqual([{ grant_type: "refresh_token", refresh_token: "ort_1" }])
    issuer.pass(301)
    await browser.user()
    expect(issuer.forms.at(-1)).toEqual({ grant_type: "refresh_token", refresh_token: "ort_2" })
  })

  test("logs the user out when the session has ended or the ID token belongs to another user, but not in an outage", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    issuer.pass(301)
    Object.assign(issuer, { status: 503, answer: { error: "temporarily_unavailable" } })
    expect(await browser.user()).toBe("usr_1")
    expect(issuer.log).toEqual([expect.stringContaining("/token returned status 503. temporarily_unavailable")])
    Object.assign(issuer, { status: 400, answer: { error: "invalid_grant" } })
    issuer.pass(11)
    expect([await browser.user(), browser.cookies.size]).toEqual([null, 0])
    Object.assign(issuer, { status: 200, answer: {} })
    await logIn()
    issuer.claims = { sub: "usr_2" }
    issuer.pass(301)
    expect(await browser.user()).toBeNull()
  })

  test("ends a session without a refresh token together with its ID token", async () => {
    const { issuer, browser, logIn } = await visit()
    issuer.answer = { refresh_token: undefined }
    await logIn()
    issuer.pass(599)
    expect([await browser.user(), issuer.forms.length]).toEqual(["usr_1", 1])
    issuer.pass(1)
    expect(await browser.user()).toBeNull()
  })

  test("SEC-273: ends a session that can't be refreshed a minute after its ID token, with 503 until the issuer is back", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    issuer.isDown = true
    issuer.pass(659)
    expect([await browser.user(), browser.set]).toEqual(["usr_1", []])
    for (const failure of [{}, { isDown: false, status: 503 }, { status: 429 }]) {
      Object.assign(issuer, failure)
      issuer.pass(11)
      const { answer } = await browser.get("/")
      expect([answer?.status, answer?.headers["retry-after"], JSON.parse(answer?.body ?? "")]).toMatchObject([
        503,
        "5",
        { error: "keys_unavailable" }
      ])
      expect(browser.cookies.size).toBe(1)
    }
    issuer.status = 200
    issuer.pass(11)
    expect(await browser.user()).toBe("usr_1")
  })

  test("SEC-273: logs the user out if the issuer rejects the refresh for any reason", async () => {
    for (const [status, error] of [
      [400, "invalid_request"],
      [401, "invalid_client"],
      [403, undefined],
      [404, undefined]
    ] as const) {
      const { issuer, browser, logIn } = await visit()
      await logIn()
      Object.assign(issuer, { status, answer: { error } })
      issuer.pass(301)
      expect([status, await browser.user(), browser.cookies.size]).toEqual([status, null, 0])
      expect(issuer.log).toEqual([
        expect.stringMatching(error === "invalid_client" ? /rejects the client/ : /status 4/)
      ])
    }
  })

  test("SEC-273: reads no session after the expiry of its ID token if the response can't set cookies", async () => {
    const { issuer, browser, logIn, readOnly } = await visit()
    await logIn()
    issuer.pass(659)
    expect((await readOnly()).session?.user_id).toBe("usr_1")
    issuer.pass(1)
    expect(await readOnly()).toEqual({ session: null, cookies: [] })
    expect(issuer.forms.length).toBe(1)
    // Another response has refreshed the same cookie.
    const cookie = browser.cookies.get("__Host-session") ?? ""
    await browser.get("/")
    browser.cookies.set("__Host-session", cookie)
    expect((await readOnly()).session?.user_id).toBe("usr_1")
  })

  test("SEC-273: refreshes the session of a user who returns within 30 days", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    issuer.pass(29 * 86_400)
    expect([await browser.user(), issuer.forms.length]).toEqual(["usr_1", 2])
    issuer.pass(30 * 86_400)
    expect([await browser.user(), browser.cookies.size, issuer.forms.length]).toEqual([null, 0, 2])
  })

  test("logs the user out if the refreshed tokens are too large for cookies", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    issuer.claims = { note: "x".repeat(9_000) }
    issuer.pass(301)
    expect([await browser.user(), browser.cookies.size]).toEqual([null, 0])
    expect(issuer.log).toEqual([expect.stringContaining("Set the realm's jwt_max_bytes to at most 7500.")])
    issuer.claims = { note: "x".repeat(5_500) }
    await logIn()
    expect([await browser.user(), browser.cookies.size]).toEqual(["usr_1", 3])
  })

  test("SEC-275: revokes the refresh token at the logout, and doesn't log out during an outage", async () => {
    const { issuer, browser, logIn } = await visit()
    await logIn()
    for (const failure of [{ isDown: true }, { isDown: false, status: 503 }]) {
      Object.assign(issuer, failure)
      const { answer } = await browser.send("POST", "/logout")
      expect([answer?.status, answer?.body.includes("You&#39;re still logged in")]).toEqual([503, true])
      expect([await browser.user(), browser.cookies.size, issuer.revoked]).toEqual(["usr_1", 1, []])
    }
    issuer.status = 200
    expect(locationIn(await browser.send("POST", "/logout"))).toContain("/end_session?")
    expect([browser.cookies.size, issuer.revoked]).toEqual([0, ["refresh_token ort_1"]])
    // An issuer that rejects the request, such as because of an old secret.
    const old = await visit()
    await old.logIn()
    old.issuer.status = 401
    expect(locationIn(await old.browser.send("POST", "/logout"))).toContain("/end_session?")
    expect(old.issuer.log).toEqual([expect.stringContaining("/revoke returned status 401.")])
    // An issuer that can't revoke tokens.
    const other = await visit({}, { revocation_endpoint: undefined })
    await other.logIn()
    expect(locationIn(await other.browser.send("POST", "/logout"))).toContain("/end_session?")
    expect(other.issuer.revoked).toEqual([])
  })

  test("logs out at the issuer", async () => {
    const { browser, logIn } = await visit({ afterLogout: "/bye" })
    await logIn()
    const to = new URL(locationIn(await browser.send("POST", "/logout")))
    expect(to.origin + to.pathname).toBe(`${ISSUER}/end_session`)
    expect(to.searchParams.get("post_logout_redirect_uri")).toBe(`${SITE}/bye`)
    expect(to.searchParams.get("id_token_hint")).toMatch(/^eyJ/)
    expect([await browser.user(), browser.cookies.size]).toEqual([null, 0])
  })
})
