import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, logInAtProvider } from "../external/BrowserLogins.ts"
import { codeAt } from "../support/credentials.ts"
import { profile } from "../support/external.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { links, preHijacked, stored } from "../support/mailboxProofs.ts"
import { pageOf, statusAndHeading } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"
import { emailToken, passwordToken, verifyEmail } from "../support/tokens.ts"
import {
  expectTokenHandover,
  formsIn,
  isLoggedIn,
  linkTo,
  newPassword,
  Visitor,
  visitorAtApp
} from "../support/visitor.ts"

const ASKED = [200, "Confirm your email address"]
const passwordFields = (password: string) => ({ password, password_confirmation: password })

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)

/** Resets the password by an email requested in this browser. */
const resetPasswordByEmail = async (visitor: Visitor, email: string, password: string): Promise<void> => {
  await visitor.open("/forgot")
  await visitor.fill({ name: email })
  await visitor.open(await linkTo(email))
  await visitor.fill(passwordFields(password))
  expect(statusAndHeading(visitor.page)).toEqual([200, "Password changed"])
}

/** Adds an authenticator app on the security page. The password is needed if the user has one. */
const addAuthenticatorApp = async (visitor: Visitor, password?: string): Promise<void> => {
  const { clock } = await clockedService()
  await visitor.open("/security")
  await visitor.fill({ device_name: "Phone", ...(password && { current_password: password }) }, "Set up")
  const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
  await visitor.fill({ code: codeAt(secret, clock.currentTimeMillisUnsafe()) })
  expect(visitor.leads.search).toBe("?saved=device")
}

const types = (events: ReadonlyArray<{ readonly event_type?: unknown }>) => events.map(({ event_type }) => event_type)

describe("SEC-85, SEC-86: an account that an attacker registered with the victim's email", () => {
  test("is recovered by an emailed reset, which revokes the attacker's password, sessions and links", async () => {
    const { realm, attacker, owner, email, user, sid, origin } = await preHijacked()
    const [confirmation = ""] = await links(email)
    await addAuthenticatorApp(attacker, PASSWORD)
    await attacker.open("/profile")
    await attacker.fill({ email: `eve-${email}` }, "Save")
    const [change = ""] = await links(`eve-${email}`)
    await (await clockedService()).postbox.take(email)
    const pending = new Visitor(realm.transport, origin)
    expect(statusAndHeading(await pending.logIn(email))).toEqual([200, "Enter your code"])

    // The owner opens the unrequested email without a session. The account needs a code at login.
    await owner.open(confirmation)
    expect([statusAndHeading(owner.page), formsIn(owner.page).map(({ button }) => button)]).toEqual([
      ASKED,
      ["Send email"]
    ])
    const mailed = await realm.seen.during(() => owner.fill({}, "Send email"))
    expect([statusAndHeading(mailed.result), mailed.events]).toEqual([
      [200, "Check your email"],
      [event(user, "password.resetting")]
    ])
    await owner.open(await linkTo(email))
    const { events } = await realm.seen.during(() => owner.fill(passwordFields(OTHER_PASSWORD)))
    expect(statusAndHeading(owner.page)).toEqual([200, "Password changed"])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      event(user, "updated"),
      event(user, "email.verified"),
      { event_type: "session.deleted", user_id: user.id, session_id: sid }
    ])
    expect(await stored(realm, user.id)).toMatchObject({
      email,
      email_pending: null,
      email_verification: "verified",
      credentials: [expect.objectContaining({ credential_type: "password" })]
    })

    expect([await isLoggedIn(attacker), (await realm.get(`/v2/sessions/${sid}`)).status]).toEqual([false, 404])
    expect((await attacker.logIn(email)).status).toBe(422)
    await pending.fill({ code: "123456" })
    expect(pending.page.status).toBe(422)
    for (const link of [change, confirmation]) expect((await attacker.open(link)).status).toBe(410)
    await owner.logIn(email, OTHER_PASSWORD)
    expectTokenHandover(owner.leads)
  })

  test("is recovered by an emailed reset, which removes the attacker's unverified provider profile", async () => {
    const realm = await newRealm()
    const told = profile({ email_verified: false })
    const at = await appWithDouble(realm, { told })
    const attacker = new Visitor(realm.transport, at.origin, at.browser)
    const first = await logInAtProvider(at)
    expect([first.status, await isLoggedIn(attacker)]).toEqual([302, true])
    await addAuthenticatorApp(attacker)
    const user = await realm.get(`/v2/users/${told.email}`)
    expect((await logInAtProvider(at)).status).toBe(200)
    const owner = new Visitor(realm.transport, at.origin)
    const { events } = await realm.seen.during(() => resetPasswordByEmail(owner, told.email, PASSWORD))
    expect(types(events)).toEqual([
      "user.password.resetting",
      "user.password_token.consumed",
      "user.updated",
      "user.email.verified",
      "session.deleted"
    ])
    const { result, events: refused } = await realm.seen.during(() => logInAtProvider(at))
    expect([...statusAndHeading(result), refused]).toEqual([422, "You're not logged in", []])
    expect(await isLoggedIn(attacker)).toBe(false)
    await owner.logIn(told.email)
    expectTokenHandover(owner.leads)
    expect(await stored(realm, user.id)).toMatchObject({
      email_verification: "verified",
      credentials: [expect.objectContaining({ credential_type: "password" })]
    })
  })

  test("is recovered by a login at a verifying provider, which revokes the attacker's password and authenticator", async () => {
    const { realm, attacker, owner, email, user, sid, origin } = await preHijacked()
    await addAuthenticatorApp(attacker, PASSWORD)
    const at = await appWithDouble(realm, { told: profile({ email }) })
    const { result, events } = await realm.seen.during(() => logInAtProvider(at))
    expect([result.status, events]).toEqual([
      302,
      [
        event(user, "updated"),
        { event_type: "session.deleted", user_id: user.id, session_id: sid },
        { ...event(user, "login.succeeded"), session_id: expect.any(String) }
      ]
    ])
    expect([await isLoggedIn(attacker), (await attacker.logIn(email)).status]).toEqual([false, 422])
    expect(await isLoggedIn(new Visitor(realm.transport, at.origin, at.browser))).toBe(true)
    // The account is verified now and keeps its login methods through a reset.
    expect(origin).not.toBe(at.origin)
    await resetPasswordByEmail(owner, email, OTHER_PASSWORD)
    expect((await logInAtProvider(at)).status).toBe(302)
  })
})

