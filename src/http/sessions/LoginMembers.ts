import { loginClaims } from "#domain/Claims"
import type { Session } from "#domain/Session"

/** How a session's user logged in, for both versions. */
export const loginMembers = ({ authentication }: Session) =>
  authentication === null ? { auth_time: null, amr: [], acr: null } : loginClaims(authentication)
