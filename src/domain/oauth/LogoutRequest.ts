import type { DateTime } from "effect"
import type { AppId, RealmId } from "../Ids.ts"
import { isWithin } from "../Text.ts"

/** The session that a client wants to end, as named by an ID token of the realm. */
export interface LogoutHint {
  readonly clientIds: ReadonlyArray<string>
  readonly userId: string
  /** The session's id, or null if the token does not belong to a session. */
  readonly sid: string | null
}

/** A logout requested by a client, waiting for the browser (OpenID Connect RP-Initiated Logout). */
export interface LogoutRequest {
  /** The digest of the request's secret. */
  readonly id: string
  readonly realmId: RealmId
  /** The app on whose host the browser is logged in. */
  readonly loginAppId: AppId
  /** Null if the client did not identify itself. */
  readonly clientId: AppId | null
  /** The user and session named by the client's ID token. Null if it sent none. */
  readonly userId: string | null
  readonly sid: string | null
  /** The client's registered URI to redirect the browser to after the logout, or null if it stays. */
  readonly redirectUri: string | null
  /** The value to return to the client at that URI. */
  readonly state: string | null
  readonly expiresAt: DateTime.Utc
}

/** The maximum length of a logout's `state`, in characters. */
const STATE_LENGTH = 1_024

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

/** Returns whether a `state` can be returned to the client. */
export const isLogoutState = (state: string): boolean => isWithin(STATE_LENGTH, state) && !INVISIBLE.test(state)

/**
 * The URL to redirect the browser to after the logout: the registered URI unchanged, with the `state` appended. Null if the
 * browser stays.
 */
export const logoutTarget = ({ redirectUri, state }: Pick<LogoutRequest, "redirectUri" | "state">): string | null => {
  if (redirectUri === null || state === null) return redirectUri
  const join = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?"
  return `${redirectUri}${join}state=${encodeURIComponent(state)}`
}

/** The user logged in to a browser, and their session. */
export interface LoggedInUser {
  readonly userId: string
  readonly sid: string
}

/**
 * Decides the next step of a logout requested by a client. The user is asked first, unless the client presents an ID token of
 * this very session. Otherwise anyone could log users out with a link (SEC-178).
 */
export const logoutStep = (
  { userId, sid }: Pick<LogoutRequest, "userId" | "sid">,
  visitor: LoggedInUser | undefined
): "is_over" | "end" | "ask" => {
  if (visitor === undefined) return "is_over"
  return sid !== null && sid === visitor.sid && userId === visitor.userId ? "end" : "ask"
}
