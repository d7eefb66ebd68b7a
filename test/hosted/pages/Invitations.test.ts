import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { sessionOf } from "../../external/BrowserLogins.ts"
import { invitationEvent } from "../../support/invitations.ts"
import { userEvent as event, PASSWORD } from "../../support/logins.ts"
import { GONE_INVITATION as GONE, statusAndHeading, visibleText } from "../../support/pages.ts"
import { clockedService } from "../../support/sallyport.ts"
import { claimsIn, expectTokenHandover, isLoggedIn, linkTo, Visitor, visitorAtApp } from "../../support/visitor.ts"

describe("an emailed invitation", () => {
  test("completes a sign-up (preverify) only while sign-up is open", async () => {
    const { given } = await clockedService()
    const realm = await given.realm({ email_verification: "preverify" })
    const { visitor } = await visitorAtApp(realm, { app: { signup_mode: "user_org", require_names: true } })
    await visitor.open("/signup")
    const email = `${uniqueText("new")}@example.test`
    await visitor.fill({ email })
    const link = await linkTo(email)
    const own = `https://id.example.test/realms/${realm.id}/invitation${new URL(link).search}`
    expect(statusAndHeading(await visitor.open(own))).toEqual(GONE)
    expect(statusAndHeading(await visitor.open(link))).toEqual([200, "Finish signing up"])
    await visitor.fill({ password: PASSWORD })
    expect(statusAndHeading(visitor.page)[0]).toBe(422)
    await realm.put(`/v2/realms/${realm.id}`, { realm: { signup: "closed" } })
    expect(statusAndHeading(await visitor.open(link))).toEqual(GONE)
    expect((await realm.get(`/v2/users?email=${email}`)).items).toEqual([])
  })

  const invited = async (settings: object, attributes: object = {}) => {
    const { given } = await clockedService()
    const realm = await given.realm({ signup: "closed", jwt_scopes: ["ar.orgs"], ...settings })
    const at = await visitorAtApp(realm)
    const org = await realm.org({ name: "Pilots" })
    const made = await realm.invitation({ org_id: org.id, permissions: "ar:admin", ...attributes })
    await realm.post(`/v2/invitations/${made.id}/invite`, {})
    const link = await linkTo(made.string("email"))
    expect(link).toBe(`${at.origin}/invitation?token=${made.string("token")}`)
    return { realm, ...at, org, made, link }
  }

  test("signs up a new user on the app's host even if sign-up is closed", async () => {
    const { realm, visitor, app, org, made, link } = await invited({ org_mode: "multi_user" })
    expect(visibleText(await visitor.open(link))).toContain("You're invited to join Pilots")
    const { events } = await realm.seen.during(() => visitor.fill({ password: PASSWORD }))
    expect([visitor.page.status, visitor.leads.searchParams.get("signup")]).toEqual([303, "true"])
    const user = await realm.get(`/v2/users/${made.string("email")}`)
    const claims = claimsIn(visitor.leads)
    expect(events.slice(2)).toEqual([
      invitationEvent("accepted", made, { user_id: user.id }),
      expect.objectContaining({ event_type: "membership.created", user_id: user.id, org_id: org.id }),
      { event_type: "user.login.succeeded", user_id: user.id, session_id: claims["sid"] }
    ])
    expect(claims["orgs"]).toEqual([expect.objectContaining({ oid: org.id, perm: ["ar:admin"], selected: true })])
    const session = await sessionOf(realm, visitor.leads)
    expect([session.member("user_id"), session.member("client_app_id")]).toEqual([user.id, app.id])
    expect(await isLoggedIn(visitor)).toBe(true)
    expect(statusAndHeading(await visitor.open(link))).toEqual(GONE)
  })

  test("is accepted by logging in, even in a browser where another user is logged in", async () => {
    const { realm, visitor, email, user, org, made, link } = await invited({})
    const somebody = await visitorAtApp(realm)
    const browser = new Visitor(realm.transport, visitor.origin)
    await browser.logIn(somebody.email)
    await browser.open(link)
    expect(visibleText(browser.page)).toContain(
      `You're logged in as ${somebody.email} . The invitation was sent to ${made.string("email")} .`
    )
    const toLogin = /href="(invitation\?[^"]*way=login)"/.exec(browser.page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    await browser.open(`/${toLogin}`)
    const { events } = await realm.seen.during(() => browser.fill({ name: email, password: PASSWORD }))
    expectTokenHandover(browser.leads)
    expect(events).toEqual([
      { ...event(user, "login.succeeded"), session_id: claimsIn(browser.leads)["sid"] },
      invitationEvent("accepted", made, { user_id: user.id }),
      expect.objectContaining({ event_type: "membership.created", user_id: user.id, org_id: org.id })
    ])
    expect((await browser.open("/profile")).text).toContain(email)
  })
})
