import { loginClaims } from "#domain/Claims"
import type { Session } from "#domain/Session"

/** Members that describe how a session's user logged in, the same in both versions. */
export const loginMembers = ({ authentication }: Session) =>
  authentication === null ? { auth_time: null, amr: [], acr: null } : loginClaims(authentication)
