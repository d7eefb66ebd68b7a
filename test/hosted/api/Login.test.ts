import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { sessionOf } from "../../external/BrowserLogins.ts"
import { KNOWN } from "../../support/browser.ts"
import {
  handedOver,
  hostedAt,
  LOGGED_IN,
  LOGIN_FAILED,
  person,
  rejection,
  statusAndBody,
  TOKEN_UNUSABLE,
  tokenIn
} from "../../support/hostedApi.ts"
import { type Device, enrolled, userEvent as event, PASSWORD, wrongCode } from "../../support/logins.ts"
import { newRealm } from "../../support/sallyport.ts"
import { tokenOf } from "../../support/tokens.ts"

const WRONG = "seven purple elephantz"

/** The session of a token, read through the management API. */
const sessionBy = (realm: GivenRealm, token: string) =>
  sessionOf(realm, new URL(`https://x.test/?token=${encodeURIComponent(token)}`))

describe("login", () => {
  test("creates a session of the app, sets the cookies and returns a token and the app's URL", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const username = user.string("username")
    const { result, events } = await realm.seen.during(() =>
      at.post("login", { username, password: PASSWORD }, { "user-agent": "Wanderer/1.0" })
    )
    expect(statusAndBody(result)).toEqual(LOGGED_IN)
    const session = await sessionBy(realm, tokenIn(result))
    expect([session.member("user_id"), session.member("client_app_id")]).toEqual([user.id, at.app.id])
    expect(session.member("request")).toEqual({ ip: "127.0.0.1", client: "Wanderer/1.0" })
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: session.id }])
    expect((await realm.seen.all()).at(-1)).toMatchObject({
      request: { ip: "127.0.0.1", client: "Wanderer/1.0" }
    })
    expect(result.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-session=\w{43}; Max-Age=21600; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
      KNOWN
    ])
  })

  test("accepts the username or email in either field, regardless of letter case", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const [username, email] = [user.string("username"), user.string("email")]
    for (const named of [
      { username },
      { username: ` ${username.toUpperCase()} ` },
      { username: email },
      { email },
      { email: email.toUpperCase() },
      { email: username },
      { username: "", email },
      { username, email: "somebody@else.test" }
    ]) {
      expect([named, ...statusAndBody(await at.post("login", { ...named, password: PASSWORD }))]).toEqual([
        named,
        ...LOGGED_IN
      ])
    }
    expect(statusAndBody(await at.post("login", { username: user.id, password: PASSWORD }))).toEqual(LOGIN_FAILED)
  })

  test("accepts only the email in a realm that uses emails as usernames", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const email = user.string("email")
    for (const named of [{ email }, { username: email.toUpperCase() }]) {
      expect(statusAndBody(await at.post("login", { ...named, password: PASSWORD }))).toEqual(LOGGED_IN)
    }
    expect(statusAndBody(await at.post("login", { password: PASSWORD }))).toEqual(rejection("Email can't be blank."))
  })

  test("returns the same error for a wrong password, an unknown name and an inactive user", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const asleep = await person(realm, { state: "inactive" })
    const login = (username: string, password = WRONG) => at.post("login", { username, password })
    const { result, events } = await realm.seen.during(async () => [
      await login(user.string("username")),
      await login("nobody"),
      await login(asleep.string("username"), PASSWORD)
    ])
    expect(result.map(statusAndBody)).toEqual([LOGIN_FAILED, LOGIN_FAILED, LOGIN_FAILED])
    expect(events).toEqual([event(user, "login.failed"), event(asleep, "login.failed")])
    expect(result.flatMap(({ headers }) => headers.getSetCookie())).toEqual([])
  })

  test("reports all missing and malformed members at once and records no event", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const cases: ReadonlyArray<readonly [input: object, ...errors: ReadonlyArray<string>]> = [
      [{}, "Username can't be blank."],
      [{ username: " ", email: "", password: PASSWORD }, "Username can't be blank."],
      [{ username: "jo" }, "Password can't be blank."],
      [{ username: { a: 1 }, password: ["x"] }, "Username must be text.", "Password must be text."],
      [{ username: "jo\u0000", password: PASSWORD }, "Username is not valid."],
      [{ username: "jo", password: "x".repeat(513) }, "Password is too long (maximum is 512 characters)."]
    ]
    const events = await realm.seen.caused(async () => {
      for (const [input, ...errors] of cases) {
        expect([input, ...statusAndBody(await at.post("login", { ...input }))]).toEqual([
          input,
          ...rejection(...errors)
        ])
      }
    })
    expect(events).toEqual([])
    const bodies = [
      ["{", "application/json", "The request body is not valid JSON."],
      ["[1]", "application/json", "The request body is not valid JSON."],
      ["null", "application/json; charset=utf-8", "The request body is not valid JSON."],
      ["a=b", "text/plain", "The request body must be JSON or form-encoded."],
      [`"${"x".repeat(300_000)}"`, "application/json", "The request body is larger than 256 KiB."]
    ] as const
    for (const [body, type, error] of bodies) {
      const reply = await at.send("login", "POST", { "content-type": type }, body)
      expect([type, ...statusAndBody(reply)]).toEqual([type, ...rejection(error)])
    }
    expect(statusAndBody(await at.send("login", "POST", {}, ""))).toEqual(rejection("Username can't be blank."))
    const twice = await at.send(
      "login",
      "POST",
      { "content-type": "application/x-www-form-urlencoded" },
      "username=a&username=b&password=c"
    )
    expect(statusAndBody(twice)).toEqual(rejection("Username can be given only once."))
  })

  test("accepts a form, or a GET request without setting cookies", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const input = { username: user.string("username"), password: PASSWORD }
    const posted = await at.form("login", input)
    expect([...statusAndBody(posted), posted.headers.getSetCookie().length]).toEqual([...LOGGED_IN, 2])
    const got = await at.get("login", input)
    expect([...statusAndBody(got), got.headers.getSetCookie()]).toEqual([...LOGGED_IN, []])
    expect(got.headers.get("content-type")).toBe("application/json")
    expect(statusAndBody(await at.get("login", { ...input, password: WRONG }))).toEqual(LOGIN_FAILED)
  })

  test("returns a null url if the app has no handler", async () => {
    const realm = await newRealm()
    const user = await person(realm)
    const input = { username: user.string("username"), password: PASSWORD }
    const bare = await hostedAt(realm, { login_handler: null })
    expect((await bare.post("login", input)).body).toEqual({
      result: "okay",
      token: expect.stringMatching(/^ey/),
      url: null
    })
    const place = "https://app.example.test/in?next=%2Fa"
    const at = await hostedAt(realm, { login_handler: place, signup_handler: "https://app.example.test/new" })
    expect((await at.post("login", input)).body).toEqual(handedOver({ place, more: { result: "okay" } }))
  })

  test("SEC-33: ignores redirect_uri and returns the app's own handler", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const input = { username: user.string("username"), password: PASSWORD, redirect_uri: "https://evil.test/" }
    expect(statusAndBody(await at.post("login", input))).toEqual(LOGGED_IN)
  })

  test("locks the user out of every login endpoint for 15 minutes after ten wrong passwords (C24)", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const [username, email] = [user.string("username"), user.string("email")]
    const events = await realm.seen.caused(async () => {
      for (let n = 0; n < 5; n += 1) {
        for (const named of [{ username }, { email }]) await at.post("login", { ...named, password: WRONG })
      }
    })
    expect(events).toEqual([...Array.from({ length: 10 }, () => event(user, "login.failed")), event(user, "blocked")])
    const { result, events: after } = await realm.seen.during(() => at.post("login", { username, password: PASSWORD }))
    expect([...statusAndBody(result), result.headers.get("retry-after"), after]).toEqual([
      ...rejection("Too many failed attempts. Try again in 15 minutes."),
      "900",
      []
    ])
    const v2 = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: PASSWORD } })
    expect(v2.status).toBe(429)
  })
})

