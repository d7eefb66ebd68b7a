import { describe, expect, test } from "vitest"
import {
  effectsOf,
  hostedAt,
  LOGGED_IN,
  LOGIN_FAILED,
  person,
  rejection,
  statusAndBody,
  TOKEN_UNUSABLE,
  userAtApp
} from "../../support/hostedApi.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { clockedService, newRealm, ownService } from "../../support/sallyport.ts"
import { emailToken, passwordToken, passwordTokenV1, tokenOf } from "../../support/tokens.ts"

const ASKED = [
  200,
  { message: "If there is an account with this name, you'll receive an email with a link to reset your password." }
]
const CHANGED = [200, { message: "Your password has been changed." }]
const RESENT = [
  200,
  { message: "If there is an account with an unconfirmed email, you'll receive an email with a link to confirm it." }
]
const UNEQUAL = rejection("Password confirmation does not match the password.")

describe("forgot_password", () => {
  test("finds the user by username or email and creates a token, whether by JSON, form or GET", async () => {
    const realm = await newRealm()
    const { user, at, username, email } = await userAtApp(realm, { email: "ada@example.test" })
    const asks: ReadonlyArray<(own: ReturnType<typeof at.of>) => Promise<unknown>> = [
      async ({ post }) =>
        expect(
          statusAndBody(await post("forgotPassword", { username: username.toUpperCase() }, { "user-agent": "W/1" }))
        ).toEqual(ASKED),
      async ({ form }) => expect(statusAndBody(await form("forgotPassword", { email }))).toEqual(ASKED),
      async ({ get }) => expect(statusAndBody(await get("forgotPassword", { username: email }))).toEqual(ASKED)
    ]
    for (const ask of asks) {
      expect(await effectsOf(realm, (own) => ask(at.of(own)))).toEqual([event(user, "password.resetting")])
    }
    const made = (await realm.seen.all()).filter(({ event_type }) => event_type === "user.password.resetting")
    const mine = { token: tokenOf("kpw_"), request: { ip: "127.0.0.1", client: "W/1" } }
    expect(made).toContainEqual(expect.objectContaining(mine))
    const types = (await realm.seenV1.all()).map(({ event_type }) => event_type)
    expect(types.filter((type) => type === "user.password_token.created")).toHaveLength(3)
  })

  test("emails a token that can be used to set a new password (C27)", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const { user, at, username, email, login } = await userAtApp(realm)
    await passwordTokenV1(realm, user.id)
    await advance("1 minute")
    expect(postbox.to(email)).toEqual([])
    await at.post("forgotPassword", { username })
    await expect
      .poll(async () => (await realm.get("/v2/events?event_type=user.password.resetting")).items.length, {
        timeout: 10_000
      })
      .toBe(2)
    await advance("1 minute")
    const [mail] = postbox.take(email)
    const [token = ""] = /kpw_\w{43}/.exec(mail?.text ?? "") ?? []
    expect(statusAndBody(await at.post("resetPassword", { username, token, password: OTHER_PASSWORD }))).toEqual(
      CHANGED
    )
    expect(statusAndBody(await login(OTHER_PASSWORD))).toEqual(LOGGED_IN)
  })

  test("sends at most three emails a minute but returns the same response over the limit (C45)", async () => {
    const realm = await newRealm()
    const { user, at, username } = await userAtApp(realm)
    const events = await effectsOf(
      realm,
      async (own) => {
        for (let n = 0; n < 4; n += 1)
          expect(statusAndBody(await at.of(own).post("forgotPassword", { username }))).toEqual(ASKED)
      },
      { limits: "all" }
    )
    expect(events).toEqual(Array.from({ length: 3 }, () => event(user, "password.resetting")))
  })

  test("reports the missing field if the request contains no name", async () => {
    const [standard, emails] = [
      await hostedAt(await newRealm()),
      await hostedAt(await newRealm({ username_validation_human: "email" }))
    ]
    for (const name of ["forgotPassword", "resendEmailToken"] as const) {
      expect(statusAndBody(await standard.post(name, { username: " " }))).toEqual(rejection("Username can't be blank."))
      expect(statusAndBody(await emails.post(name))).toEqual(rejection("Email can't be blank."))
    }
  })
})

