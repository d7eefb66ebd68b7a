import type { SessionBody, SessionItem } from "#api/sessions/V2"
import type { Login, Session } from "#domain/Session"
import { membershipBody, userMembers } from "../memberships/BodiesV2.ts"
import { requestAttributes, timeT, timeTOrNull } from "../WireMapping.ts"
import { loginMembers } from "./LoginMembers.ts"

/** A session in a list. */
export const sessionItem = (session: Session): typeof SessionItem.Type => ({
  id: session.id,
  object: "session",
  client_app_id: session.appId,
  created_at: timeT(session.createdAt),
  expires_at: timeTOrNull(session.expiresAt),
  ...loginMembers(session),
  last_seen_at: timeTOrNull(session.lastSeenAt),
  user_id: session.userId,
  request: requestAttributes(session)
})

/** A complete session. If `expanded`, it includes the memberships of its user. */
export const sessionBody = (
  { session, user, memberships, token }: Login,
  expanded: boolean
): typeof SessionBody.Type => ({
  ...sessionItem(session),
  token,
  user: {
    ...userMembers(user),
    custom: user.custom,
    ...(expanded ? { memberships: memberships.map(membershipBody) } : {})
  }
})
