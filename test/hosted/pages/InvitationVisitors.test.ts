import { describe, expect, test } from "vitest"
import { invitationEvent, membershipEvent, sentWithLink } from "../../support/invitations.ts"
import { enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { GONE_INVITATION as GONE, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { newRealm } from "../../support/sallyport.ts"
import {
  claimsIn,
  expectTokenHandover,
  onProfilePage,
  SAME_SITE_HEADERS,
  Visitor,
  visitorAtApp
} from "../../support/visitor.ts"

const INVITED = [200, "You're invited"]

describe("an invitation opened by a logged-in user", () => {
  test("is accepted with one click in the existing session", async () => {
    const realm = await newRealm({ name: "Harbour", org_mode: "multi_user" })
    const { visitor, user, email, sid } = await onProfilePage(realm)
    await realm.membership(user.id, (await realm.org({ name: "Dockers" })).id)
    const { made, org, link } = await sentWithLink(realm, { email })
    const view = await realm.seen.during(() => visitor.open(`${link}&state=s`))
    expect([view.events, statusAndHeading(view.result), [...visitor.form().open]]).toEqual([[], INVITED, []])
    expect(visibleText(visitor.page)).toContain(
      `You're invited to join Pilots on Harbour . You're logged in as ${email} .`
    )
    const { result, events } = await realm.seen.during(() => visitor.fill({}, "Accept and join"))
    expect(events).toEqual([invitationEvent("accepted", made, { user_id: user.id }), membershipEvent(user.id, org.id)])
    expect([result.status, result.headers.getSetCookie(), visitor.leads.searchParams.get("state")]).toEqual([
      303,
      [],
      "s"
    ])
    expect(claimsIn(visitor.leads)).toMatchObject({ sid, sub: user.id, orgs: [{ oid: org.id, selected: true }] })
    expect(statusAndHeading(await visitor.open(link))).toEqual(GONE)
    expect(visibleText(visitor.page)).toContain("If you just accepted it, you're all set.")
    expect(visibleText(visitor.page)).toContain("Continue Your profile")
    const stranger = await new Visitor(realm.transport, visitor.origin).open(link)
    expect([statusAndHeading(stranger), visibleText(stranger)]).toEqual([
      GONE,
      expect.stringContaining("If you just accepted it, log in.")
    ])
    // The org that was joined is now the selected one.
    await visitor.open("/login")
    expect(claimsIn(visitor.leads)).toMatchObject({ sid, orgs: [{ oid: org.id, selected: true }] })
  })

  test("SEC-92: shows both emails if they differ, and offers to use another account", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await onProfilePage(realm)
    const { made, org, link } = await sentWithLink(realm)
    await visitor.open(link)
    expect(visibleText(visitor.page)).toContain(
      `You're logged in as ${email} . The invitation was sent to ${made.string("email")} .`
    )
    const other = /href="(invitation\?[^"]*way=login)"/.exec(visitor.page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    await visitor.open(`/${other}`)
    expect([...visitor.form().open].toSorted()).toEqual(["name", "password"])
    await visitor.open(link)
    // Using another account is the main option. Joining with the current account is the second.
    expect(visibleText(visitor.page)).toContain("Use another account Accept and join")
    expect(visitor.page.text).toContain('class="quiet">Accept and join')
    const events = await realm.seen.caused(() => visitor.fill())
    expect(events).toEqual([invitationEvent("accepted", made, { user_id: user.id }), membershipEvent(user.id, org.id)])
  })

  test("C104: stays valid for its invitee if the user is already a member", async () => {
    const realm = await newRealm({ name: "Harbour" })
    const { visitor, user, email, app } = await onProfilePage(realm)
    const { made, org, link } = await sentWithLink(realm)
    await realm.membership(user.id, org.id)
    const form = { token: made.string("token"), way: "accept", user: user.id }
    const events = await realm.seen.caused(async () => {
      for (const reply of [await visitor.open(link), await visitor.send("/invitation", form)]) {
        expect(statusAndHeading(reply)).toEqual([200, "You're already a member"])
        expect(visibleText(reply)).toContain(
          `You already belong to Pilots . You're logged in as ${email} . The invitation was sent to ${made.string("email")} . Use another account Back to ${app.string("name")}`
        )
        expect(reply.text).not.toContain("<form")
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(`/v2/invitations/${made.id}`)).status).toBe(200)
    const guest = new Visitor(realm.transport, visitor.origin)
    await guest.open(link)
    const accepted = await realm.seen.caused(() => guest.fill({ password: PASSWORD }))
    expect(accepted.map((one) => one.event_type)).toContain("invitation.org.accepted")
  })

  test("C104: stays valid for its invitee if a member logs in to accept the invitation", async () => {
    const realm = await newRealm({ name: "Harbour" })
    const { visitor: guest, user, email, origin } = await visitorAtApp(realm)
    const device = await enrolled(realm, user.id)
    const { made, org, link } = await sentWithLink(realm)
    await realm.membership(user.id, org.id)
    await guest.open(`${link}&way=login&state=s`)
    await guest.fill({ name: email, password: PASSWORD })
    const { events } = await realm.seen.during(() => guest.fill({ code: device.code() }))
    expect(events).toEqual([{ ...event(user, "login.succeeded"), session_id: expect.stringMatching(/^kss_/) }])
    expect([guest.leads.pathname, guest.leads.searchParams.get("state")]).toEqual(["/invitation", "s"])
    expect(statusAndHeading(await guest.follow())).toEqual([200, "You're already a member"])
    expect(visibleText(guest.page)).toContain("You already belong to Pilots .")
    expect((await realm.get(`/v2/invitations/${made.id}`)).status).toBe(200)
    expect((await new Visitor(realm.transport, origin).open(link)).status).toBe(200)
  })

  test("C104: adds its permissions if the invitation was sent to the member's own email", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await onProfilePage(realm)
    const { made, org, link } = await sentWithLink(realm, { email })
    await realm.membership(user.id, org.id)
    await visitor.open(link)
    const events = await realm.seen.caused(() => visitor.fill({}, "Accept and join"))
    expect(events.map((one) => one.event_type)).toEqual(["invitation.org.accepted", "membership.updated"])
    expect(events[0]).toEqual(invitationEvent("accepted", made, { user_id: user.id }))
  })

  test("C104: stays valid if the invitation is a referral to the realm of the logged-in user", async () => {
    const realm = await newRealm({ name: "Harbour" })
    const { visitor } = await onProfilePage(realm)
    const made = await realm.invitation({ invitation_type: "referral" })
    await visitor.open(`/invitation?token=${made.string("token")}`)
    expect(visibleText(visitor.page)).toContain("You already belong to Harbour .")
    expect((await realm.get(`/v2/invitations/${made.id}`)).status).toBe(200)
  })

  test("is accepted even if passwords are turned off", async () => {
    const realm = await newRealm({ session_type: "unmanaged" })
    const { visitor, user, email, sid } = await onProfilePage(realm)
    const { made, org, link } = await sentWithLink(realm, { email })
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    expect(statusAndHeading(await new Visitor(realm.transport, visitor.origin).open(link))).toEqual([
      422,
      "Password login is turned off"
    ])
    await visitor.open(link)
    const events = await realm.seen.caused(() => visitor.fill())
    expectTokenHandover(visitor.leads)
    expect(events).toEqual([invitationEvent("accepted", made, { user_id: user.id }), membershipEvent(user.id, org.id)])
    expect(claimsIn(visitor.leads)["sid"]).not.toBe(sid)
  })

  test("creates another user if the invitation completes a sign-up (preverify)", async () => {
    const realm = await newRealm({ email_verification: "preverify" })
    const { visitor, email } = await onProfilePage(realm)
    const made = await realm.invitation({ invitation_type: "preverify" })
    await visitor.open(`/invitation?token=${made.string("token")}`)
    expect(visitor.form().open.has("password")).toBe(true)
    await visitor.fill({ password: PASSWORD })
    expect(claimsIn(visitor.leads)["email"]).toBe(made.string("email"))
    expect((await visitor.open("/profile")).text).not.toContain(email)
  })

  test("SEC-35, SEC-92: is accepted only by submitting its own form", async () => {
    const realm = await newRealm()
    const { visitor, user, email, origin } = await onProfilePage(realm)
    const { made, link } = await sentWithLink(realm, { email })
    const form = { token: made.string("token"), way: "accept", user: user.id }
    const somebody = await quickUser(realm)
    const events = await realm.seen.caused(async () => {
      expect(statusAndHeading(await visitor.open(`/invitation?${new URLSearchParams(form)}`))).toEqual(INVITED)
      for (const headers of [
        { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
        { origin: "null", "sec-fetch-site": "same-site" }
      ]) {
        expect((await visitor.send("/invitation", form, headers)).status).toBe(403)
      }
      // The form names another user, so the logged-in user is asked again.
      for (const userId of [somebody.id, "", "usr_x"]) {
        const reply = await visitor.send("/invitation", { ...form, user: userId }, SAME_SITE_HEADERS)
        expect([userId, ...statusAndHeading(reply), visitor.form().values["user"]]).toEqual([
          userId,
          ...INVITED,
          user.id
        ])
      }
      const stranger = new Visitor(realm.transport, origin)
      expect(statusAndHeading(await stranger.send("/invitation", form))).toEqual(INVITED)
      expect(stranger.form().open.has("password")).toBe(true)
    })
    expect(events).toEqual([])
    await realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } })
    expect(await realm.seen.caused(() => visitor.send("/invitation", form))).toEqual([])
    expect([statusAndHeading(visitor.page), visitor.form().values["way"]]).toEqual([INVITED, "login"])
    expect(statusAndHeading(await visitor.open(link))).toEqual(INVITED)
  })

  test("is accepted only once when submitted twice, and never in another realm or for a closed org", async () => {
    const realm = await newRealm()
    const { visitor, user, email } = await onProfilePage(realm)
    const { made, org } = await sentWithLink(realm, { email })
    const form = { token: made.string("token"), way: "accept", user: user.id }
    const headers = SAME_SITE_HEADERS
    const { result, events } = await realm.seen.during(() =>
      Promise.all([1, 2, 3].map(() => visitor.browser.go(`${visitor.origin}/invitation`, { form, headers })))
    )
    expect(result.map(({ status }) => status).toSorted()).toEqual([303, 410, 410])
    expect(events).toEqual([invitationEvent("accepted", made, { user_id: user.id }), membershipEvent(user.id, org.id)])

    const elsewhere = await newRealm()
    const foreign = await sentWithLink(elsewhere, { email })
    const closed = await sentWithLink(realm, { email })
    await realm.put(`/v2/orgs/${closed.org.id}`, { org: { state: "closed" } })
    const seen = await realm.seen.caused(async () => {
      for (const { made: other, link } of [foreign, closed]) {
        expect(statusAndHeading(await visitor.open(link))).toEqual(GONE)
        const reply = await visitor.send("/invitation", { ...form, token: other.string("token") })
        expect([...statusAndHeading(reply), reply.headers.get("location")]).toEqual([...GONE, null])
      }
    })
    expect(seen).toEqual([])
    expect((await elsewhere.get(`/v2/invitations/${foreign.made.id}`)).status).toBe(200)
  })

  test("can be accepted with another account, which is then logged in instead", async () => {
    const realm = await newRealm()
    const { visitor, sid } = await onProfilePage(realm)
    const guest = await realm.user({ password: OTHER_PASSWORD })
    const { made, org, link } = await sentWithLink(realm, { email: guest.string("email") })
    await visitor.open(`${link}&way=login`)
    const { events } = await realm.seen.during(() => visitor.fill({ password: OTHER_PASSWORD }))
    expect(events).toEqual([
      { ...event(guest, "login.succeeded"), session_id: claimsIn(visitor.leads)["sid"] },
      invitationEvent("accepted", made, { user_id: guest.id }),
      membershipEvent(guest.id, org.id)
    ])
    expect((await visitor.open("/profile")).text).toContain(guest.string("email"))
    expect((await realm.get(`/v2/sessions/${sid}`)).status).toBe(200)
  })
})
