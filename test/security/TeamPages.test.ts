import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { statusAndHeading, tagsOf, visibleText } from "../support/pages.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { EDITOR, OWNER, REFUSED, teamIn, VIEWER } from "../support/teams.ts"

describe("SEC-208: users who may not manage an org's team", () => {
  test("can't see the team's pages or submit the forms", async () => {
    const { realm, arrive, join, permissionsOf, act, org } = await teamIn()
    const elsewhere = await realm.org({ name: uniqueText("Elsewhere") })
    const ada = await join(OWNER, { first_name: "Ada" })
    const bob = await join(EDITOR)
    const invitation = await realm.invitation({ org_id: org.id, email: "guest@example.test" })
    await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
    const attempts = [
      ["role", { member: bob.id, role: "Viewer", seen: EDITOR.join(" ") }],
      ["role", { member: ada.id, role: "Viewer", seen: "ar:owner" }],
      ["remove", { member: bob.id }],
      ["hand_over", { member: bob.id }],
      ["resend", { invitation: invitation.id }],
      ["revoke", { invitation: invitation.id }]
    ] as const
    const member = await arrive(["notes:read"])
    const stranger = await arrive(OWNER, {}, elsewhere.id)
    for (const { visitor } of [member, stranger]) {
      for (const [way, form] of [...attempts, ["invite", { email: "eve@example.test", role: "Viewer" }] as const]) {
        const { met, events } = await act(visitor, way, form)
        expect([way, met, events]).toEqual([way, REFUSED, []])
      }
    }
    // The name of their own org doesn't give them access to members of this org either.
    for (const [way, form] of attempts) {
      const { met, events } = await act(stranger.visitor, way, { ...form, org: elsewhere.id })
      expect([way, met, events]).toEqual([way, [404, "Team"], []])
    }
    for (const path of [`?org=${org.id}`, `?org=${org.id}&member=${bob.id}`, "?org=org_00000000000000000000000000"]) {
      const page = await stranger.visitor.open(`/team${path}`)
      expect([statusAndHeading(page), visibleText(page)]).toEqual([
        REFUSED,
        expect.stringContaining("You're not a member of this org")
      ])
      expect(page.text).not.toContain("Ada")
    }
    expect(statusAndHeading(await stranger.visitor.open(`/team?org=${elsewhere.id}&member=${bob.id}`))).toEqual([
      404,
      "Team"
    ])
    expect(statusAndHeading(await member.visitor.open(`/team?member=${bob.id}`))).toEqual(REFUSED)
    expect([await permissionsOf(ada), await permissionsOf(bob)]).toEqual([OWNER, EDITOR])
    expect((await realm.get(`/v2/invitations?org_id=${org.id}`)).items).toHaveLength(1)
  })
})

