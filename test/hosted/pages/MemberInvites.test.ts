import { describe, expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { PASSWORD } from "../../support/logins.ts"
import { fieldOf, statusAndHeading, visibleText } from "../../support/pages.ts"
import { clockedService, newRealm, ownService } from "../../support/sallyport.ts"
import { claimsIn, formsIn, linkTo, SAME_SITE_HEADERS, Visitor, visitorAtApp } from "../../support/visitor.ts"

const INVITE = [200, "Invite someone"]
const REFUSED = [403, "You can't invite people"]
const SENT = [200, "Invitation sent"]

/** The events of an invitation that is created and sent. */
const events = (type: string, related: object = {}) =>
  ["created", "invited"].map((what) => ({
    event_type: `invitation.${type}.${what}`,
    invitation_id: expect.stringMatching(/^nvt_/),
    ...related
  }))

/** A logged-in user with one org per given set of permissions. */
const member = async (realm: GivenRealm, ...permissions: ReadonlyArray<string>) => {
  const at = await visitorAtApp(realm, { user: { first_name: "Ida" } })
  const orgs = []
  for (const permission of permissions) {
    const org = await realm.org({ name: uniqueText("Crew") })
    await realm.membership(at.user.id, org.id, { permissions: permission === "" ? [] : permission.split(" ") })
    orgs.push(org)
  }
  await at.visitor.logIn(at.email)
  return { ...at, orgs }
}

const multi = { org_mode: "multi_user" }

describe("an org admin in a multi_user realm (C40a)", () => {
  test("invites a guest by email, who signs up on the app's host and joins without permissions", async () => {
    const { given } = await clockedService()
    const realm = await given.realm({ ...multi, signup: "closed" })
    // C90: the email links to the app where the invitation was made, not to the realm's oldest app.
    await realm.connectedApp()
    const { visitor, origin, app, user, orgs } = await member(realm, "ar:admin")
    const email = `${uniqueText("guest")}@example.test`
    await visitor.open("/profile")
    expect(visitor.page.text).toContain('href="invitation"')
    expect([statusAndHeading(await visitor.open("/invitation")), [...visitor.form().open]]).toEqual([INVITE, ["email"]])
    const { result, events: seen } = await realm.seen.during(() => visitor.fill({ email: ` ${email} ` }))
    expect([statusAndHeading(result), visibleText(result)]).toEqual([SENT, expect.stringContaining(email)])
    const org_id = orgs[0]?.id
    expect(seen).toEqual(events("org", { org_id }))
    const [made] = (await realm.get("/v2/invitations")).items
    const invited = { email, org_id, inviting_user_id: user.id, client_app_id: app.id }
    expect(made).toMatchObject({ ...invited, permissions: [], invitation_type: "org" })

    const link = await linkTo(email)
    expect(link.startsWith(`${origin}/invitation?token=nvt_`)).toBe(true)
    const guest = new Visitor(realm.transport, origin)
    expect(visibleText(await guest.open(link))).toContain(`Ida invited you to join ${orgs[0]?.string("name")}`)
    const accepted = await realm.seen.during(() => guest.fill({ password: PASSWORD, first_name: "Gus" }))
    const { id: user_id } = await realm.get(`/v2/users/${email}`)
    const claims = claimsIn(guest.leads)
    expect([claims["sub"], claims["orgs"]]).toEqual([
      user_id,
      [expect.objectContaining({ oid: org_id, selected: true })]
    ])
    expect(accepted.events.slice(2)).toEqual([
      { event_type: "invitation.org.accepted", invitation_id: made?.["id"], org_id, user_id },
      { event_type: "membership.created", membership_id: expect.stringMatching(/^mb_/), org_id, user_id },
      { event_type: "user.login.succeeded", user_id, session_id: claims["sid"] }
    ])
    // The guest is no admin.
    await guest.open("/invitation")
    expect(statusAndHeading(guest.page)).toEqual(REFUSED)
  })

  test("may be an owner, but a member with neither permission can't invite", async () => {
    const realm = await newRealm(multi)
    const owner = await member(realm, "x:y ar:owner")
    expect(statusAndHeading(await owner.visitor.open("/invitation"))).toEqual(INVITE)
    const others = [
      await member(realm, ""),
      await member(realm, "x:admin x:owner"),
      await member(realm),
      await member(realm, "ar:admin")
    ]
    await realm.put(`/v2/orgs/${others[3]?.orgs[0]?.id}`, { org: { state: "inactive" } })
    for (const { visitor, orgs } of others) {
      expect((await visitor.open("/profile")).text).not.toContain('href="invitation"')
      await visitor.open("/invitation")
      expect([statusAndHeading(visitor.page), visibleText(visitor.page)]).toEqual([
        REFUSED,
        expect.stringContaining("Only owners and admins")
      ])
      const seen = await realm.seen.caused(() =>
        visitor.send("/invitation", { way: "invite", email: "x@example.test", org_id: orgs[0]?.id ?? "" })
      )
      expect([statusAndHeading(visitor.page), seen]).toEqual([REFUSED, []])
    }
  })

  test("can choose only among the orgs they administer", async () => {
    const realm = await newRealm(multi)
    const { visitor, orgs } = await member(realm, "ar:admin", "ar:owner", "x:y")
    const email = "guest@example.test"
    await visitor.open("/invitation")
    expect([...visitor.form().open].sort()).toEqual(["email", "org_id"])
    expect(visibleText(visitor.page)).toContain("They'll get an email with a link to join the organization.")
    const [, second, third] = orgs
    // The org selected at login comes first if the user administers it.
    for (const [chosen, selected] of [
      [second, second],
      [third, orgs[0]]
    ]) {
      await visitor.send("/accounts", { way: "choose", org_id: chosen?.id ?? "" })
      await visitor.open("/invitation")
      expect(visitor.form().values["org_id"]).toBe(selected?.id)
    }
    expect([visitor.page.text.includes(second?.id ?? "-"), visitor.page.text.includes(third?.id ?? "-")]).toEqual([
      true,
      false
    ])
    const foreign = await realm.org()
    for (const org_id of [third?.id, foreign.id, "org_x", ""]) {
      const { result, events: seen } = await realm.seen.during(() =>
        visitor.send("/invitation", { way: "invite", email, org_id: org_id ?? "" })
      )
      expect([org_id, ...statusAndHeading(result), seen, fieldOf(result, "email")]).toEqual([
        org_id,
        422,
        "Invite someone",
        [],
        email
      ])
    }
    const { events: seen } = await realm.seen.during(() => visitor.fill({ email, org_id: second?.id ?? "" }))
    expect([statusAndHeading(visitor.page), seen]).toEqual([SENT, events("org", { org_id: second?.id })])
  })

  test("can't invite to another org even if they administer only one org", async () => {
    const realm = await newRealm(multi)
    const { visitor, orgs } = await member(realm, "ar:admin")
    const foreign = await realm.org()
    const sent = await realm.seen.during(() =>
      visitor.send("/invitation", { way: "invite", email: "guest@example.test", org_id: foreign.id })
    )
    expect([...statusAndHeading(sent.result), sent.events]).toEqual([422, "Invite someone", []])
    expect(visitor.form().values["org_id"]).toBe(orgs[0]?.id)
  })

  test("C125: invites guests with the permissions set in the app, and can't choose other permissions", async () => {
    const realm = await newRealm({ ...multi, jwt_scopes: ["ar.orgs"] })
    const { visitor, app, orgs } = await member(realm, "ar:admin")
    const permissions = ["notes:read", "notes:write"]
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { invitation_permissions: permissions } })
    await visitor.open("/invitation")
    await visitor.send("/invitation", {
      ...visitor.form().values,
      email: "guest@example.test",
      invitation_permissions: "ar:owner",
      permissions: "ar:owner"
    })
    const [made] = (await realm.get("/v2/invitations")).items
    expect(made).toMatchObject({ permissions, org_id: orgs[0]?.id })
    const { token } = Object((await realm.get(`/v2/invitations/${made?.["id"]}`)).body)
    const guest = new Visitor(realm.transport, visitor.origin)
    await guest.open(`/invitation?token=${token}`)
    await guest.fill({ password: PASSWORD })
    expect(claimsIn(guest.leads)["orgs"]).toEqual([expect.objectContaining({ oid: orgs[0]?.id, perm: permissions })])
  })

  test("C125: can't invite once the app forbids invitations, but earlier links keep working", async () => {
    const realm = await newRealm(multi)
    const { visitor, app, origin } = await member(realm, "ar:owner")
    await visitor.open("/invitation")
    await visitor.fill({ email: "guest@example.test" })
    const [made] = (await realm.get("/v2/invitations")).items
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { allow_invitations: false } })
    for (const path of ["/profile", "/accounts"]) {
      expect([path, (await visitor.open(path)).text.includes('href="invitation"')]).toEqual([path, false])
    }
    const seen = await realm.seen.caused(async () => {
      await visitor.open("/invitation")
      expect([statusAndHeading(visitor.page), visibleText(visitor.page)]).toEqual([
        REFUSED,
        expect.stringContaining("Invitations are turned off here.")
      ])
      await visitor.send("/invitation", { way: "invite", email: "other@example.test", org_id: "" })
      expect(statusAndHeading(visitor.page)).toEqual(REFUSED)
    })
    expect(seen).toEqual([])
    const { token } = Object((await realm.get(`/v2/invitations/${made?.["id"]}`)).body)
    expect((await new Visitor(realm.transport, origin).open(`/invitation?token=${token}`)).status).toBe(200)
  })

  test("cannot invite after losing the permission", async () => {
    const realm = await newRealm(multi)
    const { visitor, user, orgs } = await member(realm, "ar:admin")
    await visitor.open("/invitation")
    const [membership] = (await realm.get(`/v2/memberships?user_id=${user.id}&org_id=${orgs[0]?.id}`)).items
    await realm.put(`/v2/memberships/${membership?.["id"]}`, { membership: { permissions: [] } })
    const seen = await realm.seen.caused(() => visitor.fill({ email: "guest@example.test" }))
    expect([statusAndHeading(visitor.page), seen]).toEqual([REFUSED, []])
  })

  test("gets an error for an invalid email and can't set other fields of the invitation (SEC-25)", async () => {
    const realm = await newRealm(multi)
    const { visitor, user, orgs } = await member(realm, "ar:admin")
    for (const email of ["", "nobody", "a@b@c", "x@example.test\r\nBcc: y@example.test"]) {
      await visitor.open("/invitation")
      const { result, events: seen } = await realm.seen.during(() => visitor.fill({ email }))
      expect([email, ...statusAndHeading(result), seen]).toEqual([email, 422, "Invite someone", []])
    }
    const more = {
      permissions: "ar:owner",
      invitation_type: "referral",
      inviting_user_id: "x",
      expires_at: "2099-01-01"
    }
    await visitor.send("/invitation", { ...visitor.form().values, email: "guest@example.test", ...more })
    const [made] = (await realm.get("/v2/invitations")).items
    expect(made).toMatchObject({
      invitation_type: "org",
      org_id: orgs[0]?.id,
      permissions: [],
      inviting_user_id: user.id
    })
  })
})