describe("reset_password", () => {
  test("sets the password and ends all sessions without logging in", async () => {
    const realm = await newRealm()
    const { user, at, username, login } = await userAtApp(realm)
    const session = await realm.session(user.id)
    const token = await passwordTokenV1(realm, user.id)
    const input = { username, token, password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD }
    const { result, events } = await realm.seen.during(() => at.post("resetPassword", input))
    expect([...statusAndBody(result), result.headers.getSetCookie()]).toEqual([...CHANGED, []])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      { event_type: "session.deleted", session_id: session.id, user_id: user.id }
    ])
    expect(statusAndBody(await login(PASSWORD))).toEqual(LOGIN_FAILED)
    expect(statusAndBody(await login(OTHER_PASSWORD))).toEqual(LOGGED_IN)
    const again = await realm.seen.during(() => at.post("resetPassword", { username, token, password: PASSWORD }))
    expect([statusAndBody(again.result), again.events]).toEqual([
      TOKEN_UNUSABLE,
      [event(user, "password_token.failed")]
    ])
  })

  test("finds the user by the token when the request has no name", async () => {
    const realm = await newRealm()
    const { user, at, email, login } = await userAtApp(realm)
    const token = () => passwordTokenV1(realm, user.id)
    expect(statusAndBody(await at.form("resetPassword", { token: await token(), password: OTHER_PASSWORD }))).toEqual(
      CHANGED
    )
    const got = { email, token: await token(), password: "nine orange hippos" }
    expect(statusAndBody(await at.get("resetPassword", got))).toEqual(CHANGED)
    expect(statusAndBody(await login("nine orange hippos"))).toEqual(LOGGED_IN)
  })

  test("rejects another user's name without using up the token", async () => {
    const realm = await newRealm()
    const { user, at, username, login } = await userAtApp(realm)
    const stranger = await person(realm)
    const token = await passwordTokenV1(realm, user.id)
    const events = await realm.seen.caused(async () => {
      for (const named of [stranger.string("username"), "nobody", user.id]) {
        const reply = await at.post("resetPassword", { username: named, token, password: OTHER_PASSWORD })
        expect([named, ...statusAndBody(reply)]).toEqual([named, ...TOKEN_UNUSABLE])
      }
    })
    // The event belongs to the token's user, not to the named one (SEC-105).
    expect(events).toEqual([event(user, "password_token.failed")])
    expect(statusAndBody(await login(PASSWORD))).toEqual(LOGGED_IN)
    expect(statusAndBody(await at.post("resetPassword", { username, token, password: OTHER_PASSWORD }))).toEqual(
      CHANGED
    )
  })

  test("reports missing members or a rejected password without using up the token", async () => {
    const realm = await newRealm()
    const { user, at } = await userAtApp(realm)
    const token = await passwordTokenV1(realm, user.id)
    const events = await realm.seen.caused(async () => {
      for (const [input, refusal] of [
        [{ token }, rejection("Password can't be blank.")],
        [{ password: OTHER_PASSWORD }, rejection("Token can't be blank.")],
        [{ token, password: "short" }, rejection("Password is too short (minimum is 8 characters).")],
        [{ token, password: OTHER_PASSWORD, password_confirmation: PASSWORD }, UNEQUAL],
        [{ token, password: OTHER_PASSWORD, password_confirmation: "" }, UNEQUAL]
      ] as const) {
        expect([input, ...statusAndBody(await at.post("resetPassword", input))]).toEqual([input, ...refusal])
      }
    })
    expect(events).toEqual([])
    expect(statusAndBody(await at.post("resetPassword", { token, password: OTHER_PASSWORD }))).toEqual(CHANGED)
  })

  test("SEC-20, CVE-2023-26481: rejects a truncated token and a token of another kind, realm or user", async () => {
    const realm = await newRealm()
    const { user, at, username, login } = await userAtApp(realm)
    const stranger = await person(realm)
    const elsewhere = await hostedAt(await newRealm())
    const token = await passwordTokenV1(realm, user.id)
    const own = (await login(PASSWORD)).string("token")
    const password = OTHER_PASSWORD
    expect(statusAndBody(await elsewhere.post("resetPassword", { token, password }))).toEqual(TOKEN_UNUSABLE)
    const theirs = await passwordTokenV1(realm, stranger.id)
    for (const [name, wrong] of [
      ["v2's", await passwordToken(realm, user.id)],
      ["an email verification token", await emailToken(realm, user.id)],
      ["a login", own],
      ["another user's", theirs],
      ["cut off", token.slice(0, -1)],
      ["longer", `${token}a`],
      ["only the prefix", "kpw_"]
    ] as const) {
      const reply = await at.post("resetPassword", { username, token: wrong, password })
      expect([name, ...statusAndBody(reply)]).toEqual([name, ...TOKEN_UNUSABLE])
    }
    expect(statusAndBody(await login(PASSWORD))).toEqual(LOGGED_IN)
  })

  test("rejects a token after 60 minutes or after a password change", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const { user, at, login } = await userAtApp(realm)
      const token = await passwordTokenV1(realm, user.id)
      clock.advance("60 minutes")
      expect(statusAndBody(await at.post("resetPassword", { token, password: OTHER_PASSWORD }))).toEqual(TOKEN_UNUSABLE)
      const older = await passwordTokenV1(realm, user.id)
      const session = (await login(PASSWORD)).string("token")
      const change = { token: session, current_password: PASSWORD, password: OTHER_PASSWORD }
      expect(statusAndBody(await at.post("updatePassword", change))).toEqual(CHANGED)
      expect(statusAndBody(await at.post("resetPassword", { token: older, password: PASSWORD }))).toEqual(
        TOKEN_UNUSABLE
      )
    }))

  test("never completes a second factor (C27)", async () => {
    const realm = await newRealm()
    const { user, at, login } = await userAtApp(realm)
    await enrolled(realm, user.id)
    const token = await passwordTokenV1(realm, user.id)
    expect(statusAndBody(await at.post("resetPassword", { token, password: OTHER_PASSWORD }))).toEqual(CHANGED)
    expect(statusAndBody(await login(OTHER_PASSWORD))).toEqual([200, { result: "need_mfa", token: tokenOf("kli_") }])
  })
})

