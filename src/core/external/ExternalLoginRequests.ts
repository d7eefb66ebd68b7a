import type { OrgId } from "#domain/Ids"
import type { LoginOutcome } from "#domain/Login"
import type { PendingKind } from "../login/LoginCompletion.ts"
import type { TokenScope } from "../sessions/NewSessions.ts"
import type { SentName } from "./OAuthStates.ts"

/** What a login through a provider issues. */
export interface LoginRequest {
  readonly pendingKind: PendingKind
  readonly scope: TokenScope
}

/** The authorization response in a provider's redirect: a code or an error. Blank text counts as missing. */
export interface AuthorizationResponse extends LoginRequest {
  readonly code: string
  readonly error: string
  readonly state: string
  /** The nonce from the caller's session. */
  readonly nonce: string | null
  readonly issuer: string | null
  /** The name that Apple sends with the first login. */
  readonly name?: SentName | undefined
}

/** A login with an access token that the caller obtained with the provider's own SDK. */
export interface AccessTokenLogin extends LoginRequest {
  readonly accessToken: string
}

/**
 * The outcome of a login through a provider. `isNew` is true if the login created the user. `isInvitee` is true if the
 * invitation is for this user; otherwise the login has not accepted it. `joinedOrgId` is the org of the invitation that the
 * login accepted. If the token names an org, it names this one.
 */
export type ExternalOutcome = LoginOutcome & {
  readonly isNew: boolean
  readonly isInvitee: boolean
  readonly joinedOrgId: OrgId | null
}
