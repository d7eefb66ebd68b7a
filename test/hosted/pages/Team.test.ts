import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { PASSWORD } from "../../support/logins.ts"
import { heading, statusAndHeading, visibleText } from "../../support/pages.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { clockedService, ownService, service } from "../../support/sallyport.ts"
import { ADMIN, EDITOR, formActions, OWNER, REFUSED, roles, teamIn, VIEWER } from "../../support/teams.ts"
import { linkTo, Visitor } from "../../support/visitor.ts"

describe("C210: /team", () => {
  test.each([{}, { roles, org_mode: "single_user" }])("returns 404 in a realm with %j", async (settings) => {
    const { arrive, act } = await teamIn(await (await service()).given.realm(settings))
    const { visitor } = await arrive(OWNER)
    expect((await visitor.open("/profile")).text).not.toContain('href="team"')
    expect(statusAndHeading(await visitor.open("/team"))).toEqual([404, "Page not found"])
    expect(await act(visitor, "leave")).toMatchObject({ met: [404, "Page not found"], events: [] })
  })

  test("shows each of the user's orgs and is linked from the account if the realm has roles", async () => {
    const { realm, origin, arrive, org } = await teamIn()
    const ada = await arrive(OWNER)
    const profile = await ada.visitor.open("/profile")
    expect([profile.text.includes('href="team"'), profile.text.includes('href="invitation"')]).toEqual([true, false])
    expect([statusAndHeading(await ada.visitor.open("/team")), visibleText(ada.visitor.page)]).toEqual([
      [200, "Team"],
      expect.stringContaining(`The people in ${org.string("name")}`)
    ])
    const other = await realm.org({ name: "Elsewhere" })
    await realm.membership(ada.user.id, other.id)
    await ada.visitor.open("/team")
    expect(ada.visitor.page.text).toContain(`href="team?org=${other.id}"`)
    expect(visibleText(await ada.visitor.open(`/team?org=${other.id}`))).toContain("The people in Elsewhere")

    const loner = new Visitor(realm.transport, origin)
    expect([(await loner.open("/team")).status, loner.leads.search]).toEqual([303, "?next=team"])
    expect(visibleText(await loner.follow())).toContain("Log in to see your team.")
    await loner.logIn((await quickUser(realm)).string("email"), PASSWORD, "?next=team")
    expect(statusAndHeading(await loner.follow())).toEqual([200, "No organization yet"])
  })

  test("lets an owner change a role, transfer ownership and leave", async () => {
    const { arrive, join, permissionsOf, act, saved } = await teamIn()
    const ada = await arrive(OWNER, { first_name: "Ada" })
    const bob = await join(VIEWER, { first_name: "Bob" })
    await ada.visitor.open(`/team?member=${bob.id}`)
    expect(formActions(ada.visitor)).toEqual(["role", "hand_over", "remove"])
    expect(ada.visitor.form("Change role").values).toMatchObject({ role: "Viewer", seen: "notes:read" })
    await ada.visitor.fill({ role: "Editor" }, "Change role")
    expect([ada.visitor.leads.href.endsWith(saved("role")), await permissionsOf(bob)]).toEqual([true, EDITOR])
    expect(visibleText(await ada.visitor.follow())).toContain("The role has been changed.")
    expect(visibleText(await ada.visitor.open(`/team?member=${ada.id}`))).toContain("You're the only owner of")
    expect(await act(ada.visitor, "leave")).toMatchObject({ met: [422, "Team"], events: [] })
    expect(visibleText(ada.visitor.page)).toContain("You're the only owner. Make someone else the owner first.")

    expect(await act(ada.visitor, "hand_over", { member: bob.id })).toMatchObject({
      to: saved("handed_over"),
      events: [
        ["membership.updated", ada.user.id, bob.id, ["permissions"]],
        ["membership.updated", ada.user.id, ada.id, ["permissions"]]
      ]
    })
    expect([await permissionsOf(bob), await permissionsOf(ada)]).toEqual([["ar:owner", ...EDITOR], ADMIN])
    expect(visibleText(await ada.visitor.open("/team"))).toMatch(/Ada You \S+ Admin .* Bob \S+ Owner/)
    expect(await act(ada.visitor, "leave")).toMatchObject({
      to: "/team?saved=left",
      events: [["membership.deleted", ada.user.id, ada.id]]
    })
    expect(heading(await ada.visitor.follow())).toBe("No organization yet")
    expect(visibleText(ada.visitor.page)).toContain("You've left the organization.")
    expect([await permissionsOf(ada), await permissionsOf(bob)]).toEqual([404, ["ar:owner", ...EDITOR]])
  })

  test("lets an admin remove a member after confirmation", async () => {
    const { arrive, join, permissionsOf, act, saved } = await teamIn()
    const ida = await arrive(ADMIN)
    const bob = await join(["other:tag"], { first_name: "Bob" })
    await ida.visitor.open(`/team?member=${bob.id}`)
    expect(formActions(ida.visitor)).toEqual(["role", "remove"])
    expect(visibleText(ida.visitor.page)).toMatch(/Remove Bob from .* Remove Bob/)
    expect(ida.visitor.form("Change role").values).toMatchObject({ role: "" })
    expect(statusAndHeading(await ida.visitor.fill({}, "Change role"))).toEqual([422, "Member"])
    expect(await act(ida.visitor, "remove", { member: bob.id })).toMatchObject({
      to: saved("removed"),
      events: [["membership.deleted", ida.user.id, bob.id]]
    })
    expect(await permissionsOf(bob)).toBe(404)
    for (const way of ["remove", "role"]) {
      expect(await act(ida.visitor, way, { member: bob.id, role: "Viewer" })).toMatchObject({
        met: [404, "Team"],
        told: expect.stringContaining("This person is no longer a member."),
        events: []
      })
    }
  })
})

