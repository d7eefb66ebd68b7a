import type { AssuranceLevel } from "#domain/Authentication"
import type { ReturnPage } from "#domain/HostedPaths"
import type { OrgId } from "#domain/Ids"
import type { LoggedIn, MfaRequired } from "#domain/Login"
import type { ReturnTarget } from "#domain/ReturnUrl"
import type { Login } from "#domain/Session"

/** The start of a login through a provider: where the login returns to, and which invitation it accepts. */
export interface SocialLoginStart extends ReturnTarget {
  /** The hosted page to return to after the login, instead of the app. */
  readonly ownPage: ReturnPage | null
  /** The secret of the authorization request that continues on that page. */
  readonly authorization: string | null
  readonly invitation: string | undefined
  /** The assurance level that the app demands of the login. */
  readonly level: AssuranceLevel
}

/** The parameters with which a provider sends a browser back. Blank text counts as missing. */
export interface SocialCallback {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string | null
  /** The secrets given to this browser when its logins started. */
  readonly secrets: ReadonlyArray<string>
}

/** A login that waits for a second-factor code. */
export interface PendingSocialLogin extends SocialLoginStart {
  /** The token of the login. */
  readonly login: string
  /** Whether the invitation was sent to the user who logs in. */
  readonly isInvitee: boolean
}

/** A login with an invitation sent to another email, which is accepted only with the user's consent (SEC-92). */
export interface PendingJoin extends SocialLoginStart {
  readonly invitation: string
  /** Whether to tell the app that the user is new. */
  readonly isNew: boolean
}

/** An invitation, as shown to the user who decides whether to accept it. */
export interface JoinDetails {
  readonly email: string
  readonly org: string | undefined
  readonly inviter: string | undefined
  /** Whether the user is already a member and leaves the invitation to its invitee (C104). */
  readonly isLeftToInvitee: boolean
}

/** A completed login. */
export interface SocialLoggedIn extends LoggedIn {
  /**
   * The org that the user has just joined, which the token names. Null if the user joined none, or if users of the
   * realm don't choose an org.
   */
  readonly joinedOrgId: OrgId | null
  /** Whether the login created the user. `returnUrl` says the same. */
  readonly isNew: boolean
}

/** A completed login whose user must decide whether to accept an invitation. */
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
  /** The browser's secret used up by this login. */
  readonly used: string
}
