import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { type Hosted, hostedAt, person, statusAndBody } from "../../support/hostedApi.ts"
import { PASSWORD } from "../../support/logins.ts"
import { newRealm, ownService } from "../../support/sallyport.ts"

const VALID = [200, { valid: true }]
const SENTENCE = "Token is invalid, has expired or has already been used."
const INVALID = [200, { valid: false, error: SENTENCE, errors: [SENTENCE] }]
const NOTHING = [200, undefined]

/** Logs a user in by password. */
const loggedIn = async (realm: GivenRealm, at: Pick<Hosted, "post">) => {
  const user = await person(realm)
  const login = () => at.post("login", { username: user.string("username"), password: PASSWORD })
  return { user, login, token: (await login()).string("token") }
}

const sessions = async (realm: GivenRealm): Promise<ReadonlyArray<unknown>> =>
  (await realm.get("/v2/sessions")).items.map(({ id }) => id)

describe("check_session", () => {
  test("reports a session as valid until the session ends, and records no event", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const { token } = await loggedIn(realm, at)
    const events = await realm.seen.caused(async () => {
      expect(statusAndBody(await at.post("checkSession", { token }))).toEqual(VALID)
      expect(statusAndBody(await at.form("checkSession", { token }))).toEqual(VALID)
      expect(statusAndBody(await at.get("checkSession", { token }))).toEqual(VALID)
    })
    expect(events).toEqual([])
    const [id] = await sessions(realm)
    await realm.delete(`/v2/sessions/${id}`)
    expect(statusAndBody(await at.post("checkSession", { token }))).toEqual(INVALID)
    expect(statusAndBody(await at.get("checkSession", { token }))).toEqual(INVALID)
  })

  test("accepts the token of any session of the realm, but no session ids, modified tokens or API keys", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const at = await hostedAt(realm)
    const { user, token } = await loggedIn(realm, at)
    const session = await realm.session(user.id)
    expect(statusAndBody(await at.post("checkSession", { token: session.string("token") }))).toEqual(VALID)
    await realm.apiUser({ api_key: "abcdefghijklmnopqrstuvwxyz0123456789" })
    const keyed = await realm.post("/v1/users/authenticate_key", { api_key: "abcdefghijklmnopqrstuvwxyz0123456789" })
    const [head, claims = "", signature] = token.split(".")
    const wider = Buffer.from(claims, "base64url")
      .toString()
      .replace(/"exp":\d+/, '"exp":9999999999')
    for (const wrong of [
      session.id,
      (await other.session((await other.user()).id)).string("token"),
      keyed.string("token"),
      token.slice(0, -1),
      `${token}.x`,
      `${head}.${Buffer.from(wider).toString("base64url")}.${signature}`,
      "x",
      "x".repeat(20_000)
    ]) {
      expect([wrong, ...statusAndBody(await at.post("checkSession", { token: wrong }))]).toEqual([wrong, ...INVALID])
    }
  })

  test("reports an expired session, or a session of an inactive user, as invalid", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ session_minutes: 60 })
      const at = await hostedAt(realm)
      const { user, login } = await loggedIn(realm, at)
      const token = (await login()).string("token")
      clock.advance("59 minutes")
      expect(statusAndBody(await at.post("checkSession", { token }))).toEqual(VALID)
      const later = (await login()).string("token")
      clock.advance("1 minute")
      expect(statusAndBody(await at.post("checkSession", { token }))).toEqual(INVALID)
      expect(statusAndBody(await at.post("checkSession", { token: later }))).toEqual(VALID)
      await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
      expect(statusAndBody(await at.post("checkSession", { token: later }))).toEqual(INVALID)
    }))

  test("returns valid: false with an error for a missing token or in a realm with unmanaged sessions", async () => {
    const at = await hostedAt(await newRealm())
    const blank = "Token can't be blank."
    expect(statusAndBody(await at.post("checkSession"))).toEqual([200, { valid: false, error: blank, errors: [blank] }])
    const realm = await newRealm({ session_type: "unmanaged" })
    const unmanaged = await hostedAt(realm)
    const { token } = await loggedIn(realm, unmanaged)
    const error = "This realm does not manage sessions, so they can't be checked."
    expect(statusAndBody(await unmanaged.post("checkSession", { token }))).toEqual([
      200,
      { valid: false, error, errors: [error] }
    ])
  })
})

