import { DateTime } from "effect"
import { InvitationId, MembershipId, OrgId, UserId } from "#domain/Ids"
import type { Invitation } from "#domain/Invitation"
import type { LinkedMembership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import type { Team } from "#domain/Team"
import type { View } from "#hosted/markup/Document"
import type { FieldError } from "#hosted/markup/Fields"
import type { AppPageContext } from "#hosted/PageContext"
import { leaveView, memberView } from "#hosted/pages/team/MemberView"
import { teamView } from "#hosted/pages/team/TeamView"
import { userOf } from "./PageSamples.ts"

const at = DateTime.makeUnsafe("2026-11-21T12:00:00Z")

/** The team pages, by name, with `sampleText` in every text. */
export const teamPages = (
  visit: AppPageContext,
  sampleText: string,
  errors: ReadonlyArray<FieldError> = []
): Readonly<Record<string, View>> => {
  const realmId = visit.realm.id
  const roles = [
    { name: sampleText, permissions: ["notes:read"] },
    { name: `${sampleText} too`, permissions: ["notes:write"] }
  ]
  const context = { ...visit, realm: { ...visit.realm, roles } }
  const org: Org = {
    id: OrgId.make("org_1"),
    realmId,
    state: "active",
    name: sampleText,
    reference: sampleText,
    custom: {},
    createdAt: at
  }
  const memberOf = (id: number, permissions: ReadonlyArray<string>): LinkedMembership => ({
    id: MembershipId.make(`mb_${id}`),
    realmId,
    userId: UserId.make(`usr_${id}`),
    orgId: org.id,
    permissions,
    custom: {},
    createdAt: at,
    expiresAt: null,
    org,
    user: userOf(sampleText)
  })
  const own = memberOf(1, ["ar:owner"])
  const team: Team = { org, own }
  const other: Team = { org: { ...org, id: OrgId.make("org_2") }, own: { ...own, id: MembershipId.make("mb_9") } }
  const members = [own, memberOf(2, ["notes:read"]), memberOf(3, [sampleText])]
  const invitation: Invitation = {
    id: InvitationId.make("inv_1"),
    realmId,
    invitationType: "org",
    email: sampleText,
    orgId: org.id,
    invitingUserId: own.userId,
    isSentByMember: false,
    authProviderId: null,
    appId: null,
    permissions: ["notes:read"],
    locale: "en",
    createdAt: at,
    invitedAt: at,
    expiresAt: at
  }
  const state = {
    teams: [team, other],
    team,
    members: { items: members, more: true },
    search: sampleText,
    after: "mem_1",
    invitations: { items: [invitation], more: true, isLater: true },
    mayInvite: true,
    typed: { email: sampleText, role: sampleText },
    errors
  }
  return {
    team: teamView(context, state),
    teamNobody: teamView(context, { ...state, members: { items: [], more: false } }),
    teamMember: memberView(context, { team, member: memberOf(2, ["notes:read"]), refusedWay: undefined, errors }),
    teamLeave: leaveView(context, team, true, { errors }),
    teamLastOwner: leaveView(context, team, false, {})
  }
}
