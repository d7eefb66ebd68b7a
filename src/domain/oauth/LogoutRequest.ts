import type { DateTime } from "effect"
import type { AppId, RealmId } from "../Ids.ts"
import { isWithin } from "../Text.ts"

/** The session that a client wants to end, according to an ID token of the realm. */
export interface LogoutHint {
  readonly clientIds: ReadonlyArray<string>
  readonly userId: string
  /** Null: the token belongs to no session. */
  readonly sid: string | null
}

/** A logout requested by a client (OpenID Connect RP-Initiated Logout), waiting for the browser. */
export interface LogoutRequest {
  /** The digest of its secret. */
  readonly id: string
  readonly realmId: RealmId
  /** The app on whose host the browser is logged in. */
  readonly loginAppId: AppId
  /** Null: the client did not identify itself. */
  readonly clientId: AppId | null
  /** The user and session named by the client's ID token. Null: it sent none. */
  readonly userId: string | null
  readonly sid: string | null
  /** The registered URI of the client where the browser goes afterwards. Null: it stays. */
  readonly redirectUri: string | null
  /** The value returned to the client there. */
  readonly state: string | null
  readonly expiresAt: DateTime.Utc
}

/** The longest `state` of a logout, in characters. */
const STATE_LENGTH = 1_024

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

/** Whether a `state` can be returned to the client. */
export const isLogoutState = (state: string): boolean => isWithin(STATE_LENGTH, state) && !INVISIBLE.test(state)

/** The URL that the browser goes to after the logout: the registered URI unchanged, with the `state` appended. Null: it stays. */
export const logoutTarget = ({ redirectUri, state }: Pick<LogoutRequest, "redirectUri" | "state">): string | null => {
  if (redirectUri === null || state === null) return redirectUri
  const join = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?"
  return `${redirectUri}${join}state=${encodeURIComponent(state)}`
}

/** The user logged in to a browser, and the session. */
export interface LoggedInUser {
  readonly userId: string
  readonly sid: string
}

/**
 * The next step of a logout requested by a client. Only a client that presents an ID token of this very session may end it
 * without the user being asked, because anyone can link to a logout (SEC-178).
 */
export const logoutStep = (
  { userId, sid }: Pick<LogoutRequest, "userId" | "sid">,
  visitor: LoggedInUser | undefined
): "is_over" | "end" | "ask" => {
  if (visitor === undefined) return "is_over"
  return sid !== null && sid === visitor.sid && userId === visitor.userId ? "end" : "ask"
}
