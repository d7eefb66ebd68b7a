import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { STARTS_AT } from "#testing/TestSallyport"
import { logIn as logInAt, oauth2StandIn, profile } from "../support/external.ts"
import { hostedAt, person } from "../support/hostedApi.ts"
import { authenticate, authenticateV1, complete, completeV1, enrolled, PASSWORD } from "../support/logins.ts"
import { newRealm } from "../support/sallyport.ts"

const NOW = STARTS_AT / 1000

/** The claims about the login in a token. */
const claims = (reply: Reply) => {
  const { auth_time, amr, acr } = decodeJwt(reply.string("token"))
  return { auth_time, amr, acr }
}

const login = (acr: "aal1" | "aal2", ...amr: ReadonlyArray<string>) => ({ auth_time: NOW, amr, acr })

describe("the login method in tokens and sessions (C146)", () => {
  test("is reported for a password, and for a password with a code, in both versions", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const simple = await authenticate(realm, user.id)
    expect(claims(simple)).toEqual(login("aal1", "pwd"))
    expect(simple.body).toMatchObject(login("aal1", "pwd"))
    expect(claims(await authenticateV1(realm, user.id))).toEqual(login("aal1", "pwd"))

    const device = await enrolled(realm, user.id)
    const pending = await authenticate(realm, user.id)
    const double = await complete(realm, pending.string("token"), device.code())
    expect(claims(double)).toEqual(login("aal2", "pwd", "otp", "mfa"))
    const pendingV1 = await authenticateV1(realm, user.id)
    const doubleV1 = await completeV1(realm, user.id, pendingV1.string("token"), device.code(1))
    expect(claims(doubleV1)).toEqual(login("aal2", "pwd", "otp", "mfa"))
    for (const version of ["v1", "v2"]) {
      const read = await realm.get(`/${version}/sessions/${double.id}`)
      expect(read.body).toMatchObject(login("aal2", "pwd", "otp", "mfa"))
      const [item] = (await realm.get(`/${version}/sessions?user_id=${user.id}`)).items
      expect(item).toMatchObject(login("aal1", "pwd"))
    }
  })

  test("is reported for an emailed link with a new password, another provider and a signup", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const user = await realm.user({ password: PASSWORD })
    const { token } = Object(await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).body
    const reset = await realm.post("/v2/users/reset_password_with_token", { user: { token, password: PASSWORD } })
    expect(claims(reset)).toEqual(login("aal1", "otp"))
    const { provider } = await oauth2StandIn(realm, profile())
    const social = await logInAt(realm, provider.id)
    expect(claims(social)).toEqual(login("aal1", "fed"))
    const at = await hostedAt(realm)
    const signedUp = await at.post("signup", { email: "new@example.test", password: PASSWORD })
    expect(claims(signedUp)).toEqual(login("aal1", "pwd"))
  })

  test("is reported only in the token in a realm with unmanaged sessions", async () => {
    const realm = await newRealm({ session_type: "unmanaged" })
    const user = await person(realm)
    const at = await hostedAt(realm)
    const loggedIn = await at.post("login", { username: user.string("username"), password: PASSWORD })
    expect(claims(loggedIn)).toEqual(login("aal1", "pwd"))
  })

  test("is not reported for sessions created via API or logins with an API key", async () => {
    const realm = await newRealm()
    const session = await realm.session((await realm.user()).id)
    const robot = await realm.apiUser({ api_key: "generate" })
    const byKey = await realm.post("/v1/users/authenticate_key", { api_key: robot.string("api_key") })
    for (const reply of [session, byKey]) {
      const names = Object.keys(decodeJwt(reply.string("token")))
      expect(names.filter((name) => ["auth_time", "amr", "acr"].includes(name))).toEqual([])
    }
  })
})
