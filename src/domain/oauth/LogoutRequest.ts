import type { DateTime } from "effect"
import type { AppId, RealmId } from "../Ids.ts"
import { isWithin } from "../Text.ts"

/** Whose session a client wants to end: what an ID token of the realm says. */
export interface LogoutHint {
  readonly clientIds: ReadonlyArray<string>
  readonly userId: string
  /** Null: the token belongs to no session. */
  readonly sid: string | null
}

/** A logout that a client has asked for (OpenID Connect RP-Initiated Logout), as it waits for the browser. */
export interface LogoutRequest {
  /** The digest of its secret. */
  readonly id: string
  readonly realmId: RealmId
  /** The app on whose host the browser is logged in. */
  readonly loginAppId: AppId
  /** Null: the client has not said who it is. */
  readonly clientId: AppId | null
  /** What the client has shown of the session. Null: nothing. */
  readonly userId: string | null
  readonly sid: string | null
  /** Where the browser goes then: a registered address of the client. Null: it stays. */
  readonly redirectUri: string | null
  /** What the client gets back there. */
  readonly state: string | null
  readonly expiresAt: DateTime.Utc
}

/** The longest `state` of a logout, in characters. */
const STATE_LENGTH = 1_024

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u

/** Whether a `state` can be given back. */
export const isLogoutState = (state: string): boolean => isWithin(STATE_LENGTH, state) && !INVISIBLE.test(state)

/** Where the browser goes after the logout: the registered address as it is, and after it the `state`. Null: it stays. */
export const logoutTarget = ({ redirectUri, state }: Pick<LogoutRequest, "redirectUri" | "state">): string | null => {
  if (redirectUri === null || state === null) return redirectUri
  const join = redirectUri.includes("?") ? (/[?&]$/.test(redirectUri) ? "" : "&") : "?"
  return `${redirectUri}${join}state=${encodeURIComponent(state)}`
}

/** Who is logged in in a browser, and in which session. */
export interface LoggedIn {
  readonly userId: string
  readonly sid: string
}

/**
 * What becomes of a logout that a client has asked for. Only a client that shows an ID token of this very session may end it
 * without the user being asked: anybody can link to a logout (SEC-178).
 */
export const logoutStep = (
  { userId, sid }: Pick<LogoutRequest, "userId" | "sid">,
  visitor: LoggedIn | undefined
): "is_over" | "end" | "ask" => {
  if (visitor === undefined) return "is_over"
  return sid !== null && sid === visitor.sid && userId === visitor.userId ? "end" : "ask"
}