describe("logout", () => {
  test("ends the session of a token once and returns an empty response", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const { user, login, token } = await loggedIn(realm, at)
    const [id] = await sessions(realm)
    const other = (await login()).string("token")
    const first = await realm.seen.during(() => at.post("logout", { token }))
    expect([statusAndBody(first.result), first.events]).toEqual([
      NOTHING,
      [{ event_type: "session.deleted", session_id: id, user_id: user.id }]
    ])
    expect(statusAndBody(await at.post("checkSession", { token }))).toEqual(INVALID)
    expect(statusAndBody(await at.post("checkSession", { token: other }))).toEqual(VALID)
    const again = await realm.seen.during(() => at.post("logout", { token }))
    expect([statusAndBody(again.result), again.events]).toEqual([NOTHING, []])
    // GET and forms work too, since the token is the proof.
    expect(statusAndBody(await at.get("logout", { token: other }))).toEqual(NOTHING)
    expect(statusAndBody(await at.post("checkSession", { token: other }))).toEqual(INVALID)
    const last = (await login()).string("token")
    expect(statusAndBody(await at.form("logout", { token: last }))).toEqual(NOTHING)
    expect(await sessions(realm)).toEqual([])
  })

  test("returns the same empty response for an invalid token and ends no session", async () => {
    const [realm, other] = [await newRealm(), await newRealm()]
    const [at, elsewhere] = [await hostedAt(realm), await hostedAt(other)]
    const { token } = await loggedIn(realm, at)
    const [id] = await sessions(realm)
    const events = await realm.seen.caused(async () => {
      for (const wrong of [String(id), `${token}x`, token.slice(0, -1), "x"]) {
        expect([wrong, ...statusAndBody(await at.post("logout", { token: wrong }))]).toEqual([wrong, ...NOTHING])
      }
      expect(statusAndBody(await elsewhere.post("logout", { token }))).toEqual(NOTHING)
    })
    expect([events, await sessions(realm)]).toEqual([[], [id]])
  })

  test("ends the session in the cookie and clears the cookie if the request has no token", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const { browser, post } = at.inBrowser()
    const { user } = await loggedIn(realm, { post })
    const [id] = await sessions(realm)
    const secret = browser.cookies(at.host)["__Host-session"] ?? ""
    expect(secret).toMatch(/^\w{43}$/)
    const { result, events } = await realm.seen.during(() => post("logout"))
    expect([statusAndBody(result), events]).toEqual([
      NOTHING,
      [{ event_type: "session.deleted", session_id: id, user_id: user.id }]
    ])
    expect(result.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=; Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    ])
    expect(Object.keys(browser.cookies(at.host))).toEqual(["__Host-known_browser"])
    const cookie = { cookie: `__Host-session=${secret}` }
    expect(await realm.seen.caused(() => at.post("logout", {}, cookie))).toEqual([])
    expect(statusAndBody(await at.post("logout", {}, { cookie: "__Host-session=x; __Host-session=y" }))).toEqual(
      NOTHING
    )
    expect(statusAndBody(await at.form("logout"))).toEqual(NOTHING)
  })

  test("ignores another app's cookie and the cookie name used over plain HTTP", async () => {
    const realm = await newRealm()
    const [at, other] = [await hostedAt(realm), await hostedAt(realm)]
    const { browser, post } = at.inBrowser()
    await loggedIn(realm, { post })
    const secret = browser.cookies(at.host)["__Host-session"] ?? ""
    const events = await realm.seen.caused(async () => {
      await other.post("logout", {}, { cookie: `__Host-session=${secret}` })
      await at.post("logout", {}, { cookie: `session=${secret}` })
    })
    expect([events, (await sessions(realm)).length]).toEqual([[], 1])
  })

  test("ends the token's session rather than the cookie's session", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const { post } = at.inBrowser()
    const kept = await loggedIn(realm, { post })
    const { token } = await loggedIn(realm, at)
    expect((await realm.seen.caused(() => post("logout", { token }))).length).toBe(1)
    expect(statusAndBody(await at.post("checkSession", { token: kept.token }))).toEqual(VALID)
  })

  test("only clears the cookie in a realm with unmanaged sessions", async () => {
    const realm = await newRealm({ session_type: "unmanaged" })
    const at = await hostedAt(realm)
    const { browser, post } = at.inBrowser()
    const { token } = await loggedIn(realm, { post })
    const events = await realm.seen.caused(async () => {
      expect(statusAndBody(await at.post("logout", { token }))).toEqual(NOTHING)
      expect(statusAndBody(await post("logout"))).toEqual(NOTHING)
    })
    expect([events, Object.keys(browser.cookies(at.host))]).toEqual([[], ["__Host-known_browser"]])
  })

  test("uses a different cookie name over plain HTTP", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const at = await hostedAt(realm)
        const user = await person(realm)
        const reply = await at.post("login", { username: user.string("username"), password: PASSWORD })
        const [line = ""] = reply.headers.getSetCookie()
        expect(line).toMatch(/^session=\w{43}; Max-Age=21600; Path=\/; HttpOnly; SameSite=Lax$/)
        const events = await realm.seen.caused(() => at.post("logout", {}, { cookie: line.split(";")[0] ?? "" }))
        expect(events.length).toBe(1)
      },
      { publicUrl: "http://localhost:3000" }
    ))
})
