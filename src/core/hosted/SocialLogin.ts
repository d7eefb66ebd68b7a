import type { AssuranceLevel } from "#domain/Authentication"
import type { ReturnPage } from "#domain/HostedPaths"
import type { OrgId } from "#domain/Ids"
import type { LoggedIn, MfaRequired } from "#domain/Login"
import type { ReturnTarget } from "#domain/ReturnUrl"
import type { Login } from "#domain/Session"

/** The start of a login through a provider: where the login returns to, and which invitation it accepts. */
export interface SocialLoginStart extends ReturnTarget {
  /** The hosted page to which the login returns, in place of the app. */
  readonly ownPage: ReturnPage | null
  /** The secret of the authorization request that the login continues with at that page. */
  readonly authorization: string | null
  readonly invitation: string | undefined
  /** The level that the app demands of the login. */
  readonly level: AssuranceLevel
}

/** The parameters with which a provider sends a browser back. Blank text counts as absent. */
export interface SocialCallback {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string | null
  /** The secrets that this browser received when its logins started. */
  readonly secrets: ReadonlyArray<string>
}

/** A login that waits for a second-factor code. */
export interface PendingSocialLogin extends SocialLoginStart {
  /** The token of the login. */
  readonly login: string
  /** Whether the invitation was sent to the user who logs in. */
  readonly isInvitee: boolean
}

/** A login with an invitation that was sent to another e-mail: only the user's consent accepts it (SEC-92). */
export interface PendingJoin extends SocialLoginStart {
  readonly invitation: string
  /** Whether the app is told that the user is new. */
  readonly isNew: boolean
}

/** An invitation, as shown to the user who decides whether to accept it. */
export interface JoinDetails {
  readonly email: string
  readonly org: string | undefined
  readonly inviter: string | undefined
  /** Whether the user, who is a member already, leaves the invitation to its invitee (C104). */
  readonly isLeft: boolean
}

/** The user is logged in. */
export interface SocialLoggedIn extends LoggedIn {
  /** The org that the user has just joined, which the token names. Null: none, or users choose no org in the realm. */
  readonly joinedOrgId: OrgId | null
  /** Whether the login has created the user, which `returnUrl` tells. */
  readonly isNew: boolean
}

/** The user is logged in, and must decide whether to accept an invitation. */
export interface JoinRequired {
  readonly _tag: "JoinRequired"
  readonly login: Login
  readonly join: PendingJoin
}

/** The result of a login whose browser has returned from the provider. */
export interface SocialLoginResult {
  readonly outcome: SocialLoggedIn | MfaRequired | JoinRequired
  readonly start: SocialLoginStart
  readonly isInvitee: boolean
  /** The browser's secret that this login has used up. */
  readonly used: string
}
