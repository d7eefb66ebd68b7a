import { Data, type DateTime } from "effect"
import type { ReturnPage } from "./HostedPaths.ts"
import type { AuthProviderId } from "./Ids.ts"
import type { Problem } from "./Rejected.ts"
import type { ReturnTarget } from "./ReturnUrl.ts"
import type { User } from "./User.ts"

/** How long an authorization URL and its state are valid (`v2.external`). */
export const STATE_MINUTES = 30

/** A person's profile at an external provider. */
export interface ExternalProfile {
  /** The person's id at the external provider. */
  readonly providerUserId: string
  /** The email in canonical form, or null if the provider supplied none. */
  readonly email: string | null
  /** Whether the provider has verified the email. */
  readonly emailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
}

/** An access token for the person's account at the provider. */
export interface ProviderToken {
  readonly accessToken: string
  readonly expiresAt: DateTime.Utc | null
}

/** The users of the realm that a profile may refer to. */
export interface ProfileMatches {
  /** The user already linked to this profile. */
  readonly linked: User | undefined
  /** The user with the profile's email. */
  readonly byEmail: User | undefined
  /** Whether `byEmail` is linked to another profile of the same provider. */
  readonly hasOtherProfile: boolean
  /** Whether the verified email allows taking over the account of `byEmail`, whose address was never verified. */
  readonly takesOver: boolean
}

/** The reason for rejecting a login with an external profile. */
export type ExternalRefusal = "login_failed" | "email_missing" | "email_unverified" | "another_profile"

/** The outcome of a login with an external profile. */
export type ExternalDecision =
  | { readonly _tag: "LogsIn"; readonly user: User }
  | { readonly _tag: "Links"; readonly user: User }
  | { readonly _tag: "Creates"; readonly email: string }
  | { readonly _tag: "Refuses"; readonly why: ExternalRefusal }

const canLogIn = ({ userType, state }: User): boolean => userType === "human" && state === "active"

const refuse = (why: ExternalRefusal): ExternalDecision => ({ _tag: "Refuses", why })

/**
 * Decides a login with an external profile (C43). It logs in the linked user, or else links the user who has the profile's
 * email if the provider has verified it. If there is no such user, it creates one.
 */
export const decideExternalLogin = (
  { email, emailVerified }: Pick<ExternalProfile, "email" | "emailVerified">,
  { linked, byEmail, hasOtherProfile, takesOver }: ProfileMatches
): ExternalDecision => {
  if (linked !== undefined) return canLogIn(linked) ? { _tag: "LogsIn", user: linked } : refuse("login_failed")
  if (email === null) return refuse("email_missing")
  if (byEmail === undefined) return { _tag: "Creates", email }
  if (!canLogIn(byEmail)) return refuse("login_failed")
  if (!emailVerified) return refuse("email_unverified")
  return hasOtherProfile && !takesOver ? refuse("another_profile") : { _tag: "Links", user: byEmail }
}

/** The state is unknown, used or expired, or it belongs to another realm. */
export class StateNotFound extends Data.TaggedError("StateNotFound") {}

/**
 * The profile cannot be linked to the current user, because it is linked to another user or the user has another profile at
 * the same provider.
 */
export class LinkRefused extends Data.TaggedError("LinkRefused")<{
  readonly why: "linked_elsewhere" | "another_profile"
}> {}

/** The provider could not be reached, or returned an unusable response. */
export class ProviderFailed extends Data.TaggedError("ProviderFailed")<{
  readonly why: "code_refused" | "access_token_refused" | "provider_unreachable" | "provider_answer"
}> {}

/** The target of a login that was started on a hosted page. */
export interface StartedLogin extends ReturnTarget {
  /** The hosted page to return to after the login, instead of to the app. */
  readonly ownPage: ReturnPage | null
  /** The secret of the authorization request that continues on `ownPage`. */
  readonly authorization: string | null
  readonly invitation: string | undefined
}

/** A login through an external provider failed (`v2.external`). */
export class ExternalLoginRefused extends Data.TaggedError("ExternalLoginRefused")<{
  readonly problem: Problem
  readonly providerId: AuthProviderId
  /** The URL where the person can try again with the same state. */
  readonly retryUrl: string | undefined
  /** The target of the login, or undefined if it was started without a state. */
  readonly started: StartedLogin | undefined
  /** The email in the provider's profile, or null if it has none. */
  readonly userEmail: string | null | undefined
  /** The user who tried to log in, if the profile identifies one. */
  readonly user: User | undefined
}> {}
