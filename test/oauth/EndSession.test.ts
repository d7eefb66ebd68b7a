import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { authorize, authorizing, CALLBACK, VERIFIER } from "../support/authorize.ts"
import {
  endpoint,
  type Filled,
  type LoggedIn,
  loggedIn,
  POST_LOGOUT_URI,
  requestLogout
} from "../support/endSession.ts"
import { PASSWORD } from "../support/logins.ts"
import { oauthClient } from "../support/oauth.ts"
import { sendAs } from "../support/oauthTokens.ts"
import { heading, statusAndHeading, visibleText } from "../support/pages.ts"
import { ownService } from "../support/sallyport.ts"
import { isLoggedIn, Visitor, visitorAtApp } from "../support/visitor.ts"

const valid = async (at: LoggedIn): Promise<Filled> => ({
  id_token_hint: await at.idToken(),
  post_logout_redirect_uri: POST_LOGOUT_URI,
  state: "a b&c"
})

describe("C181: end_session", () => {
  test.each([
    ["GET", false],
    ["POST", true]
  ])("logs out without asking if the client sends an ID token of the session (%s)", async (_, form) => {
    const at = await loggedIn()
    const params = await valid(at)
    const { result, events } = await at.realm.seen.during(() => requestLogout(at, params, form))
    expect([result.status, at.visitor.leads.href]).toEqual([303, `${POST_LOGOUT_URI}&state=a%20b%26c`])
    expect(events).toEqual([
      expect.objectContaining({ event_type: "session.deleted", session_id: at.sid, user_id: at.user.id })
    ])
    expect([at.visitor.cookie, await isLoggedIn(at.visitor)]).toEqual([undefined, false])
  })

  test("accepts an expired ID token, and shows a page if the request has no redirect URI", async () => {
    const at = await loggedIn()
    const hint = await at.sign({ sub: at.user.id, aud: at.client.id, sid: at.sid, iat: 1, exp: 2 })
    const reply = await requestLogout(at, { id_token_hint: hint, client_id: at.client.id })
    expect(statusAndHeading(reply)).toEqual([200, "You're logged out"])
    expect(await isLoggedIn(at.visitor)).toBe(false)
  })

  test("SEC-178: asks the user for confirmation if the request has no ID token", async () => {
    const at = await loggedIn()
    const params = { client_id: at.client.id, post_logout_redirect_uri: POST_LOGOUT_URI, state: "s" }
    for (const form of [false, true]) {
      const reply = await requestLogout(at, params, form)
      expect(statusAndHeading(reply)).toEqual([200, "Log out?"])
      expect(visibleText(reply)).toContain("Grafana is asking you to log out.")
      expect(await isLoggedIn(at.visitor)).toBe(true)
    }
    await requestLogout(at, params)
    await at.visitor.fill({}, "Log out")
    expect(at.visitor.leads.href).toBe(`${POST_LOGOUT_URI}&state=s`)
    expect(await isLoggedIn(at.visitor)).toBe(false)
  })

  test("accepts a request without parameters, and asks the user", async () => {
    const at = await loggedIn()
    expect(heading(await requestLogout(at, {}))).toBe("Log out?")
    await at.visitor.fill({}, "Log out")
    expect(statusAndHeading(at.visitor.page)).toEqual([200, "You're logged out"])
    expect(statusAndHeading(await requestLogout(at, { ui_locales: "en", logout_hint: "somebody" }))).toEqual([
      200,
      "You're logged out"
    ])
  })

  test.each([
    "managed",
    "unmanaged"
  ])("notifies the browser's other clients and ends their grants (%s)", (session_type) =>
    ownService(async (own) => {
      const realm = await own.given.realm({ session_type })
      const backchannel = "https://app.example.test/backchannel"
      const wants = {
        consent: "skip",
        backchannel_logout_uri: backchannel,
        post_logout_redirect_uris: [POST_LOGOUT_URI]
      }
      const at = await authorizing(realm, { client: wants })
      const { visitor, client, user } = at
      const { code = "" } = await authorize(at)
      const proof = { grant_type: "authorization_code", redirect_uri: CALLBACK, code_verifier: VERIFIER, code }
      const idToken = (await sendAs(client, realm, "token", proof)).string("id_token")
      const { sid } = decodeJwt(idToken)
      expect((await realm.get("/v2/grants")).items).toEqual([
        expect.objectContaining({ state: "active", session_id: sid })
      ])
      await own.advance("1 hour")
      // Log the same user in again in the same browser.
      if (session_type === "unmanaged") await visitor.logIn(at.email, PASSWORD, "?way=login")
      await own.advance("1 second")
      expect(own.receiver.to(backchannel)).toEqual([])
      await requestLogout(at, { id_token_hint: idToken, post_logout_redirect_uri: POST_LOGOUT_URI })
      expect(visitor.leads.href).toBe(POST_LOGOUT_URI)
      await own.advance("1 second")
      const told = own.receiver
        .to(backchannel)
        .map(({ body }) => decodeJwt(new URLSearchParams(body).get("logout_token") ?? ""))
      expect(told.map((claims) => [claims.sub, claims["sid"], claims.aud])).toEqual([[user.id, sid, client.id]])
      const [grant] = (await realm.get("/v2/grants")).items
      expect(grant).toMatchObject({ state: "ended", ended_at: expect.any(Number) })
    }))

  test("redirects without asking if no user is logged in", async () => {
    const at = await loggedIn()
    const stranger = { ...at, visitor: new Visitor(at.realm.transport, at.origin) }
    await requestLogout(stranger, { client_id: at.client.id, post_logout_redirect_uri: POST_LOGOUT_URI })
    expect(stranger.visitor.leads.href).toBe(POST_LOGOUT_URI)
    expect(await isLoggedIn(at.visitor)).toBe(true)
  })

  test("SEC-178: never redirects to a URI that isn't registered verbatim", async () => {
    const at = await loggedIn()
    const hint = await at.idToken()
    const strange = [
      "https://evil.example.test/",
      `${POST_LOGOUT_URI}&x=1`,
      `${POST_LOGOUT_URI}#x`,
      "https://app.example.test/bye",
      `${POST_LOGOUT_URI}/../..`,
      "//evil.example.test"
    ]
    for (const uri of [...strange, POST_LOGOUT_URI.toUpperCase()]) {
      for (const more of [{ id_token_hint: hint }, { client_id: at.client.id }]) {
        const reply = await requestLogout(at, { ...more, post_logout_redirect_uri: uri })
        expect([reply.status, reply.headers.get("location")]).toEqual([400, null])
      }
    }
    const unnamed = await requestLogout(at, { post_logout_redirect_uri: POST_LOGOUT_URI })
    expect([unnamed.status, unnamed.headers.get("location")]).toEqual([400, null])
    expect(await isLoggedIn(at.visitor)).toBe(true)
  })

  test("SEC-177, SEC-178: asks the user if this realm didn't issue the hint to this client as an ID token", async () => {
    const at = await loggedIn()
    const [other, foreign] = [await oauthClient(at.realm), await loggedIn()]
    const [good] = [await at.idToken()]
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} }
    const bad: ReadonlyArray<readonly [string, Filled]> = [
      ["another realm's token", { id_token_hint: await foreign.idToken() }],
      [
        "another issuer's token",
        {
          id_token_hint: await at.sign({
            iss: "https://evil.example.test",
            sub: at.user.id,
            aud: at.client.id,
            sid: at.sid
          })
        }
      ],
      ["a login token", { id_token_hint: (await at.realm.session(at.user.id)).string("token") }],
      [
        "a login token signed with the same key",
        { id_token_hint: await at.sign({ sub: at.user.id, aud: at.client.id, sid: at.sid, rid: at.realm.id }) }
      ],
      ["an access token", { id_token_hint: await at.idToken({}, { typ: "at+jwt" }) }],
      ["a logout token", { id_token_hint: await at.idToken({}, { typ: "logout+jwt" }) }],
      [
        "a logout token with another typ",
        { id_token_hint: await at.sign({ sub: at.user.id, aud: at.client.id, sid: at.sid, events }) }
      ],
      [
        "a modified token",
        {
          id_token_hint: good.replace(
            /\.[^.]*\./,
            `.${Buffer.from(JSON.stringify({ iss: "x" })).toString("base64url")}.`
          )
        }
      ],
      ["not a token", { id_token_hint: "x" }],
      ["another client's token", { id_token_hint: good, client_id: other.id }],
      ["an unknown client's token", { id_token_hint: await at.idToken({ aud: "lpl_x" }) }]
    ]
    for (const [what, params] of bad) {
      expect([what, ...statusAndHeading(await requestLogout(at, { ...params }))]).toEqual([what, 200, "Log out?"])
    }
    expect(await isLoggedIn(at.visitor)).toBe(true)
  })

  test("SEC-178: asks the user if the ID token belongs to another user or an earlier session", async () => {
    const at = await loggedIn()
    const params = await valid(at)
    const other = await visitorAtApp(at.realm)
    for (const claims of [{ sub: other.user.id }, { sid: (await at.realm.session(at.user.id)).id }, { sid: "" }]) {
      const reply = await requestLogout(at, { id_token_hint: await at.idToken(claims) })
      expect(statusAndHeading(reply)).toEqual([200, "Log out?"])
    }
    // After the logout and a new login, the same token no longer logs out without confirmation.
    await requestLogout(at, params)
    await at.visitor.logIn(at.email)
    expect(statusAndHeading(await requestLogout(at, params))).toEqual([200, "Log out?"])
    expect(await isLoggedIn(at.visitor)).toBe(true)
  })

  test("SEC-178: ignores frames, scripts and forms of other sites, and repeated requests", async () => {
    const at = await loggedIn()
    const begin = async (params: Filled) => {
      const reply = await at.visitor.browser.go(`${endpoint(at)}?${new URLSearchParams(params)}`)
      const { pathname, search } = new URL(reply.headers.get("location") ?? "")
      return pathname + search
    }
    const page = await begin(await valid(at))
    for (const destination of ["iframe", "image", "script", "empty"]) {
      const headers = { "sec-fetch-dest": destination, "sec-fetch-site": "cross-site" }
      const reply = await at.visitor.browser.go(new URL(page, at.origin), { headers })
      expect(statusAndHeading(reply)).toEqual([200, "Log out?"])
    }
    const secret = new URL(page, at.origin).searchParams.get("logout") ?? ""
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example.test" }
    expect((await at.visitor.send("/logout", { logout: secret, way: "logout" }, foreign)).status).toBe(403)
    expect(await isLoggedIn(at.visitor)).toBe(true)
    await at.visitor.open(page)
    expect(at.visitor.leads.href).toContain(POST_LOGOUT_URI)
    await at.visitor.logIn(at.email)
    expect(statusAndHeading(await at.visitor.open(page))).toEqual([200, "Log out?"])
    await at.visitor.fill({}, "Log out")
    expect(statusAndHeading(at.visitor.page)).toEqual([200, "You're logged out"])
  })

  test("ignores an unknown secret and the secret of another app's request", async () => {
    const [at, other] = [await loggedIn(), await loggedIn()]
    const reply = await at.visitor.browser.go(`${endpoint(at)}?${new URLSearchParams(await valid(at))}`)
    const { search } = new URL(reply.headers.get("location") ?? "")
    expect(statusAndHeading(await other.visitor.open(`/logout${search}`))).toEqual([200, "Log out?"])
    for (const secret of ["olr_x", uniqueText("x"), `olr_${"a".repeat(43)}`]) {
      expect(statusAndHeading(await other.visitor.open(`/logout?logout=${secret}`))).toEqual([200, "Log out?"])
    }
  })

  test("rejects a repeated parameter, and a state that is too long or contains a control character", async () => {
    const at = await loggedIn()
    const hint = await at.idToken()
    const twice = `${endpoint(at)}?id_token_hint=${hint}&id_token_hint=${hint}`
    expect((await at.visitor.browser.go(twice)).status).toBe(400)
    const long = await requestLogout(at, { ...(await valid(at)), state: "x".repeat(1_025) })
    expect([long.status, long.headers.get("location")]).toEqual([400, null])
    const strange = await requestLogout(at, { ...(await valid(at)), state: "a\nb" })
    expect(strange.status).toBe(400)
  })
})
