import type { SessionBody, SessionItem } from "#api/sessions/V1"
import type { LinkedSession, Session } from "#domain/Session"
import { membershipBody, userMembers } from "../memberships/BodiesV1.ts"
import { requestAttributes, timeT, timeTOrNull } from "../WireMapping.ts"
import { loginMembers } from "./LoginMembers.ts"

/** A session in a list. */
export const sessionItem = (session: Session): typeof SessionItem.Type => ({
  id: session.id,
  object: "session",
  user_id: session.userId,
  created_at: timeT(session.createdAt),
  expires_at: timeTOrNull(session.expiresAt),
  ...loginMembers(session),
  last_seen_at: timeTOrNull(session.lastSeenAt),
  request: requestAttributes(session)
})

/** A complete session, without its token. If `expanded`, it includes the memberships of its user. */
export const sessionBody = (
  { session, user, memberships }: LinkedSession,
  expanded: boolean
): typeof SessionBody.Type => ({
  ...sessionItem(session),
  user: {
    ...userMembers(user),
    custom: user.custom,
    ...(expanded ? { memberships: memberships.map(membershipBody) } : {})
  }
})
