import { describe, expect, test } from "vitest"
import { userEvent as event, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading, visibleText } from "../../support/pages.ts"
import { clockedService, newRealm, ownService } from "../../support/sallyport.ts"
import { formsIn, linkTo, onProfilePage } from "../../support/visitor.ts"

const buttonsIn = (page: Parameters<typeof formsIn>[0]) => formsIn(page).map(({ button }) => button)

const SEND = "Send email"

describe("C93: the verification email on /profile", () => {
  test("is offered to a user whose email is unverified", async () => {
    const { given } = await clockedService()
    const realm = await given.realm()
    const { user, visitor, email, origin } = await onProfilePage(realm, { user: { email_verification: "requested" } })
    await linkTo(email)
    expect(visibleText(visitor.page)).toContain(`${email} isn't confirmed yet.`)
    const { result, events } = await realm.seen.during(() => visitor.fill({}, SEND))
    expect([result.status, visitor.leads.search, events]).toEqual([
      303,
      "?saved=verification",
      [event(user, "email.verifying")]
    ])
    expect(visibleText(await visitor.follow())).toContain(
      "We sent you an email. Open the link in it to confirm your address."
    )
    const link = await linkTo(email)
    expect(link.startsWith(`${origin}/verify?token=`)).toBe(true)
    await visitor.open(link)
    expect(await realm.seen.caused(() => visitor.fill())).toEqual([event(user, "email.verified")])
    const profile = await visitor.open("/profile")
    expect([buttonsIn(profile).includes(SEND), visibleText(profile).includes("isn't confirmed")]).toEqual([
      false,
      false
    ])
    // A stale page sends no further email.
    const again = await realm.seen.during(() => visitor.send("/profile", { way: "verify" }))
    expect([again.result.status, visitor.leads.pathname, visitor.leads.search, again.events]).toEqual([
      303,
      "/profile",
      "",
      []
    ])
  })

  test("is offered to a user who never received a verification email only if the realm verifies new users", async () => {
    for (const [email_verification, isOffered] of [
      ["none", false],
      ["request", true]
    ] as const) {
      const realm = await newRealm({ email_verification })
      const { user, visitor } = await onProfilePage(realm)
      expect([email_verification, buttonsIn(visitor.page).includes(SEND)]).toEqual([email_verification, isOffered])
      if (!isOffered) continue
      const events = await realm.seen.caused(() => visitor.fill({}, SEND))
      expect(events).toEqual([event(user, "updated"), event(user, "email.verifying")])
      expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("requested")
    }
  })

  test("is offered for a pending new email", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const { user, visitor, email } = await onProfilePage(realm, { user: { email_verification: "requested" } })
    const mine = `new-${email}`
    await visitor.fill({ email: mine, current_password: PASSWORD }, "Save")
    await advance("1 minute")
    for (const address of [mine, email]) postbox.take(address)
    await visitor.follow()
    expect(buttonsIn(visitor.page)).toEqual(expect.arrayContaining([SEND, "Resend email"]))
    for (const [button, type, address] of [
      ["Resend email", "email.updating", mine],
      [SEND, "email.verifying", email]
    ] as const) {
      await visitor.open("/profile")
      expect(await realm.seen.caused(() => visitor.fill({}, button))).toEqual([event(user, type)])
      await advance("1 minute")
      expect([button, postbox.take(address).length]).toEqual([button, 1])
    }
  })

  test("counts towards the email limit of its address", () =>
    ownService(
      async ({ given, advance }) => {
        const realm = await given.realm({ email_verification: "request" })
        const { user, visitor } = await onProfilePage(realm)
        const send = async () => {
          const { result, events } = await realm.seen.during(() => visitor.send("/profile", { way: "verify" }))
          return [result.status, events.filter(({ event_type }) => event_type === "user.email.verifying").length]
        }
        for (let n = 0; n < 3; n += 1) expect(await send()).toEqual([303, 1])
        expect(await send()).toEqual([429, 0])
        expect(statusAndHeading(visitor.page)).toEqual([429, "Too many attempts"])
        await advance("1 minute")
        expect(await send()).toEqual([303, 1])
        expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("requested")
      },
      { limits: "all" }
    ))

  test("requires a login", async () => {
    const realm = await newRealm({ email_verification: "request" })
    const { visitor } = await onProfilePage(realm)
    await visitor.send("/logout", {})
    const { events } = await realm.seen.during(() => visitor.send("/profile", { way: "verify" }))
    expect([visitor.page.status, visitor.leads.pathname, events]).toEqual([303, "/login", []])
  })
})
