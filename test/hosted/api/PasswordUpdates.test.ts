import { describe, expect, test } from "vitest"
import {
  LOGGED_IN,
  LOGIN_FAILED,
  rejection,
  statusAndBody,
  TOKEN_UNUSABLE,
  userAtApp
} from "../../support/hostedApi.ts"
import { authenticate, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { newRealm, ownService } from "../../support/sallyport.ts"
import { passwordTokenV1 } from "../../support/tokens.ts"

const CHANGED = [200, { message: "Your password has been changed." }]
const UNEQUAL = rejection("Password confirmation does not match the password.")

describe("update_password", () => {
  test("changes the password with a token and the current password, and ends the other sessions", async () => {
    const realm = await newRealm()
    const { user, at, login } = await userAtApp(realm)
    const [token, other] = [(await login(PASSWORD)).string("token"), (await login(PASSWORD)).string("token")]
    const ids = (await realm.get("/v2/sessions?sort=id")).items.map(({ id }) => id)
    const input = {
      token,
      current_password: PASSWORD,
      password: OTHER_PASSWORD,
      password_confirmation: OTHER_PASSWORD
    }
    const { result, events } = await realm.seen.during(() => at.post("updatePassword", input))
    expect(statusAndBody(result)).toEqual(CHANGED)
    const left = (await realm.get("/v2/sessions")).items.map(({ id }) => id)
    const [ended] = ids.filter((id) => !left.includes(id))
    expect([left.length, events]).toEqual([
      1,
      [event(user, "updated"), { event_type: "session.deleted", session_id: ended, user_id: user.id }]
    ])
    expect((await at.post("checkSession", { token })).body).toEqual({ valid: true })
    expect((await at.post("checkSession", { token: other })).member("valid")).toBe(false)
    expect(statusAndBody(await login(PASSWORD))).toEqual(LOGIN_FAILED)
    expect(statusAndBody(await login(OTHER_PASSWORD))).toEqual(LOGGED_IN)
    // A form and GET work too.
    const back = { token, current_password: OTHER_PASSWORD, password: PASSWORD }
    expect(statusAndBody(await at.form("updatePassword", back))).toEqual(CHANGED)
    expect(
      statusAndBody(await at.get("updatePassword", { ...back, current_password: PASSWORD, password: OTHER_PASSWORD }))
    ).toEqual(CHANGED)
  })

  test("counts wrong current passwords towards the user's lockout", async () => {
    const realm = await newRealm()
    const { user, at, login } = await userAtApp(realm)
    const token = (await login(PASSWORD)).string("token")
    const change = (current_password: string) =>
      at.post("updatePassword", { token, current_password, password: OTHER_PASSWORD })
    const events = await realm.seen.caused(async () => {
      for (let n = 0; n < 10; n += 1) {
        expect(statusAndBody(await change("not the password"))).toEqual(rejection("Current password does not match."))
      }
      const blocked = await change(PASSWORD)
      expect([...statusAndBody(blocked), blocked.headers.get("retry-after")]).toEqual([
        ...rejection("Too many failed attempts. Try again in 15 minutes."),
        "900"
      ])
    })
    expect(events).toEqual([event(user, "blocked")])
    expect((await login(PASSWORD)).headers.get("retry-after")).toBe("900")
  })

  test("reports all missing and invalid members at once without changing the password", async () => {
    const realm = await newRealm()
    const { at, login } = await userAtApp(realm)
    const token = (await login(PASSWORD)).string("token")
    const events = await realm.seen.caused(async () => {
      for (const [input, refusal] of [
        [{}, rejection("Token can't be blank.", "Current password can't be blank.", "Password can't be blank.")],
        [
          { token, current_password: PASSWORD, password: "short" },
          rejection("Password is too short (minimum is 8 characters).")
        ],
        [{ token, current_password: PASSWORD, password: OTHER_PASSWORD, password_confirmation: PASSWORD }, UNEQUAL],
        [{ token, current_password: "", password: OTHER_PASSWORD }, rejection("Current password can't be blank.")]
      ] as const) {
        expect([input, ...statusAndBody(await at.post("updatePassword", input))]).toEqual([input, ...refusal])
      }
    })
    expect([events, statusAndBody(await login(PASSWORD))]).toEqual([[], LOGGED_IN])
  })

  test("rejects a token that isn't a valid login token of an active user of the realm", async () => {
    const realm = await newRealm()
    const { user, at, login } = await userAtApp(realm)
    const other = await userAtApp(await newRealm())
    const session = await realm.session(user.id)
    const ended = (await login(PASSWORD)).string("token")
    await at.post("logout", { token: ended })
    const api_key = "abcdefghijklmnopqrstuvwxyz0123456789"
    await realm.apiUser({ api_key })
    const keyed = (await realm.post("/v1/users/authenticate_key", { api_key })).string("token")
    const reset = await passwordTokenV1(realm, user.id)
    const theirs = (await other.login(PASSWORD)).string("token")
    const change = (token: string) =>
      at.post("updatePassword", { token, current_password: PASSWORD, password: OTHER_PASSWORD })
    const events = await realm.seen.caused(async () => {
      for (const token of [session.id, ended, keyed, reset, theirs, "x"]) {
        expect([token, ...statusAndBody(await change(token))]).toEqual([token, ...TOKEN_UNUSABLE])
      }
    })
    expect(events).toEqual([])
    const token = (await login(PASSWORD)).string("token")
    await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect(statusAndBody(await change(token))).toEqual(TOKEN_UNUSABLE)
  })

  test("accepts a token until it expires in a realm with unmanaged sessions", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm({ session_type: "unmanaged", session_minutes: 10 })
      const { user, at, login } = await userAtApp(realm)
      const token = (await login(PASSWORD)).string("token")
      const input = { token, current_password: PASSWORD, password: OTHER_PASSWORD }
      const { result, events } = await realm.seen.during(() => at.post("updatePassword", input))
      expect([statusAndBody(result), events]).toEqual([CHANGED, [event(user, "updated")]])
      clock.advance("10 minutes")
      const late = { token, current_password: OTHER_PASSWORD, password: PASSWORD }
      expect(statusAndBody(await at.post("updatePassword", late))).toEqual(TOKEN_UNUSABLE)
      expect((await authenticate(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
    }))
})
