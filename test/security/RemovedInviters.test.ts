import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { heading } from "../support/pages.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { ADMIN, EDITOR, OWNER, teamIn, VIEWER } from "../support/teams.ts"
import { accept, UNUSABLE } from "../support/tokens.ts"
import { Visitor } from "../support/visitor.ts"

type Team = Awaited<ReturnType<typeof teamIn>>

/** A pending invitation as an editor, sent by the admin Ida. */
const givenPendingInvitation = async (permissions: ReadonlyArray<string> = ADMIN) => {
  const team = await teamIn()
  const ida = await team.arrive(permissions)
  const email = `${uniqueText("guest")}@example.test`
  expect(await team.act(ida.visitor, "invite", { email, role: "Editor" })).toMatchObject({ status: 303 })
  const { items } = await team.realm.get(`/v2/invitations?org_id=${team.org.id}`)
  const found = await team.realm.get(`/v2/invitations/${String(items[0]?.["id"])}`)
  const guest = await quickUser(team.realm, { email })
  return { ...team, ida, guest, token: found.string("token") }
}

type Invited = Awaited<ReturnType<typeof givenPendingInvitation>>

const put = (realm: Team["realm"], id: string, permissions: ReadonlyArray<string>) =>
  realm.put(`/v2/memberships/${id}`, { membership: { permissions } })

describe("SEC-245: an invitation that an admin sent from the team page", () => {
  test.each<[string, (at: Invited) => Promise<unknown>]>([
    ["was removed from the org", ({ realm, ida }) => realm.delete(`/v2/memberships/${ida.id}`)],
    ["may no longer manage the team", ({ realm, ida }) => put(realm, ida.id, EDITOR)],
    [
      "no longer has the permissions that the invitation grants",
      ({ realm, ida }) => put(realm, ida.id, ["ar:admin", ...VIEWER])
    ],
    ["was deactivated", ({ realm, ida }) => realm.put(`/v2/users/${ida.user.id}`, { user: { state: "inactive" } })],
    ["was deleted", ({ realm, ida }) => realm.delete(`/v2/users/${ida.user.id}`)]
  ])("is rejected after the admin %s", async (_, change) => {
    const at = await givenPendingInvitation()
    const { realm, guest, token, origin } = at
    await change(at)
    const { result, events } = await realm.seen.during(() => accept(realm, guest.id, token))
    expect([result.status, result.errors, events]).toEqual([...UNUSABLE, []])
    const visitor = new Visitor(realm.transport, origin)
    const page = await visitor.open(`/invitation?token=${token}`)
    expect([page.status, heading(page)]).toEqual([410, expect.any(String)])
    expect((await realm.get(`/v2/memberships?user_id=${guest.id}`)).items).toEqual([])
  })

  test("can't be accepted by the removed admin with a second account", async () => {
    const { realm, ida, token } = await givenPendingInvitation()
    const second = await quickUser(realm)
    await realm.delete(`/v2/memberships/${ida.id}`)
    expect((await accept(realm, second.id, token)).status).toBe(422)
    expect((await realm.get(`/v2/memberships?user_id=${second.id}`)).items).toEqual([])
  })

  test("can be accepted only while its sender would still be allowed to send the invitation", async () => {
    const { realm, ida, guest, token } = await givenPendingInvitation()
    await put(realm, ida.id, VIEWER)
    expect((await accept(realm, guest.id, token)).status).toBe(422)
    await put(realm, ida.id, OWNER)
    expect((await accept(realm, guest.id, token)).status).toBe(200)
    expect((await realm.get(`/v2/memberships?user_id=${guest.id}`)).items).toMatchObject([{ permissions: EDITOR }])
  })

  test("depends on its sender's rights, unlike an invitation created via API", async () => {
    const { realm, org, join } = await teamIn()
    const bob = await join(VIEWER)
    const named = { email: "guest@example.test", org_id: org.id, inviting_user_id: bob.user.id, permissions: EDITOR }
    const created = await realm.invitation({ invitation_type: "org", ...named })
    await realm.delete(`/v2/memberships/${bob.id}`)
    expect((await accept(realm, (await quickUser(realm)).id, created.string("token"))).status).toBe(200)
  })
})
