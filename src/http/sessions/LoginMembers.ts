import { loginClaims } from "#domain/Claims"
import type { Session } from "#domain/Session"

/** How the user of a session has logged in, under both versions. */
export const loginMembers = ({ authentication }: Session) =>
  authentication === null ? { auth_time: null, amr: [], acr: null } : loginClaims(authentication)
