import { describe, expect, test } from "vitest"
import {
  hostedAt,
  LOGGED_IN,
  LOGIN_FAILED,
  person,
  rejection,
  statusAndBody,
  TOKEN_UNUSABLE
} from "../../support/hostedApi.ts"
import { enrolled, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { authenticatorResponse, passkeyOptionsBy } from "../../support/passkeyPages.ts"
import { enrolPasskey } from "../../support/passkeys.ts"
import { newRealm } from "../../support/sallyport.ts"

const ORIGIN = "https://app.example.test"

/** A user with a passkey, at an app with its own pages. */
const withPasskey = async () => {
  const realm = await newRealm()
  const [user, at] = [await person(realm), await hostedAt(realm)]
  const { authenticator } = await enrolPasskey(realm, user.id, { origin: at.origin })
  return { realm, user, at, authenticator }
}

describe("passkey_options and passkey_login (C139)", () => {
  test("log in from the login host and the app's own pages, but not from other origins", async () => {
    const { realm, user, at, authenticator } = await withPasskey()
    for (const origin of [at.origin, ORIGIN]) {
      const headers = { origin }
      const challenge = passkeyOptionsBy(await at.post("passkeyOptions", {}, headers))
      const { result, events } = await realm.seen.during(() =>
        at.post("passkeyLogin", authenticatorResponse(authenticator, challenge, { origin }), headers)
      )
      expect(statusAndBody(result)).toEqual(LOGGED_IN)
      expect(events).toMatchObject([event(user, "login.succeeded")])
      // The response works only once.
      expect(
        statusAndBody(await at.post("passkeyLogin", authenticatorResponse(authenticator, challenge, { origin })))
      ).toEqual(TOKEN_UNUSABLE)
    }
    const foreign = await at.post("passkeyOptions", {}, { origin: "https://evil.test" })
    expect(foreign.member("token")).toBeUndefined()
  })

  test("reject a malformed response and a response made for another origin", async () => {
    const { at, authenticator } = await withPasskey()
    const asked = passkeyOptionsBy(await at.post("passkeyOptions"))
    const elsewhere = authenticatorResponse(authenticator, asked, { origin: "https://evil.test" })
    expect(statusAndBody(await at.post("passkeyLogin", elsewhere))).toEqual(LOGIN_FAILED)
    expect(statusAndBody(await at.post("passkeyLogin", { ...elsewhere, response: "{}" }))).toEqual(
      rejection("The passkey's response is not valid for this challenge.")
    )
  })

  test("complete a pending login only for its own user", async () => {
    const { realm, user, at, authenticator } = await withPasskey()
    await enrolled(realm, user.id)
    const waiting = await at.post("login", { username: user.string("username"), password: PASSWORD })
    expect(waiting.string("result")).toBe("need_mfa")
    const login_token = waiting.string("token")
    const challenge = passkeyOptionsBy(await at.post("passkeyOptions", { token: login_token }))
    expect(challenge.options).toMatchObject({ allowCredentials: [{ id: authenticator.passkeys[0]?.id }] })
    const answer = authenticatorResponse(authenticator, challenge, { origin: at.origin })
    expect(statusAndBody(await at.post("passkeyLogin", { ...answer, login_token }))).toEqual(LOGGED_IN)
    expect(statusAndBody(await at.post("passkeyOptions", { token: login_token }))).toEqual(TOKEN_UNUSABLE)
  })
})