describe("verify_login", () => {
  const pending = async (realm: GivenRealm, attributes = {}) => {
    const [user, at] = [await person(realm), await hostedAt(realm, attributes)]
    const device: Device = await enrolled(realm, user.id)
    const login = () => at.post("login", { username: user.string("username"), password: PASSWORD })
    return { user, at, device, login, username: user.string("username") }
  }

  test("completes a login that returned need_mfa and creates a session of the app", async () => {
    const realm = await newRealm()
    const { user, at, device, login, username } = await pending(realm)
    const first = await realm.seen.during(login)
    expect(statusAndBody(first.result)).toEqual([200, { result: "need_mfa", token: tokenOf("kli_") }])
    expect([first.events, first.result.headers.getSetCookie()]).toEqual([[event(user, "login.initiated")], []])
    const token = first.result.string("token")
    const { result, events } = await realm.seen.during(() =>
      at.post("verifyLogin", { username, token, code: device.code() }, { "user-agent": "Wanderer/1.0" })
    )
    expect(statusAndBody(result)).toEqual([200, handedOver()])
    expect(result.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=\w{43}; /), KNOWN])
    const session = await sessionBy(realm, tokenIn(result))
    expect([session.member("client_app_id"), session.member("request")]).toEqual([
      at.app.id,
      { ip: "127.0.0.1", client: "Wanderer/1.0" }
    ])
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: session.id }])
    expect(statusAndBody(await at.post("verifyLogin", { username, token, code: device.code(1) }))).toEqual(
      TOKEN_UNUSABLE
    )
  })

  test("invalidates the pending login after five wrong codes", async () => {
    const realm = await newRealm()
    const { user, at, device, login, username } = await pending(realm)
    const token = (await login()).string("token")
    const events = await realm.seen.caused(async () => {
      for (let n = 0; n < 5; n += 1) {
        const reply = await at.post("verifyLogin", { username, token, code: wrongCode(device) })
        expect(statusAndBody(reply)).toEqual(LOGIN_FAILED)
      }
    })
    expect(events).toEqual(Array.from({ length: 5 }, () => event(user, "login.failed")))
    expect(statusAndBody(await at.post("verifyLogin", { username, token, code: device.code() }))).toEqual(
      TOKEN_UNUSABLE
    )
    const other = (await login()).string("token")
    expect(statusAndBody(await at.post("verifyLogin", { token: other, code: ` ${device.code()} ` }))).toEqual([
      200,
      handedOver()
    ])
  })

  test("rejects codes, but not passwords, for 15 minutes after ten wrong codes", async () => {
    const realm = await newRealm()
    const { user, at, device, login } = await pending(realm)
    const events = await realm.seen.caused(async () => {
      for (const _ of [1, 2]) {
        const token = (await login()).string("token")
        for (let n = 0; n < 5; n += 1) await at.post("verifyLogin", { token, code: wrongCode(device) })
      }
    })
    expect(events.at(-1)).toEqual(event(user, "blocked"))
    const token = (await login()).string("token")
    const reply = await at.post("verifyLogin", { token, code: device.code() })
    expect([...statusAndBody(reply), reply.headers.get("retry-after")]).toEqual([
      ...rejection("Too many failed attempts. Try again in 15 minutes."),
      "900"
    ])
  })

  test("SEC-20: returns the same error for an unknown token as for a token of another kind, user or realm", async () => {
    const realm = await newRealm()
    const { at, device, login, username } = await pending(realm)
    const stranger = await person(realm)
    const token = (await login()).string("token")
    const code = device.code()
    const v2 = (
      await realm.post(`/v2/users/${(await pending(realm)).user.id}/authenticate`, { user: { password: PASSWORD } })
    ).string("token")
    const elsewhere = await hostedAt(await newRealm())
    const events = await realm.seen.caused(async () => {
      for (const input of [
        { username: stranger.string("username"), token, code },
        { username: "nobody", token, code },
        { token: v2, code },
        { token: `kli_${"x".repeat(43)}`, code },
        { token: token.slice(0, -1), code },
        { token: `${token}x`, code }
      ]) {
        expect([input, ...statusAndBody(await at.post("verifyLogin", input))]).toEqual([input, ...TOKEN_UNUSABLE])
      }
      expect(statusAndBody(await elsewhere.post("verifyLogin", { token, code }))).toEqual(TOKEN_UNUSABLE)
    })
    expect(events).toEqual([])
    const blank = rejection("Token can't be blank.", "Code can't be blank.")
    expect(statusAndBody(await at.post("verifyLogin", { username }))).toEqual(blank)
    // Forms and GET work too, but GET sets no cookies.
    const got = await at.get("verifyLogin", { username, token, code })
    expect([...statusAndBody(got), got.headers.getSetCookie()]).toEqual([200, handedOver(), []])
  })

  test("accepts a form and returns a null url if the app has no handler", async () => {
    const { at, device, login } = await pending(await newRealm(), { login_handler: null })
    const token = (await login()).string("token")
    expect((await at.form("verifyLogin", { token, code: device.code() })).body).toEqual({
      token: expect.stringMatching(/^ey/),
      url: null
    })
  })
})
