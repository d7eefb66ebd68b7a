import { decodeJwt } from "jose"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { appWithDouble, logInAtProvider } from "../external/BrowserLogins.ts"
import { codeAt, wrongCodeAt } from "../support/credentials.ts"
import { logIn as logInAt, oauth2StandIn, profile } from "../support/external.ts"
import { hostedAt, person, statusAndBody } from "../support/hostedApi.ts"
import {
  authenticate,
  authenticateV1,
  complete,
  completeV1,
  enrolled,
  userEvent as event,
  PASSWORD,
  statusAndErrors
} from "../support/logins.ts"
import { statusAndHeading } from "../support/pages.ts"
import { enrolPasskey, realmWithApp } from "../support/passkeys.ts"
import { service } from "../support/sallyport.ts"
import { isLoggedIn, Visitor, visitorAtApp } from "../support/visitor.ts"

const newRealm = async (settings: object = {}): Promise<GivenRealm> =>
  (await service()).given.realm({ mfa: "required", username_validation_human: "email", ...settings })

const secretIn = (reply: Reply): string => String(reply.member("retry", "otp_secret"))

const acrIn = (reply: Reply) => decodeJwt(reply.string("token"))["acr"]

const RETRY = {
  reason: "second_factor_missing",
  otp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
  provisioning_uri: expect.stringMatching(/^otpauth:\/\/totp\//),
  provisioning_svg: expect.stringMatching(/^<svg/),
  passkeys: expect.any(Boolean)
}

const NEEDED = "Set up two-step verification"

/** The key on the page where a user sets up an authenticator app. */
const keyOn = ({ text }: Reply): string =>
  /<code class="key">([^<]*)</.exec(text)?.[1]?.replaceAll(" ", "") ?? "nothing"

describe("a realm that requires a second factor (C147)", () => {
  test.each([
    ["v1", authenticateV1, completeV1],
    ["v2", authenticate, (realm: GivenRealm, _: string, token: unknown, code: unknown) => complete(realm, token, code)]
  ] as const)("%s: lets a user set up a missing second factor during login, and requires the factor at the next login", async (_, logIn, finish) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const first = await realm.seen.during(() => logIn(realm, user.id))
    const pending = first.result
    expect([pending.status, pending.member("retry"), first.events]).toEqual([
      200,
      RETRY,
      [event(user, "login.initiated")]
    ])
    const wrong = await realm.seen.during(() =>
      finish(realm, user.id, pending.string("token"), wrongCodeAt(secretIn(pending)))
    )
    expect([wrong.result.status >= 400, wrong.events]).toEqual([true, [event(user, "login.failed")]])
    expect((await realm.get(`/v2/users/${user.id}`)).member("credentials")).toHaveLength(1)

    const { result, events } = await realm.seen.during(() =>
      finish(realm, user.id, pending.string("token"), codeAt(secretIn(pending)))
    )
    expect([result.status, acrIn(result), events]).toEqual([
      200,
      "aal2",
      [event(user, "updated"), expect.objectContaining(event(user, "login.succeeded"))]
    ])
    const again = await logIn(realm, user.id)
    expect([again.status, again.member("retry")]).toEqual([200, undefined])
    // The code that confirmed the app can't be used again.
    expect((await finish(realm, user.id, again.string("token"), codeAt(secretIn(pending)))).status).not.toBe(200)
    const next = codeAt(secretIn(pending), STARTS_AT + 30_000)
    expect((await finish(realm, user.id, again.string("token"), next)).status).toBe(200)
  })

  test("in hosted login for custom apps: returns need_enrolment, then accepts verify_login", async () => {
    const realm = await newRealm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const pending = await at.post("login", { email: user.string("email"), password: PASSWORD })
    expect(statusAndBody(pending)).toEqual([
      200,
      { result: "need_enrolment", token: expect.stringMatching(/^kli_/), retry: RETRY }
    ])
    const completed = await at.post("verifyLogin", { token: pending.string("token"), code: codeAt(secretIn(pending)) })
    expect(acrIn(completed)).toBe("aal2")
  })

  test("rejects users without a second factor if authenticator apps are turned off", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    await realm.put("/v2/auth_providers/totp", { auth_provider: { state: "inactive" } })
    const { result, events } = await realm.seen.during(() => authenticate(realm, user.id))
    expect([result.status, events]).toEqual([422, []])
  })

  test("asks for no second factor while mfa is off, and for existing factors once mfa is optional", async () => {
    const realm = await newRealm({ mfa: "off" })
    const user = await realm.user({ password: PASSWORD })
    await enrolled(realm, user.id)
    expect(acrIn(await authenticate(realm, user.id))).toBe("aal1")
    await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "optional" } })
    expect((await authenticate(realm, user.id)).member("object")).toBe("token")
    expect(statusAndErrors(await realm.put(`/v2/realms/${realm.id}`, { realm: { mfa: "sometimes" } }))[0]).toBe(422)
  })
})