describe("C211, SEC-211: the members of a team", () => {
  test("are listed by name and role, with emails only for members who manage the team", async () => {
    const { join, arrive } = await teamIn()
    const ada = await join(OWNER, { first_name: "Ada", last_name: "King" })
    await join(["other:tag"], { first_name: "Cas" })
    const bob = await arrive(VIEWER, { first_name: "Bob" })
    await bob.visitor.open("/team")
    const told = visibleText(bob.visitor.page)
    expect(told).toMatch(/Ada King Owner .*Cas Custom role .*Bob You \S+ Viewer/)
    expect([told.includes(ada.email), told.includes(bob.email), formActions(bob.visitor)]).toEqual([false, true, []])
    // A search by email would reveal which member has the email.
    expect(visibleText(await bob.visitor.open(`/team?search=${ada.email}`))).toContain("Bob You")
    const ida = await arrive(ADMIN)
    await ida.visitor.open("/team?search=KING")
    expect(visibleText(ida.visitor.page)).toContain(`Ada King ${ada.email} Owner`)
    expect([visibleText(ida.visitor.page).includes("Bob"), formActions(ida.visitor)]).toEqual([false, ["invite"]])
    expect(visibleText(await ida.visitor.open("/team?search=%25_"))).toContain("No members match %_ .")
  })

  test("SEC-77: return no results for a search text that can't be stored", async () => {
    const { arrive } = await teamIn()
    const { visitor } = await arrive(ADMIN)
    for (const text of ["%00", "a%00b"]) {
      const page = await visitor.open(`/team?search=${text}`)
      expect([text, page.status, visibleText(page).includes("No members match")]).toEqual([text, 200, true])
    }
  })

  test("can be searched from ten members on, and get a role from the menu in their row", async () => {
    const { join, arrive, org } = await teamIn()
    const ada = await arrive(OWNER)
    const bob = await join(VIEWER, { first_name: "Bob" })
    await ada.visitor.open("/team")
    expect(ada.visitor.page.text).not.toContain('role="search"')
    for (const _ of Array(8)) await join(VIEWER)
    const { text } = await ada.visitor.open("/team")
    expect(text).toContain('role="search"')
    // Inviting comes first.
    expect(text.indexOf('id="invite"')).toBeLessThan(text.indexOf('id="members"'))
    expect(text).toContain('<button type="submit" name="role" value="Editor">')
    const form = { way: "role", org: org.id, member: bob.id, seen: VIEWER.join(" "), search: "bo", role: "Editor" }
    await ada.visitor.send("/team", form)
    expect([ada.visitor.leads.searchParams.get("saved"), ada.visitor.leads.searchParams.get("search")]).toEqual([
      "role",
      "bo"
    ])
  })

  test("are listed in the order of joining, fifty per page", async () => {
    const { realm, join, arrive, org } = await teamIn()
    const ada = await arrive(OWNER)
    for (const count of Array(60).keys()) {
      const user = await realm.user({ first_name: `Member-${count}` })
      await realm.membership(user.id, org.id)
    }
    await join(OWNER, { first_name: "Last" })
    const shownNames = () => visibleText(ada.visitor.page).match(/Member-\d+/g) ?? []
    await ada.visitor.open("/team")
    const first = shownNames()
    const next = /href="(team[^"]*after=[^"]*)"/.exec(ada.visitor.page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    await ada.visitor.open(`/${next}`)
    const second = shownNames()
    expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([49, 11, 60])
    expect(visibleText(ada.visitor.page)).toMatch(/Last .* First page/)
    for (const after of ["mb_00000000000000000000000000", "x"]) {
      expect(statusAndHeading(await ada.visitor.open(`/team?after=${after}&invited_after=${after}`))).toEqual([
        200,
        "Team"
      ])
    }
  })
})

describe("C212: an invitation to a team", () => {
  test("is sent with a role and can be sent again or withdrawn", async () => {
    const { given } = await clockedService()
    const { realm, origin, arrive, act, saved, org } = await teamIn(await given.realm({ roles }))
    const ida = await arrive(ADMIN)
    const email = `${uniqueText("guest")}@example.test`
    await ida.visitor.open("/team")
    // The default is the role with the fewest permissions, and roles an admin may not grant are missing.
    expect(ida.visitor.form("Send invitation").values).toMatchObject({ role: "Viewer" })
    expect(ida.visitor.page.text).not.toContain("Auditor")
    const invited = await act(ida.visitor, "invite", { email: ` ${email.toUpperCase()}`, role: "Editor" })
    const [made] = (await realm.get("/v2/invitations")).items
    const invitation = String(made?.["id"])
    expect(invited).toMatchObject({
      to: saved("invited"),
      events: [
        ["invitation.org.created", ida.user.id, invitation],
        ["invitation.org.invited", ida.user.id, invitation]
      ]
    })
    expect(made).toMatchObject({ email, permissions: EDITOR, org_id: org.id, inviting_user_id: ida.user.id })
    const again = await act(ida.visitor, "invite", { email, role: "Viewer" })
    expect([again.met, again.events]).toEqual([[422, "Team"], []])
    expect(again.told).toContain("This person already has an open invitation.")
    const guest = new Visitor(realm.transport, origin)
    await guest.open(await linkTo(email))
    expect(await act(ida.visitor, "resend", { invitation })).toMatchObject({
      to: saved("resent"),
      events: [["invitation.org.invited", ida.user.id, invitation]]
    })
    await guest.fill({ password: PASSWORD })
    const { id } = await realm.get(`/v2/users/${email}`)
    expect((await realm.get(`/v2/memberships?user_id=${id}`)).items).toMatchObject([
      { org_id: org.id, permissions: EDITOR }
    ])
    await act(ida.visitor, "invite", { email: "other@example.test", role: "Viewer" })
    const other = String((await realm.get("/v2/invitations")).items[0]?.["id"])
    expect(await act(ida.visitor, "revoke", { invitation: other })).toMatchObject({
      to: saved("revoked"),
      events: [["invitation.org.expired", ida.user.id, other]]
    })
    for (const way of ["resend", "revoke"]) {
      expect(await act(ida.visitor, way, { invitation: other })).toMatchObject({ met: [404, "Team"], events: [] })
    }
  })

  test("cannot be sent if the app doesn't allow invitations", async () => {
    const { realm, app, arrive, act, org } = await teamIn()
    const ida = await arrive(ADMIN)
    await act(ida.visitor, "invite", { email: "one@example.test", role: "Viewer" })
    const invitation = String((await realm.get(`/v2/invitations?org_id=${org.id}`)).items[0]?.["id"])
    await realm.put(`/v2/client_apps/${app.id}`, { client_app: { allow_invitations: false } })
    await ida.visitor.open("/team")
    expect(formActions(ida.visitor)).toEqual(["revoke"])
    const invited = await act(ida.visitor, "invite", { email: "two@example.test", role: "Viewer" })
    expect(invited).toMatchObject({ met: REFUSED, events: [] })
    expect(await act(ida.visitor, "resend", { invitation })).toMatchObject({ met: REFUSED, events: [] })
  })

  test("is limited per org and per email address", () =>
    ownService(
      async ({ given }) => {
        const { realm, arrive, act, org } = await teamIn(await given.realm({ roles, limits: { invitations: 2 } }))
        const ida = await arrive(ADMIN)
        const invite = (name: string) => act(ida.visitor, "invite", { email: `${name}@example.test`, role: "Viewer" })
        expect([(await invite("one")).status, (await invite("two")).status]).toEqual([303, 303])
        expect(await invite("three")).toMatchObject({ met: [429, "Too many attempts"], events: [] })
        const invitation = String((await realm.get(`/v2/invitations?org_id=${org.id}`)).items[0]?.["id"])
        const resend = () => act(ida.visitor, "resend", { invitation })
        expect([(await resend()).status, (await resend()).status]).toEqual([303, 303])
        expect(await resend()).toMatchObject({ met: [429, "Too many attempts"], events: [] })
      },
      { limits: "all" }
    ))
})

describe("C213, SEC-90: granting or revoking permissions", () => {
  test("requires a login within the last ten minutes", async () => {
    const { given, advance } = await clockedService()
    const { arrive, join, act, realm, org, permissionsOf } = await teamIn(await given.realm({ roles }))
    const ada = await arrive(OWNER)
    const bob = await join(VIEWER)
    await advance("10 minutes")
    const guest = { email: "guest@example.test" }
    for (const [way, form] of [
      ["role", { member: bob.id, role: "Admin", seen: "notes:read" }],
      ["hand_over", { member: bob.id }],
      ["leave", {}],
      ["invite", { ...guest, role: "Admin" }],
      ["remove", { member: bob.id }]
    ] as const) {
      const { events } = await act(ada.visitor, way, form)
      const { pathname, searchParams } = ada.visitor.leads
      expect([way, pathname, ...["next", "why", "org"].map((name) => searchParams.get(name)), events]).toEqual([
        way,
        "/login",
        "team",
        "proof",
        org.id,
        []
      ])
    }
    await ada.visitor.follow()
    const login = ada.visitor.page
    expect(visibleText(login)).toContain("To make this change, log in again")
    await ada.visitor.fill({ password: PASSWORD })
    expect([heading(await ada.visitor.follow()), ada.visitor.form("Change role").values["member"]]).toEqual([
      "Member",
      bob.id
    ])
    expect(await permissionsOf(bob)).toEqual(VIEWER)
    // Inviting a member without permissions to manage, or withdrawing an invitation, requires no new login.
    await advance("10 minutes")
    expect((await act(ada.visitor, "invite", { ...guest, role: "Editor" })).status).toBe(303)
    const invitation = String((await realm.get("/v2/invitations")).items[0]?.["id"])
    expect((await act(ada.visitor, "revoke", { invitation })).events).toHaveLength(1)
  })
})
