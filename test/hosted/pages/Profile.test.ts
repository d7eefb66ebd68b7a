import { describe, expect, test } from "vitest"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { fieldOf, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  isLoggedIn,
  newPassword,
  onProfilePage,
  onSecurityPage,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

describe("/profile", () => {
  test.each(["profile", "accounts", "invitation"])("/%s asks for a login and then opens the page", async (page) => {
    const realm = await newRealm({ org_mode: "single_user" })
    const { visitor, email, user } = await visitorAtApp(realm, {
      app: { redirect_uris: ["https://app.example.test/cb"] }
    })
    await visitor.open(`/${page}?redirect_uri=https://app.example.test/cb`)
    expect([visitor.page.status, visitor.leads.pathname, Object.fromEntries(visitor.leads.searchParams)]).toEqual([
      303,
      "/login",
      { redirect_uri: "https://app.example.test/cb", next: page }
    ])
    await visitor.follow()
    const reasons = new Map([
      ["profile", "Log in to see your profile."],
      ["accounts", "Log in to choose an organization."],
      ["invitation", "Log in to invite someone."]
    ])
    expect(visibleText(visitor.page)).toContain(reasons.get(page))
    await visitor.fill({ name: email, password: "wrong" })
    await visitor.fill({ name: email, password: PASSWORD })
    expect([visitor.page.status, visitor.leads.pathname]).toEqual([303, `/${page}`])
    expect((await visitor.follow()).status).toBe(200)
    // The same after a login with a code.
    const device = await enrolled(realm, user.id)
    await visitor.logIn(email, PASSWORD, `?way=login&next=${page}`)
    await visitor.fill({ code: device.code() })
    expect(visitor.leads.pathname).toBe(`/${page}`)
  })

  test("C105: reports that no changes were saved when a form is submitted after the session has ended", async () => {
    const realm = await newRealm()
    const { visitor, email, sid, origin } = await onProfilePage(realm)
    await realm.delete(`/v2/sessions/${sid}`)
    expect(await realm.seen.caused(() => visitor.fill({ first_name: "Ida" }, "Save"))).toEqual([])
    expect([visitor.page.status, Object.fromEntries(visitor.leads.searchParams)]).toEqual([
      303,
      { next: "profile", why: "ended" }
    ])
    await visitor.follow()
    expect(visibleText(visitor.page)).toContain("Your session has ended. Log in again; your changes were not saved.")
    // The message stays until the login succeeds.
    for (const typed of [
      { name: "", password: "" },
      { name: email, password: OTHER_PASSWORD }
    ]) {
      expect((await visitor.fill(typed)).status).toBe(422)
      expect(visibleText(visitor.page)).toContain("Your session has ended. Log in again; your changes were not saved.")
    }
    await visitor.fill({ name: email, password: PASSWORD })
    expect([visitor.leads.pathname, visitor.leads.search]).toEqual(["/profile", ""])
    const other = new Visitor(realm.transport, origin)
    await other.send("/accounts", { way: "choose", org_id: "org_x" })
    expect(visibleText(await other.follow())).toContain("Your session has ended. Log in again. E")
  })

  test("saves changes, or shows the form again with the input and the errors", async () => {
    const realm = await newRealm()
    const { user, visitor, email } = await onProfilePage(realm, { user: { username: "ada", first_name: "Ada" } })
    expect(["first_name", "last_name", "email", "username"].map((field) => fieldOf(visitor.page, field))).toEqual([
      "Ada",
      "",
      email,
      "ada"
    ])
    const typed = { first_name: "Ida", last_name: " Post ", username: "ida" }
    const { result, events } = await realm.seen.during(() => visitor.fill(typed, "Save"))
    expect([result.status, visitor.leads.href, events]).toEqual([
      303,
      `${visitor.origin}/profile?saved=details`,
      [event(user, "profile.updated")]
    ])
    expect(visibleText(await visitor.follow())).toContain("Your details have been saved.")
    expect((await realm.get(`/v2/users/${user.id}`)).body).toMatchObject({
      first_name: "Ida",
      last_name: "Post",
      username: "ida",
      email
    })
    await realm.user({ username: "eve" })
    for (const [wrong, sentence] of [
      [{ username: "EVE" }, "Another account already uses this"],
      [{ first_name: "x".repeat(256) }, "Too long (maximum is 255 characters)."],
      [{ email: "nobody", current_password: PASSWORD }, "Enter a valid email address."],
      [{ email: "new@example.test" }, "Enter your current password to change your email."],
      [{ email: "new@example.test", current_password: "wrong" }, "Current password"]
    ] as const) {
      const refused = await realm.seen.during(() => visitor.fill(wrong, "Save"))
      expect([...statusAndHeading(refused.result), refused.events]).toEqual([422, "Your profile", []])
      expect(visibleText(refused.result)).toContain(sentence)
      for (const [field, value] of Object.entries(wrong)) {
        expect([field, fieldOf(refused.result, field)]).toEqual([
          field,
          field === "current_password" ? undefined : value
        ])
      }
      await visitor.open("/profile")
    }
  })

  test("changes only the fields in its form (SEC-27)", async () => {
    const realm = await newRealm()
    const { user, visitor } = await onProfilePage(realm)
    const other = await quickUser(realm)
    const more = {
      user_id: other.id,
      id: other.id,
      state: "inactive",
      email_verification: "verified",
      user_type: "api"
    }
    const before = (await realm.get(`/v2/users/${other.id}`)).body
    await visitor.send("/profile", { ...visitor.form("Save").values, ...more, first_name: "Eve" })
    expect((await realm.get(`/v2/users/${user.id}`)).body).toMatchObject({
      first_name: "Eve",
      state: "active",
      email_verification: "none"
    })
    expect((await realm.get(`/v2/users/${other.id}`)).body).toEqual(before)
  })

  test("changes the email only after verification, and can resend the verification email", async () => {
    const { given, advance, postbox } = await clockedService()
    const realm = await given.realm()
    const { user, visitor, email, origin } = await onProfilePage(realm, { user: { email_verification: "verified" } })
    const mine = `new-${email}`
    const realmName = (await realm.get(`/v2/realms/${realm.id}`)).string("name")
    const { events } = await realm.seen.during(() => visitor.fill({ email: mine, current_password: PASSWORD }, "Save"))
    expect(events).toEqual([event(user, "profile.updated"), event(user, "email.updating")])
    await visitor.follow()
    expect([fieldOf(visitor.page, "email"), visibleText(visitor.page)]).toEqual([
      email,
      expect.stringContaining(`${mine} isn't confirmed yet`)
    ])
    await visitor.fill({}, "Resend email")
    expect(visibleText(await visitor.follow())).toContain("We sent the email again.")
    await advance("1 minute")
    const mails = postbox.take(mine)
    expect(mails.length).toBe(2)
    // SEC-90: the old address is notified once, with a link to reset the password but without the verification token.
    const told = postbox.take(email)
    expect(told.map(({ subject }) => subject)).toEqual([`Your ${realmName} email address is about to change`])
    expect([told[0]?.text?.includes(`${origin}/forgot`), told[0]?.text?.includes("tue:")]).toEqual([true, false])
    const link = /https:\/\/[^\s)>"]+/.exec(mails[1]?.text ?? "")?.[0] ?? ""
    expect(link.startsWith(`${origin}/verify?token=`)).toBe(true)
    expect(statusAndHeading(await visitor.open(link))).toEqual([200, "Confirm your email address"])
    expect(await realm.seen.caused(() => visitor.fill())).toEqual([event(user, "email.verified")])
    expect(statusAndHeading(visitor.page)).toEqual([200, "Email address confirmed"])
    expect([fieldOf(await visitor.open("/profile"), "email"), visitor.page.text.includes("confirmed yet")]).toEqual([
      mine,
      false
    ])
  })

  test("changes the password after checking the current password, and ends all other sessions", async () => {
    const realm = await newRealm()
    const { user, visitor, email, origin, sid } = await onSecurityPage(realm)
    const elsewhere = new Visitor(realm.transport, origin)
    await elsewhere.logIn(email)
    const other = String(claimsIn(elsewhere.leads)["sid"])
    for (const [typed, sentence] of [
      [newPassword("wrong", OTHER_PASSWORD), "Current password"],
      [newPassword("", OTHER_PASSWORD), "Current password"],
      [newPassword(PASSWORD, "short"), "Too short (minimum is 8 characters)."],
      [{ ...newPassword(PASSWORD, OTHER_PASSWORD), password_confirmation: "x" }, "The passwords don't match."]
    ] as const) {
      const { result, events } = await realm.seen.during(() => visitor.fill(typed, "Change password"))
      expect([...statusAndHeading(result), visibleText(result), events]).toEqual([
        422,
        "Login and security",
        expect.stringContaining(sentence),
        []
      ])
      expect(result.text).not.toContain(OTHER_PASSWORD)
    }
    const { events } = await realm.seen.during(() =>
      visitor.fill(newPassword(PASSWORD, OTHER_PASSWORD), "Change password")
    )
    expect(events).toEqual([
      event(user, "updated"),
      { event_type: "session.deleted", user_id: user.id, session_id: other }
    ])
    expect(visibleText(await visitor.follow())).toContain("Your password has been changed.")
    expect([await isLoggedIn(visitor), await isLoggedIn(elsewhere)]).toEqual([true, false])
    expect((await realm.get(`/v2/sessions/${sid}`)).status).toBe(200)
    await elsewhere.logIn(email)
    expect(elsewhere.page.status).toBe(422)
    await elsewhere.logIn(email, OTHER_PASSWORD)
    expectTokenHandover(elsewhere.leads)
  })

  test("ignores an unknown action", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    const events = await realm.seen.caused(async () => {
      for (const way of ["", "constructor", "delete"]) {
        await visitor.send("/profile", { way, ...newPassword(PASSWORD, OTHER_PASSWORD) })
        expect([visitor.page.status, visitor.leads.pathname]).toEqual([303, "/profile"])
      }
      await visitor.open("/profile?saved=%3Cb%3E")
    })
    expect([events, visitor.page.text.includes("<b>")]).toEqual([[], false])
  })
})
