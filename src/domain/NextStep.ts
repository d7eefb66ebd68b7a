import { type AssuranceLevel, type AuthenticationMethod, assuranceOf } from "./Authentication.ts"
import type { ReturnPage } from "./HostedPaths.ts"
import type { LoggedIn, MfaRequired } from "./Login.ts"
import type { RealmSettings } from "./Realm.ts"

/** The step that a login still needs after a proof of identity: none, the user's second factor, or setting one up. */
export type RequiredFactor = "none" | "second_factor" | "enrolment"

/** The facts that decide whether a login needs a second factor. */
export interface FactorState {
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Whether the user has a second factor that a login can require. */
  readonly hasSecondFactor: boolean
  /** The assurance level that the app requested with `acr_values`. */
  readonly requested: AssuranceLevel
}

/**
 * Decides whether a login needs a second factor (C147). Users who have one must use it, unless they have already proved two
 * factors. Users who have none must set one up if the realm requires it or the app requested `aal2`. If the realm's `mfa`
 * is `off`, no second factor is needed.
 */
export const requiredFactor = (
  { mfa }: Pick<RealmSettings, "mfa">,
  { methods, hasSecondFactor, requested }: FactorState
): RequiredFactor => {
  if (mfa === "off" || assuranceOf(methods) === "aal2") return "none"
  if (hasSecondFactor) return "second_factor"
  return mfa === "required" || requested === "aal2" ? "enrolment" : "none"
}

/** A signup that waits until the user follows the link in an email, which verifies the address. */
export interface VerificationSent {
  readonly _tag: "VerificationSent"
  readonly email: string
}

/** The state of a login on the hosted pages, after a correct password, code or passkey, or after a signup. */
export interface LoginState {
  /** The outcome of the login so far. `returnUrl` is null if the app has no login handler. */
  readonly outcome:
    | VerificationSent
    | Pick<MfaRequired, "_tag" | "token" | "enrolment">
    | Pick<LoggedIn, "_tag" | "returnUrl">
  /** Whether the account is scheduled for deletion (C307). */
  readonly isDeletionScheduled: boolean
  /** Whether to offer a passkey: the user and the browser could have one but don't. */
  readonly mayOfferPasskey: boolean
  /** The page that required the login, or null if the app required it. */
  readonly page: ReturnPage | null
  /** The number of orgs to choose from. */
  readonly orgCount: number
  /** Whether the realm requires a second factor that the browser's session lacks (SEC-132). */
  readonly lacksSecondFactor: boolean
}

/** The step that a login shows or continues with next. */
export type NextStep =
  /** Show that a verification email was sent. */
  | { readonly _tag: "VerifyEmail"; readonly email: string }
  /** Ask for the second factor. `token` belongs to the pending login. */
  | { readonly _tag: "SecondFactor"; readonly token: string }
  /** Let the user set up a second factor. */
  | { readonly _tag: "Enrolment"; readonly token: string }
  /** Show that the account will be deleted, and let the user keep it. */
  | { readonly _tag: "DeletionNotice" }
  /** Offer to create a passkey (C138). */
  | { readonly _tag: "PasskeyOffer" }
  /** Continue the OAuth client's authorization request. `AuthorizationStep` handles consent and the code. */
  | { readonly _tag: "Authorization" }
  /** Return to the page that required the login. */
  | { readonly _tag: "Page"; readonly page: ReturnPage }
  /** Ask the user to choose one of several orgs. */
  | { readonly _tag: "OrgChoice" }
  /** Show the login page to ask for the missing second factor. */
  | { readonly _tag: "StepUp" }
  /** Redirect to the app. */
  | { readonly _tag: "App"; readonly url: string }
  /** Show the user's profile, because the app has no login handler. */
  | { readonly _tag: "Profile" }

/** Decides the next step of a login. The first step that applies wins. */
export const nextStep = (login: LoginState): NextStep => {
  const { outcome, isDeletionScheduled, mayOfferPasskey, page, orgCount, lacksSecondFactor } = login
  if (outcome._tag === "VerificationSent") return { _tag: "VerifyEmail", email: outcome.email }
  if (outcome._tag === "MfaRequired") {
    return { _tag: outcome.enrolment === undefined ? "SecondFactor" : "Enrolment", token: outcome.token }
  }
  const isForApp = page === null || page === "authorize"
  if (isDeletionScheduled && isForApp) return { _tag: "DeletionNotice" }
  if (mayOfferPasskey && isForApp) return { _tag: "PasskeyOffer" }
  if (page === "authorize") return { _tag: "Authorization" }
  if (page !== null) return { _tag: "Page", page }
  if (orgCount > 1) return { _tag: "OrgChoice" }
  if (lacksSecondFactor) return { _tag: "StepUp" }
  return outcome.returnUrl === null ? { _tag: "Profile" } : { _tag: "App", url: outcome.returnUrl }
}
