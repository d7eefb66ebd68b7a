import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { appWithDouble, logInAtProvider } from "../external/BrowserLogins.ts"
import { profile } from "../support/external.ts"
import { authenticate, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { links, preHijacked, stored } from "../support/mailboxProofs.ts"
import { pageOf, statusAndHeading, visibleText } from "../support/pages.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { clockedService } from "../support/sallyport.ts"
import { formsIn, isLoggedIn, linkTo, Visitor, visitorAtApp } from "../support/visitor.ts"

const CONFIRMED = [200, "Email address confirmed"]
const ASKED = [200, "Confirm your email address"]
const passwordFields = (password: string) => ({ password, password_confirmation: password })

const newRealm = async (settings = {}): Promise<GivenRealm> => (await clockedService()).given.realm(settings)

describe("SEC-85: an email confirmation link", () => {
  test("asks for the password unless opened in the browser that signed up", async () => {
    const first = await preHijacked()
    const [here = ""] = await links(first.email)
    await first.attacker.open(here)
    expect(visibleText(first.attacker.page)).toContain(`Is ${first.email} the email address`)
    expect(await first.realm.seen.caused(() => first.attacker.fill())).toEqual([event(first.user, "email.verified")])
    expect(statusAndHeading(first.attacker.page)).toEqual(CONFIRMED)
    expect(first.attacker.form("Continue").values).toMatchObject({ way: "continue" })
    expect(await isLoggedIn(first.attacker)).toBe(true)

    const { realm, attacker, owner: phone, email, user } = await preHijacked()
    const [there = ""] = await links(email)
    expect(statusAndHeading(await phone.open(there))).toEqual(ASKED)
    const refused = await realm.seen.during(async () => [
      await phone.fill({ password: "wrong" }),
      await phone.fill({ password: "" }),
      await phone.send("/verify", { token: phone.form().values["token"] ?? "" })
    ])
    expect(refused.events).toEqual([])
    expect(refused.result.map(({ status }) => status)).toEqual([422, 422, 422])
    expect(visibleText(refused.result[0] as Reply)).toContain("That password is incorrect.")
    const { result, events } = await realm.seen.during(() => phone.fill({ password: PASSWORD }))
    expect(formsIn(result)).toEqual([])
    expect([statusAndHeading(result), events, phone.cookie]).toEqual([
      CONFIRMED,
      [event(user, "email.verified")],
      undefined
    ])
    expect([await isLoggedIn(attacker), (await phone.open(there)).status]).toEqual([true, 410])
  })

  test("asks for the password in a browser where another user is logged in", async () => {
    const { realm, owner, email, user } = await preHijacked()
    const other = await quickUser(realm)
    await owner.logIn(other.string("email"))
    await owner.open((await links(email))[0] ?? "")
    expect([statusAndHeading(owner.page), formsIn(owner.page).length]).toEqual([ASKED, 2])
    expect(await stored(realm, user.id)).toMatchObject({ email_verification: "requested" })
  })

  test("counts wrong passwords towards the account's lockout", async () => {
    const { realm, owner, email, user } = await preHijacked()
    await owner.open((await links(email))[0] ?? "")
    const { events } = await realm.seen.during(async () => {
      for (let n = 0; n < 10; n += 1) expect((await owner.fill({ password: "wrong" })).status).toBe(422)
      const { status, headers } = await owner.fill({ password: PASSWORD })
      expect([status, headers.get("retry-after")]).toEqual([429, "900"])
    })
    expect(events).toEqual([event(user, "blocked")])
    expect((await authenticate(realm, user.id)).status).toBe(429)
  })

  test("asks for a login instead of a password if the account has no password", async () => {
    const realm = await newRealm()
    const told = profile({ email_verified: false })
    const at = await appWithDouble(realm, { told })
    await logInAtProvider(at)
    const user = await realm.get(`/v2/users/${told.email}`)
    await realm.put(`/v2/users/${user.id}`, { user: { email_verification: "requested" } })
    const [link = ""] = await links(told.email)
    const elsewhere = new Visitor(realm.transport, at.origin)
    await elsewhere.open(link)
    expect([statusAndHeading(elsewhere.page), formsIn(elsewhere.page).length]).toEqual([ASKED, 1])
    expect(visibleText(elsewhere.page)).toContain("in this browser, then open the link in the email again.")
    const token = new URL(link).searchParams.get("token") ?? ""
    const { result, events } = await realm.seen.during(() => elsewhere.send("/verify", { token, password: PASSWORD }))
    expect([result.status, visibleText(result), events]).toEqual([
      422,
      expect.stringContaining("First, show that this account is yours."),
      []
    ])
    // A browser logged in through the provider profile needs no password, and the profile stays.
    const mine = new Visitor(realm.transport, at.origin, at.browser)
    await mine.open(link)
    await mine.fill()
    expect([statusAndHeading(mine.page), (await logInAtProvider(at)).status]).toEqual([CONFIRMED, 302])
  })

  test("opens a page of the realm if the realm has no app", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm, { email_verification: "requested" })
    const email = user.string("email")
    const link = (await links(email))[0] ?? ""
    const token = new URL(link).searchParams.get("token") ?? ""
    expect(new URL(link).pathname).toBe(`/realms/${realm.id}/verify`)
    const page = pageOf(realm, "verify")
    expect([statusAndHeading(await page.show({ token })), formsIn(await page.show({ token })).length]).toEqual([
      ASKED,
      2
    ])
    expect((await page.send({ token })).status).toBe(422)
    expect(visibleText(await page.send({ token, password: "wrong" }))).toContain("That password is incorrect.")
    expect(statusAndHeading(await page.send({ token, way: "reset" }))).toEqual([200, "Check your email"])
    const reset = new URL((await links(email))[0] ?? "")
    expect(reset.pathname).toBe(`/realms/${realm.id}/reset`)
    expect(statusAndHeading(await page.send({ token, password: PASSWORD }))).toEqual(CONFIRMED)
    const { events } = await realm.seen.during(() =>
      pageOf(realm, "reset").send({ token: reset.searchParams.get("token") ?? "", ...passwordFields(OTHER_PASSWORD) })
    )
    // The confirmation has already verified the email.
    expect(events).toEqual([event(user, "password_token.consumed")])
  })

  test("asks for the password when an account changes its email", async () => {
    const { advance, postbox } = await clockedService()
    const realm = await newRealm()
    const {
      visitor: attacker,
      email,
      origin,
      user
    } = await visitorAtApp(realm, {
      user: { email_verification: "verified" }
    })
    await attacker.logIn(email)
    await attacker.open("/profile")
    const victims = `victim-${email}`
    await attacker.fill({ email: victims, current_password: PASSWORD }, "Save")
    await advance("1 second")
    postbox.take(email)
    const link = await linkTo(victims)
    const victim = new Visitor(realm.transport, origin)
    await victim.open(link)
    expect([statusAndHeading(victim.page), formsIn(victim.page).map(({ button }) => button)]).toEqual([
      ASKED,
      ["Confirm this address"]
    ])
    expect((await victim.send("/verify", { token: victim.form().values["token"] ?? "", way: "reset" })).status).toBe(
      410
    )
    await victim.open(link)
    expect((await victim.fill({ password: "wrong" })).status).toBe(422)
    expect(await stored(realm, user.id)).toMatchObject({ email, email_pending: victims })
    await victim.fill({ password: PASSWORD })
    expect([statusAndHeading(victim.page), await stored(realm, user.id)]).toEqual([
      CONFIRMED,
      expect.objectContaining({ email: victims, email_pending: null })
    ])
  })
})