describe("any user in a single_user realm", () => {
  test("can invite others to the realm by email", async () => {
    const { given } = await clockedService()
    const realm = await given.realm({ org_mode: "single_user", signup: "invitation" })
    const { visitor, origin, user } = await member(realm)
    const email = `${uniqueText("guest")}@example.test`
    await visitor.open("/invitation")
    const org = await realm.org()
    const { events: seen } = await realm.seen.during(() =>
      visitor.send("/invitation", { ...visitor.form().values, email, org_id: org.id })
    )
    expect([statusAndHeading(visitor.page), seen]).toEqual([SENT, events("referral")])
    expect((await realm.get("/v2/invitations")).items).toMatchObject([
      { email, org_id: null, inviting_user_id: user.id }
    ])
    const guest = new Visitor(realm.transport, origin)
    await guest.open(await linkTo(email))
    await guest.fill({ password: PASSWORD })
    expect(claimsIn(guest.leads)["email"]).toBe(email)
    expect((await guest.logIn(email, PASSWORD, "?way=login")).status).toBe(303)
  })

  test("cannot invite anyone if sign-up is closed", async () => {
    const realm = await newRealm({ org_mode: "single_user", signup: "closed" })
    const { visitor } = await member(realm, "ar:admin")
    const seen = await realm.seen.caused(async () => {
      for (const reply of [
        await visitor.open("/invitation"),
        await visitor.send("/invitation", { way: "invite", email: "guest@example.test" })
      ]) {
        expect(statusAndHeading(reply)).toEqual(REFUSED)
      }
    })
    expect(seen).toEqual([])
  })
})

test("a fourth invitation to one address within a minute is rejected with the time to wait (C45)", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm({ org_mode: "single_user" })
      const { visitor } = await member(realm)
      const email = `${uniqueText("guest")}@example.test`
      const seen = await realm.seen.caused(async () => {
        for (let n = 0; n < 4; n += 1) {
          await visitor.open("/invitation")
          await visitor.fill({ email })
        }
      })
      expect([...statusAndHeading(visitor.page), visitor.page.headers.get("retry-after")]).toEqual([
        429,
        "Too many attempts",
        "60"
      ])
      expect(seen).toEqual(Array.from({ length: 3 }, () => events("referral")).flat())
    },
    { limits: "all" }
  ))

test("inviting requires a login", async () => {
  const realm = await newRealm({ org_mode: "single_user" })
  const { visitor } = await visitorAtApp(realm)
  const seen = await realm.seen.caused(() =>
    visitor.send("/invitation", { way: "invite", email: "x@example.test" }, SAME_SITE_HEADERS)
  )
  expect([visitor.page.status, visitor.leads.pathname, seen]).toEqual([303, "/login", []])
  await visitor.follow()
  expect([visitor.form().values["next"], formsIn(visitor.page).length]).toEqual(["invitation", 2])
})