describe("SEC-131: the token of a login that sets up a second factor", () => {
  test("works only for its own user", async () => {
    const realm = await newRealm()
    const [victim, attacker] = [await realm.user({ password: PASSWORD }), await realm.user({ password: PASSWORD })]
    const pending = await authenticateV1(realm, attacker.id)
    const stolen = await completeV1(realm, victim.id, pending.string("token"), codeAt(secretIn(pending)))
    expect(stolen.status).toBe(404)
    expect((await realm.get(`/v2/users/${victim.id}`)).member("credentials")).toHaveLength(1)
    const elsewhere = await newRealm()
    expect((await complete(elsewhere, pending.string("token"), codeAt(secretIn(pending)))).status).toBe(422)
  })

  test("stops working once the user has a second factor, and sets up only one device", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const early = await authenticate(realm, user.id)
    const [one, other] = [await authenticate(realm, user.id), await authenticate(realm, user.id)]
    const together = await Promise.all(
      [one, other, one].map((pending) => complete(realm, pending.string("token"), codeAt(secretIn(pending))))
    )
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    const { result, events } = await realm.seen.during(() =>
      complete(realm, early.string("token"), codeAt(secretIn(early)))
    )
    expect([result.status, events]).toEqual([422, []])
    const types = (await realm.get(`/v2/users/${user.id}`)).member("credentials")
    expect(types).toHaveLength(2)
  })

  test("stops working once the user has a passkey", async () => {
    const realm = await realmWithApp({ mfa: "required" })
    const user = await realm.user({ password: PASSWORD })
    const early = await authenticate(realm, user.id)
    await enrolPasskey(realm, user.id)
    const outcome = await realm.seen.during(() => complete(realm, early.string("token"), codeAt(secretIn(early))))
    expect([outcome.result.status, outcome.events]).toEqual([422, []])
    expect((await realm.get(`/v2/users/${user.id}`)).member("credentials")).toHaveLength(2)
  })

  test("allows five attempts", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const pending = await authenticate(realm, user.id)
    for (let tries = 0; tries < 5; tries++) {
      await complete(realm, pending.string("token"), wrongCodeAt(secretIn(pending)))
    }
    expect((await complete(realm, pending.string("token"), codeAt(secretIn(pending)))).status).toBe(422)
  })
})

describe("SEC-132: a required second factor", () => {
  test("can't be bypassed by a reset that logs in, a provider's access token or a signup via API", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const { token } = Object(await realm.post(`/v2/users/${user.id}/generate_password_token`, {})).body
    const reset = await realm.post("/v2/users/reset_password_with_token", { user: { token, password: PASSWORD } })
    const { provider } = await oauth2StandIn(realm, profile())
    const social = await logInAt(realm, provider.id)
    for (const reply of [reset, social]) {
      expect(reply.body).toEqual({ object: "token", token: expect.stringMatching(/^tmf:/), retry: RETRY })
    }
    const at = await hostedAt(realm)
    const signedUp = await at.post("signup", { email: "new@example.test", password: PASSWORD })
    expect(signedUp.body).toMatchObject({ result: "need_enrolment", retry: RETRY })
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    const completed = await complete(realm, social.string("token"), codeAt(secretIn(social)))
    expect(decodeJwt(completed.string("token"))["amr"]).toEqual(["fed", "otp", "mfa"])
  })

  test("can't be bypassed on the login page, which creates no session before the setup", async () => {
    const realm = await newRealm()
    const { visitor, user } = await visitorAtApp(realm)
    await visitor.open("/login")
    await visitor.fill({ name: user.string("email"), password: PASSWORD })
    expect([statusAndHeading(visitor.page), visitor.cookie]).toEqual([[200, NEEDED], undefined])
    await visitor.fill({ code: wrongCodeAt(keyOn(visitor.page)) })
    expect(visitor.page.text).toContain(NEEDED)
    expect(await isLoggedIn(visitor)).toBe(false)
    await visitor.open("/login")
    await visitor.fill({ name: user.string("email"), password: PASSWORD })
    await visitor.fill({ code: codeAt(keyOn(visitor.page)) })
    expect(await isLoggedIn(visitor)).toBe(true)
    const update = (await realm.seen.all()).find(({ event_type }) => event_type === "user.updated")
    expect(update?.["actor"]).toEqual({ type: "user", id: user.id })
  })

  test("can't be bypassed by a signup on the pages, which notifies the app only after the setup", async () => {
    const realm = await newRealm()
    const { origin } = await hostedAt(realm, { login_handler: "https://app.example.test/in", signup_mode: "user" })
    const visitor = new Visitor(realm.transport, origin)
    await visitor.open("/signup")
    await visitor.fill({ email: "new@example.test", password: PASSWORD })
    expect([statusAndHeading(visitor.page), visitor.cookie]).toEqual([[200, NEEDED], undefined])
    await visitor.fill({ code: codeAt(keyOn(visitor.page)) })
    expect([visitor.leads.origin, visitor.leads.searchParams.get("signup")]).toEqual([
      "https://app.example.test",
      "true"
    ])
  })

  test("can't be bypassed by a provider login or an invitation accepted with a new account", async () => {
    const realm = await newRealm()
    const at = await appWithDouble(realm, { told: profile() })
    const back = await logInAtProvider(at)
    expect([statusAndHeading(back), realm.id]).toEqual([[200, NEEDED], realm.id])
    const invitation = await realm.invitation({ invitation_type: "referral", email: "guest@example.test" })
    const visitor = new Visitor(realm.transport, at.origin)
    await visitor.open(`/invitation?token=${invitation.string("token")}`)
    await visitor.fill({ password: PASSWORD })
    expect([statusAndHeading(visitor.page), visitor.cookie]).toEqual([[200, NEEDED], undefined])
    await visitor.fill({ code: codeAt(keyOn(visitor.page)) })
    expect(await isLoggedIn(visitor)).toBe(true)
    expect((await realm.get("/v2/sessions")).items).toHaveLength(1)
  })
})