describe("C49: a user whose email is already verified", () => {
  test("keeps provider profiles and authenticator apps through an emailed reset", async () => {
    const { clock } = await clockedService()
    const realm = await newRealm()
    const told = profile()
    const at = await appWithDouble(realm, { told })
    await logInAtProvider(at)
    const user = await realm.get(`/v2/users/${told.email}`)
    const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    // A new verification request doesn't make the user unverified.
    await realm.put(`/v2/users/${user.id}`, { user: { email_verification: "requested" } })
    await links(told.email)
    const visitor = new Visitor(realm.transport, at.origin)
    const { events } = await realm.seen.during(() => resetPasswordByEmail(visitor, told.email, PASSWORD))
    expect(types(events)).toEqual([
      "user.password.resetting",
      "user.password_token.consumed",
      "user.email.verified",
      "session.deleted"
    ])
    expect(statusAndHeading(await visitor.logIn(told.email))).toEqual([200, "Enter your code"])
    expect((await logInAtProvider(at)).status).toBe(200)
    await visitor.fill({ code: device.code(1, clock.currentTimeMillisUnsafe()) })
    expectTokenHandover(visitor.leads)
  })
})

describe("SEC-85: a token returned by the management API", () => {
  test("resets the password without verifying the email", async () => {
    const { clock } = await clockedService()
    const realm = await newRealm()
    const { user, email, visitor } = await visitorAtApp(realm)
    await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    const token = await passwordToken(realm, user.id)
    await visitor.open(`/reset?token=${token}`)
    const { events } = await realm.seen.during(() => visitor.fill(passwordFields(OTHER_PASSWORD)))
    expect(events).toEqual([event(user, "password_token.consumed")])
    expect(await stored(realm, user.id)).toMatchObject({ email_verification: "none" })
    expect(statusAndHeading(await visitor.logIn(email, OTHER_PASSWORD))).toEqual([200, "Enter your code"])
  })

  test("is rejected by the verification pages, which accept only emailed tokens", async () => {
    const realm = await newRealm()
    const { user, email, visitor: stranger } = await visitorAtApp(realm)
    await stranger.logIn(email)
    const token = await emailToken(realm, user.id)
    const { result, events } = await realm.seen.during(async () => [
      await stranger.open(`/verify?token=${token}`),
      await stranger.send("/verify", { token }),
      await stranger.send("/verify", { token, password: PASSWORD }),
      await stranger.send("/verify", { token, way: "reset" }),
      await pageOf(realm, "verify").show({ token }),
      await pageOf(realm, "verify").send({ token, password: PASSWORD })
    ])
    expect([result.map(({ status }) => status), events]).toEqual([result.map(() => 410), []])
    expect(await stored(realm, user.id)).toMatchObject({ email_verification: "requested" })
    const [link = ""] = await links(email)
    expect(new URL(link).searchParams.get("token")).not.toBe(token)
    await stranger.open(link)
    expect(await realm.seen.caused(() => stranger.fill())).toEqual([event(user, "email.verified")])
    // Both tokens verify the same email, so using one invalidates the other.
    expect((await verifyEmail(realm, token)).status).toBe(422)
  })

  test("verifies the email through verify_email without ending any sessions", async () => {
    const realm = await newRealm()
    const { user, email, visitor } = await visitorAtApp(realm)
    await realm.session(user.id)
    const token = await emailToken(realm, user.id)
    const { result, events } = await realm.seen.during(() => verifyEmail(realm, token))
    expect([result.status, result.member("email_verification"), events]).toEqual([
      200,
      "verified",
      [event(user, "email.verified")]
    ])
    await visitor.logIn(email)
    expectTokenHandover(visitor.leads)
  })
})

test("SEC-85: an emailed reset also ends browser logins in a realm with unmanaged sessions", async () => {
  const realm = await newRealm({ session_type: "unmanaged" })
  const { visitor: attacker, email, origin } = await visitorAtApp(realm)
  await attacker.logIn(email)
  expect(await isLoggedIn(attacker)).toBe(true)
  await resetPasswordByEmail(new Visitor(realm.transport, origin), email, OTHER_PASSWORD)
  expect([await isLoggedIn(attacker), (await attacker.logIn(email)).status]).toEqual([false, 422])
})

test("SEC-85: a password change by the owner does not verify the email", async () => {
  const realm = await newRealm()
  const { visitor, email, user } = await visitorAtApp(realm)
  await visitor.logIn(email)
  await visitor.open("/security")
  await visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password")
  expect(await stored(realm, user.id)).toMatchObject({ email_verification: "none" })
})
