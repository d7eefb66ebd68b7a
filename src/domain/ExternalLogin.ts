import { Data, type DateTime } from "effect"
import type { AuthProviderId } from "./Ids.ts"
import type { Problem } from "./Rejected.ts"
import type { User } from "./User.ts"

/** How long an authorization URL, and the state in it, is good (api-v2 section 8). */
export const STATE_MINUTES = 30

/** A person as a provider elsewhere tells of one. */
export interface Profile {
  /** Who it is to that provider. */
  readonly providerUserId: string
  /** Canonical; null: it tells none. */
  readonly email: string | null
  /** Whether the provider says that the e-mail is the person's own. */
  readonly emailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
}

/** What a provider gives to act for a person by. */
export interface ProviderToken {
  readonly accessToken: string
  readonly expiresAt: DateTime.Utc | null
}

/** Whom a profile may belong to, as the realm knows them. */
export interface KnownUsers {
  /** The user whose profile it is. */
  readonly linked: User | undefined
  /** The one user with its e-mail. */
  readonly byEmail: User | undefined
  /** Whether that one has another profile of the same provider. */
  readonly hasAnother: boolean
  /** Whether the e-mail's proof takes that one's account over: nobody had ever proved it. */
  readonly takesOver: boolean
}

/** Why a profile lets nobody in. */
export type WhyNobody = "login_failed" | "email_missing" | "email_unverified" | "another_profile"

/** What a login by a profile comes to. */
export type ExternalDecision =
  | { readonly _tag: "Enters"; readonly user: User }
  | { readonly _tag: "Links"; readonly user: User }
  | { readonly _tag: "Creates"; readonly email: string }
  | { readonly _tag: "Refuses"; readonly why: WhyNobody }

const mayEnter = ({ userType, state }: User): boolean => userType === "human" && state === "active"

const refuses = (why: WhyNobody): ExternalDecision => ({ _tag: "Refuses", why })

/** Decides a login by a profile elsewhere (decision 43): by who it is there, else by an e-mail that the provider verified. */
export const decideExternalLogin = (
  { email, emailVerified }: Pick<Profile, "email" | "emailVerified">,
  { linked, byEmail, hasAnother, takesOver }: KnownUsers
): ExternalDecision => {
  if (linked !== undefined) return mayEnter(linked) ? { _tag: "Enters", user: linked } : refuses("login_failed")
  if (email === null) return refuses("email_missing")
  if (byEmail === undefined) return { _tag: "Creates", email }
  if (!mayEnter(byEmail)) return refuses("login_failed")
  if (!emailVerified) return refuses("email_unverified")
  return hasAnother && !takesOver ? refuses("another_profile") : { _tag: "Links", user: byEmail }
}

/** A state that is not there (any more): unknown, used, expired, or of another realm. */
export class StateNotFound extends Data.TaggedError("StateNotFound") {}

/** A provider could not be asked, or what it answered lets nobody in. */
export class ProviderFailed extends Data.TaggedError("ProviderFailed")<{
  readonly why: "code_refused" | "access_token_refused" | "provider_unreachable" | "provider_answer"
}> {}

/** A login through a provider elsewhere that came to nothing (api-v2 section 4, rule 6). */
export class ExternalLoginRefused extends Data.TaggedError("ExternalLoginRefused")<{
  readonly problem: Problem
  readonly providerId: AuthProviderId
  /** Where the person can try again, with the same state. */
  readonly retryUrl: string | undefined
  /** The e-mail that the provider told of; null: it told none. */
  readonly userEmail: string | null | undefined
}> {}
