import type { AssuranceLevel } from "#domain/Authentication"
import type { ReturnPage } from "#domain/HostedPaths"
import type { OrgId } from "#domain/Ids"
import type { LoggedIn, MfaRequired } from "#domain/Login"
import type { ReturnTarget } from "#domain/ReturnUrl"
import type { Login } from "#domain/Session"

/** The parameters with which a login through a provider starts. */
export interface SocialLoginStart extends ReturnTarget {
  /** The hosted page to return to after the login, instead of to the app. */
  readonly ownPage: ReturnPage | null
  /** The secret of the authorization request that continues on `ownPage`. */
  readonly authorization: string | null
  readonly invitation: string | undefined
  /** The assurance level that the app requires for the login. */
  readonly level: AssuranceLevel
}

/** The parameters of a provider's redirect. Blank text counts as missing. */
export interface SocialCallback {
  readonly state: string
  readonly code: string
  readonly error: string
  readonly issuer: string | null
  /** The secrets that this browser received when it started its logins. */
  readonly secrets: ReadonlyArray<string>
}

/** A login that waits for a second-factor code. */
export interface PendingSocialLogin extends SocialLoginStart {
  /** The token of the login. */
  readonly login: string
  /** Whether the invitation was sent to the user who logs in. */
  readonly isInvitee: boolean
}

/** A login with an invitation that was sent to another email. It is accepted only with the user's consent (SEC-92). */
export interface PendingJoin extends SocialLoginStart {
  readonly invitation: string
  /** Whether to report to the app that the user is new. */
  readonly isNew: boolean
}

/** The details of an invitation, as shown to the user who decides whether to accept it. */
export interface JoinDetails {
  readonly email: string
  readonly org: string | undefined
  readonly inviter: string | undefined
  /** Whether the user is already a member, so that the invitation is left to its invitee (C104). */
  readonly isLeftToInvitee: boolean
}

/** A completed login. */
export interface SocialLoggedIn extends LoggedIn {
  /**
   * The org that the user has just joined, which the token names. Null if the user joined no org, or if users of the realm
   * don't choose an org.
   */
  readonly joinedOrgId: OrgId | null
  /** Whether the login created the user. `returnUrl` contains the same information. */
  readonly isNew: boolean
}

/** A completed login whose user must decide whether to accept an invitation. */
export interface JoinRequired {
  readonly _tag: "JoinRequired"
  readonly login: Login
  readonly join: PendingJoin
}

/** The result of a login after the browser has returned from the provider. */
export interface SocialLoginResult {
  readonly outcome: SocialLoggedIn | MfaRequired | JoinRequired
  readonly start: SocialLoginStart
  readonly isInvitee: boolean
  /** The browser's secret used up by this login. */
  readonly used: string
}
