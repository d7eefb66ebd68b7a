import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { appAt, appWithDouble, logInAtProvider } from "../external/BrowserLogins.ts"
import { profile } from "../support/external.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { links, stored } from "../support/mailboxProofs.ts"
import { statusAndHeading } from "../support/pages.ts"
import { clockedService } from "../support/sallyport.ts"
import { claimsIn, expectTokenHandover, formsIn, linkTo, Visitor, visitorAtApp } from "../support/visitor.ts"

/** An attacker's account with a verified email, which an API caller has replaced by somebody else's email. */
const givenReplacedEmail = async () => {
  const { given, clock } = await clockedService()
  const realm = await given.realm()
  const { user, visitor: stranger, origin } = await visitorAtApp(realm, { user: { email_verification: "verified" } })
  const victims = `${uniqueText("victim")}@example.test`
  const put = (changes: object) => realm.put(`/v2/users/${user.id}`, { user: changes })
  await put({ email: victims, email_verification: "requested" })
  const enrols = () => enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
  return { realm, user, stranger, owner: new Visitor(realm.transport, origin), victims, put, enrols }
}

describe("SEC-85: an unverified email that replaced a verified email", () => {
  test("requires the password when the verification link is opened in a clean browser", async () => {
    const { realm, user, owner, victims } = await givenReplacedEmail()
    await owner.open((await links(victims))[0] ?? "")
    expect(formsIn(owner.page).map(({ button }) => button)).toEqual(["Confirm this address", "Send email"])
    const { result, events } = await realm.seen.during(() =>
      owner.send("/verify", { token: owner.form().values["token"] ?? "" })
    )
    expect([result.status, events]).toEqual([422, []])
    expect(await stored(realm, user.id)).toMatchObject({ email: victims, email_verification: "requested" })
  })

  test("is reclaimed by an emailed password reset, which removes the attacker's authenticator app", async () => {
    const { realm, user, owner, victims, enrols } = await givenReplacedEmail()
    await enrols()
    await links(victims)
    await owner.open("/forgot")
    await owner.fill({ name: victims })
    await owner.open(await linkTo(victims))
    const { events } = await realm.seen.during(() =>
      owner.fill({ password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD })
    )
    expect(statusAndHeading(owner.page)).toEqual([200, "Password changed"])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      event(user, "updated"),
      event(user, "email.verified")
    ])
    await owner.logIn(victims, OTHER_PASSWORD)
    expectTokenHandover(owner.leads)
  })

  test("SEC-86: is reclaimed by a provider login that verified the email, which disables the attacker's password", async () => {
    const { realm, user, stranger, victims } = await givenReplacedEmail()
    const at = await appWithDouble(realm, { told: profile({ email: victims }) })
    const { result, events } = await realm.seen.during(() => logInAtProvider(at))
    expect([result.status, events]).toEqual([
      302,
      [event(user, "updated"), { ...event(user, "login.succeeded"), session_id: expect.any(String) }]
    ])
    expect((await stranger.logIn(victims)).status).toBe(422)
  })

  test("keeps its verification status when a caller sends the same address again", async () => {
    const { realm, user, owner, victims, put, enrols } = await givenReplacedEmail()
    await put({ email_verification: "verified" })
    await put({ email: victims.toUpperCase(), email_verification: "requested" })
    await enrols()
    await links(victims)
    await owner.open("/forgot")
    await owner.fill({ name: victims })
    await owner.open(await linkTo(victims))
    const { events } = await realm.seen.during(() =>
      owner.fill({ password: OTHER_PASSWORD, password_confirmation: OTHER_PASSWORD })
    )
    expect(events).toEqual([event(user, "password_token.consumed"), event(user, "email.verified")])
    expect(statusAndHeading(await owner.logIn(victims, OTHER_PASSWORD))).toEqual([200, "Enter your code"])
  })
})

describe("SEC-85: a user who signed up through an emailed invitation link", () => {
  /** A user who signed up through the link of an emailed invitation of the given type. */
  const invited = async (invitation_type: string) => {
    const { given, clock, postbox } = await clockedService()
    const realm = await given.realm()
    const { origin } = await appAt(realm)
    const created = await realm.invitation({ invitation_type })
    await realm.post(`/v2/invitations/${created.id}/invite`, {})
    const [token, email] = [created.string("token"), created.string("email")]
    const guest = new Visitor(realm.transport, origin)
    await guest.send("/invitation", { token, way: "signup", password: PASSWORD })
    const sid = claimsIn(guest.leads)["sid"]
    const user = await realm.get(`/v2/users/${email}`)
    expect(user.member("email_verification")).toBe("verified")
    // Changing another attribute doesn't verify the email either.
    await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Sam" } })
    await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    await links(email)
    postbox.take(email)
    const owner = new Visitor(realm.transport, origin)
    const resets = async (password: string) => {
      await owner.open("/forgot")
      await owner.fill({ name: email })
      await owner.open(await linkTo(email))
      return realm.seen.caused(() => owner.fill({ password, password_confirmation: password }))
    }
    return { realm, user, email, owner, resets, sid }
  }

  test.each([
    "request",
    "referral",
    "preverify"
  ])("is verified by the link (%s), so a later reset removes no credentials from the account", async (type) => {
    const { user, email, owner, resets, sid } = await invited(type)
    expect(await resets(OTHER_PASSWORD)).toEqual([
      event(user, "password_token.consumed"),
      { event_type: "session.deleted", user_id: user.id, session_id: sid }
    ])
    expect(statusAndHeading(await owner.logIn(email, OTHER_PASSWORD))).toEqual([200, "Enter your code"])
  })
})