describe("resend_email_token", () => {
  test("emails only users whose verification was requested, but returns the same response for all users", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const unverified = await person(realm, { email_verification: "requested" })
    const others = [
      await person(realm),
      await person(realm, { email_verification: "verified" }),
      await person(realm, { email_verification: "verified", email_pending: "next@example.test" }),
      await person(realm, { email_verification: "requested", state: "inactive" })
    ].map((user) => user.string("username"))
    const events = await effectsOf(realm, async (own) => {
      const { post, form, get } = at.of(own)
      for (const username of [...others, "nobody", unverified.id]) {
        expect(statusAndBody(await post("resendEmailToken", { username }))).toEqual(RESENT)
      }
      expect(statusAndBody(await post("resendEmailToken", { username: unverified.string("username") }))).toEqual(RESENT)
      expect(statusAndBody(await form("resendEmailToken", { email: unverified.string("email") }))).toEqual(RESENT)
      expect(
        statusAndBody(await get("resendEmailToken", { username: unverified.string("email").toUpperCase() }))
      ).toEqual(RESENT)
    })
    expect(events).toEqual(Array.from({ length: 3 }, () => event(unverified, "email.verifying")))
    const statuses = []
    for (const { token } of (await realm.get("/v2/events?event_type=user.email.verifying")).items) {
      statuses.push((await realm.post("/v2/users/verify_email", { user: { token } })).status)
    }
    expect(statuses).toContain(200)
    const after = await effectsOf(realm, (own) =>
      at.of(own).post("resendEmailToken", { email: unverified.string("email") })
    )
    expect(after).toEqual([])
  })
})
