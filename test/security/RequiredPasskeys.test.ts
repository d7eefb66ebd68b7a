import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { hostedAt, person } from "../support/hostedApi.ts"
import { authenticate, authenticateV1, userEvent as event, PASSWORD } from "../support/logins.ts"
import { authenticatorResponse, passkeyOptionsBy } from "../support/passkeyPages.ts"
import {
  creationOptionsIn,
  enrolPasskey,
  loginOptionsIn,
  ORIGIN,
  passkeyLogin,
  realmWithApp
} from "../support/passkeys.ts"
import { service } from "../support/sallyport.ts"

const newRealm = async (): Promise<GivenRealm> =>
  (await service()).given.realm({ mfa: "required", username_validation_human: "email" })

const acrIn = (reply: Reply) => decodeJwt(reply.string("token"))["acr"]

describe("a passkey as the required second factor (C189)", () => {
  test.each([
    ["v1", authenticateV1],
    ["v2", authenticate]
  ] as const)("%s: is set up during the login of a user without a second factor, and required from then on", async (version, logIn) => {
    const realm = await realmWithApp({ mfa: "required" })
    const user = await realm.user({ password: PASSWORD })
    const device = new Authenticator()
    const options = async (token: string, origin = ORIGIN) =>
      realm.post(`/${version}/users/passkey_options`, { user: { origin, token } })
    const finish = (token: string, response: unknown, login_token: string) =>
      realm.post(`/${version}/users/authenticate_passkey`, { user: { token, response, login_token } })

    const pending = await logIn(realm, user.id)
    expect(pending.member("retry", "passkeys")).toBe(true)
    const login = pending.string("token")
    expect((await options(login, "https://elsewhere.test")).status).toBe(422)
    const asked = creationOptionsIn(await options(login))
    const created = device.create(asked.options, { origin: ORIGIN })
    const malformed = { ...created, response: { ...created.response, attestationObject: "§" } }
    expect((await finish(asked.token, malformed, login)).text).toMatch(/attestationObject/i)
    // The new passkey can't start a login, and it isn't stored before the login completes.
    const loginAttempt = await realm.seen.during(() =>
      realm.post(`/${version}/users/authenticate_passkey`, { user: { token: asked.token, response: created } })
    )
    expect([loginAttempt.result.status, loginAttempt.events]).toEqual([422, []])
    const { result, events } = await realm.seen.during(() => finish(asked.token, created, login))
    expect([result.status, acrIn(result), events]).toEqual([
      200,
      "aal2",
      [event(user, "updated"), expect.objectContaining(event(user, "login.succeeded"))]
    ])
    expect((await options(login)).status).toBe(422)

    const again = await logIn(realm, user.id)
    expect([again.status, again.member("retry")]).toEqual([200, undefined])
    const next = loginOptionsIn(await options(again.string("token")))
    expect(next.options.allowCredentials).toEqual([expect.objectContaining({ id: device.passkeys[0]?.id })])
    const used = device.get(next.options, { origin: ORIGIN })
    const done = await realm.seen.during(() => finish(next.token, used, again.string("token")))
    expect([done.result.status, decodeJwt(done.result.string("token"))["amr"], done.events]).toEqual([
      200,
      ["pwd", expect.stringMatching(/^[hs]wk$/), "mfa"],
      [expect.objectContaining(event(user, "login.succeeded"))]
    ])
  })

  test("in hosted login for custom apps: returns need_enrolment, then accepts a new passkey", async () => {
    const realm = await newRealm()
    const [user, at, device] = [await person(realm), await hostedAt(realm), new Authenticator()]
    const pending = await at.post("login", { email: user.string("email"), password: PASSWORD })
    expect(pending.body).toMatchObject({ result: "need_enrolment", retry: { passkeys: true } })
    const login_token = pending.string("token")
    const created = authenticatorResponse(
      device,
      passkeyOptionsBy(await at.post("passkeyOptions", { token: login_token })),
      at
    )
    const { result, events } = await realm.seen.during(() => at.post("passkeyLogin", { ...created, login_token }))
    expect([result.member("result"), acrIn(result), events]).toEqual([
      "okay",
      "aal2",
      [event(user, "updated"), expect.objectContaining(event(user, "login.succeeded"))]
    ])
  })

  test("isn't offered if the login started with a passkey, or if the realm or app has no passkeys", async () => {
    const realm = await realmWithApp({ mfa: "required" })
    const [user, owner] = [await realm.user({ password: PASSWORD }), await realm.user()]
    const device = new Authenticator()
    await enrolPasskey(realm, owner.id, { authenticator: device })
    const began = await passkeyLogin(realm, device, { userVerified: false })
    expect(began.body).toMatchObject({ retry: { passkeys: false } })
    const options = (token: string) => realm.post("/v2/users/passkey_options", { user: { token } })
    expect((await options(began.string("token"))).status).toBe(422)
    await realm.put("/v2/auth_providers/passkey", { auth_provider: { state: "inactive" } })
    const without = await authenticate(realm, user.id)
    expect(without.member("retry", "passkeys")).toBe(false)
    expect((await options(without.string("token"))).status).toBe(422)
    const pageless = await newRealm()
    const { id } = await pageless.user({ password: PASSWORD })
    expect((await authenticate(pageless, id)).member("retry", "passkeys")).toBe(false)
  })
})

describe("SEC-131: the token of a login that sets up a second factor", () => {
  test("accepts only a passkey created for its own user and realm", async () => {
    const realm = await realmWithApp({ mfa: "required" })
    const [victim, attacker] = [await realm.user({ password: PASSWORD }), await realm.user({ password: PASSWORD })]
    const [theirs, own] = [await authenticate(realm, victim.id), await authenticate(realm, attacker.id)]
    const options = async (token: string) =>
      creationOptionsIn(await realm.post("/v2/users/passkey_options", { user: { origin: ORIGIN, token } }))
    const created = async (login: string) => {
      const { token, options: asked } = await options(login)
      return { token, response: new Authenticator().create(asked, { origin: ORIGIN }) }
    }
    const finish = (at: GivenRealm, user: object, login: Reply) =>
      at.post("/v2/users/authenticate_passkey", { user: { ...user, login_token: login.string("token") } })
    const rejected = await realm.seen.during(async () => [
      await finish(realm, await created(own.string("token")), theirs),
      await finish(await realmWithApp({ mfa: "required" }), await created(own.string("token")), own)
    ])
    expect([rejected.result.map(({ status }) => status), rejected.events]).toEqual([[422, 422], []])
    const afterward = await created(own.string("token"))
    await enrolPasskey(realm, attacker.id)
    expect((await finish(realm, afterward, own)).status).toBe(422)
    for (const [{ id }, most] of [
      [victim, 1],
      [attacker, 2]
    ] as const) {
      expect((await realm.get(`/v2/users/${id}`)).member("credentials")).toHaveLength(most)
    }
  })
})
