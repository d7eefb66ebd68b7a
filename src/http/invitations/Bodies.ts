import { Effect } from "effect"
import type { InvitationBody } from "#api/invitations/V2"
import { Caller } from "#domain/Caller"
import type { InvitationWithToken } from "#domain/Invitation"
import { allows } from "#domain/Level"
import { orgItem } from "../memberships/BodiesV2.ts"
import { timeT, timeTOrNull } from "../WireMapping.ts"

const members = (invitation: InvitationWithToken, open: boolean): typeof InvitationBody.Type => ({
  id: invitation.id,
  object: "invitation",
  invitation_type: invitation.invitationType,
  realm_id: invitation.realmId,
  created_at: timeT(invitation.createdAt),
  email: invitation.email,
  expires_at: timeT(invitation.expiresAt),
  invited_at: timeTOrNull(invitation.invitedAt),
  inviting_user_id: invitation.invitingUserId,
  org_id: invitation.orgId,
  auth_provider_id: invitation.authProviderId,
  client_app_id: invitation.appId,
  locale: invitation.locale,
  permissions: invitation.permissions,
  token: open ? invitation.token : null,
  ...(invitation.invitationType === "org" && invitation.org !== null ? { org: orgItem(invitation.org, true) } : {})
})

/** An invitation as the caller may see it. Its token admits anyone who has it, so reading it requires level `write` (C6). */
export const invitationBody = (invitation: InvitationWithToken) =>
  Effect.map(Caller, ({ level }) => members(invitation, allows(level, "write")))