describe("SEC-209: an admin who tries to gain rights", () => {
  test("can't assign unknown roles, exceed their own permissions, or change owners or themselves", async () => {
    const { realm, arrive, join, permissionsOf, act, org } = await teamIn()
    const ada = await join(OWNER)
    const bob = await join(VIEWER)
    const weak = ["ar:admin", "notes:read"]
    const { visitor, ...ida } = await arrive(weak)
    await visitor.open("/team")
    expect(visitor.page.text.match(/<option value="[^"]*"/g)).toEqual(['<option value="Viewer"'])
    const seen = "notes:read"
    for (const role of ["Admin", "Editor", "Auditor", "Owner", "ar:owner", "viewer"]) {
      const changed = await act(visitor, "role", { member: bob.id, role, seen, permissions: "ar:owner" })
      expect([role, changed.met, changed.events]).toEqual([role, [403, "Member"], []])
      const invited = await act(visitor, "invite", { email: "eve@example.test", role, permissions: "ar:owner" })
      expect([role, invited.met, invited.events]).toEqual([role, REFUSED, []])
    }
    const strong = await realm.invitation({ org_id: org.id, email: "boss@example.test", permissions: OWNER })
    await realm.post(`/v2/invitations/${strong.id}/invite`, {})
    for (const [way, form] of [
      ["role", { member: ada.id, role: "Viewer", seen: "ar:owner" }],
      ["remove", { member: ada.id }],
      ["hand_over", { member: bob.id }],
      ["hand_over", { member: ida.id }],
      ["role", { member: ida.id, role: "Viewer", seen: weak.join(" ") }],
      ["remove", { member: ida.id }],
      ["resend", { invitation: strong.id }],
      ["revoke", { invitation: strong.id }]
    ] as const) {
      const { status, events } = await act(visitor, way, form)
      expect([way, status, events]).toEqual([way, 403, []])
    }
    expect(await Promise.all([ada, bob, ida].map(permissionsOf))).toEqual([OWNER, VIEWER, weak])
  })
})

describe("SEC-210: an org always has an owner", () => {
  test("after concurrent role changes and handovers", async () => {
    const { arrive, join, permissionsOf, act } = await teamIn()
    const [ada, eve] = [await arrive(OWNER), await arrive(OWNER)]
    const [bob, cas] = [await join(VIEWER), await join(VIEWER)]
    const owners = async () => {
      const all = await Promise.all([ada, eve, bob, cas].map(permissionsOf))
      return all.filter((one) => typeof one !== "number" && one.includes("ar:owner")).length
    }
    const statuses = (outcomes: ReadonlyArray<{ readonly status: number }>) =>
      outcomes.map(({ status }) => status).toSorted()
    const demoted = await Promise.all([
      act(ada.visitor, "role", { member: eve.id, role: "Viewer", seen: "ar:owner" }),
      act(eve.visitor, "role", { member: ada.id, role: "Viewer", seen: "ar:owner" })
    ])
    expect([statuses(demoted), await owners()]).toEqual([[303, 403], 1])
    const isAda = (await act(ada.visitor, "role", { member: eve.id, role: "Viewer", seen: "ar:owner" })).status === 409
    const [owner, other] = isAda ? [ada, eve] : [eve, ada]
    const stale = await act(owner.visitor, "role", { member: other.id, role: "Editor", seen: "ar:owner" })
    expect([stale.met, stale.events]).toEqual([[409, "Member"], []])
    expect(stale.told).toContain("Someone else has changed this person's role in the meantime.")
    const handed = await Promise.all([
      act(owner.visitor, "hand_over", { member: bob.id }),
      act(owner.visitor, "hand_over", { member: cas.id })
    ])
    expect([statuses(handed), await owners()]).toEqual([[303, 403], 1])
  })

  test("after two owners leave concurrently", async () => {
    const { realm, arrive, join, permissionsOf, act } = await teamIn()
    const [ada, eve] = [await arrive(OWNER), await arrive(OWNER)]
    const left = await Promise.all([act(ada.visitor, "leave"), act(eve.visitor, "leave")])
    expect(left.map(({ status }) => status).toSorted()).toEqual([303, 422])
    const { visitor } = (await permissionsOf(ada)) === 404 ? eve : ada
    const [asleep, passing] = [await join(VIEWER), await join(VIEWER)]
    await realm.put(`/v2/users/${asleep.user.id}`, { user: { state: "inactive" } })
    await realm.put(`/v2/memberships/${passing.id}`, { membership: { expires_at: 4_000_000_000 } })
    for (const { id } of [asleep, passing]) {
      const handed = await act(visitor, "hand_over", { member: id })
      expect([handed.met, handed.events]).toEqual([[403, "Member"], []])
      await realm.put(`/v2/memberships/${id}`, { membership: { permissions: OWNER } })
    }
    expect(await act(visitor, "leave")).toMatchObject({ status: 422, events: [] })
  })
})

describe("SEC-211: information on a team's page", () => {
  test("shows names as text in every view", async () => {
    const { realm, arrive, join, org } = await teamIn()
    const { visitor, id } = await arrive(OWNER, { first_name: "Ada" })
    const bob = await join(VIEWER, { first_name: "Bob" })
    const name = '<img src=x onerror="alert(1)">'
    const tags = async () => {
      const found = []
      for (const query of ["", `?member=${bob.id}`, `?member=${id}`, "?search=b"]) {
        found.push(tagsOf(await visitor.open(`/team${query}`)))
      }
      return found
    }
    const before = await tags()
    await realm.put(`/v2/users/${bob.user.id}`, { user: { first_name: name, last_name: "b" } })
    await realm.put(`/v2/orgs/${org.id}`, { org: { name } })
    expect(await tags()).toEqual(before)
    expect(visibleText(await visitor.open(`/team?member=${bob.id}`))).toContain(`Remove ${name} b`)
    expect((await visitor.open(`/team?search=${encodeURIComponent(`"'${name}`)}`)).text).not.toContain("<img")
  })

  test("doesn't reveal whether an invited person has an account", async () => {
    const { realm, arrive, act } = await teamIn()
    const { visitor } = await arrive(OWNER)
    const known = (await quickUser(realm)).string("email")
    const [one, other] = [
      await act(visitor, "invite", { email: known, role: "Viewer" }),
      await act(visitor, "invite", { email: "nobody@example.test", role: "Viewer" })
    ]
    const outcomeOf = ({ to, events }: typeof one) => [to, events.map(([type]) => type)]
    expect(outcomeOf(one)).toEqual(outcomeOf(other))
    expect(one.events).toHaveLength(2)
  })
})
