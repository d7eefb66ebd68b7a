import { type AssuranceLevel, type AuthenticationMethod, assuranceOf } from "./Authentication.ts"
import type { ReturnPage } from "./HostedPaths.ts"
import type { LoggedIn, MfaRequired } from "./Login.ts"
import type { RealmSettings } from "./Realm.ts"

/** What a login still needs after a proof of identity: nothing, the user's second factor, or a new one. */
export type RequiredFactor = "none" | "second_factor" | "enrolment"

/** The facts that decide whether a login needs a second factor. */
export interface FactorState {
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Whether the user has a second factor that logins require. */
  readonly hasSecondFactor: boolean
  /** The level that the app requested with `acr_values`. */
  readonly requested: AssuranceLevel
}

/**
 * Decides whether a login needs a second factor (C147). Users who have one must show it, unless they have already shown two
 * factors. Users who have none must set one up if the realm requires it or the app requested `aal2`. If the realm's `mfa` is
 * `off`, no login needs one.
 */
export const requiredFactor = (
  { mfa }: Pick<RealmSettings, "mfa">,
  { methods, hasSecondFactor, requested }: FactorState
): RequiredFactor => {
  if (mfa === "off" || assuranceOf(methods) === "aal2") return "none"
  if (hasSecondFactor) return "second_factor"
  return mfa === "required" || requested === "aal2" ? "enrolment" : "none"
}

/** A signup that continues with the link in an email, which verifies the address. */
export interface VerificationSent {
  readonly _tag: "VerificationSent"
  readonly email: string
}

/** The state of a login on the pages, after a correct password, code or passkey, or after a signup. */
export interface LoginState {
  /** The outcome of that proof. `returnUrl` null: the app has no login handler. */
  readonly outcome:
    | VerificationSent
    | Pick<MfaRequired, "_tag" | "token" | "enrolment">
    | Pick<LoggedIn, "_tag" | "returnUrl">
  /** Whether the user and the browser could have a passkey, and have none. */
  readonly mayOfferPasskey: boolean
  /** The page that required the login. Null: the app did. */
  readonly page: ReturnPage | null
  /** The number of orgs to choose from. */
  readonly orgCount: number
  /** Whether the browser's session lacks the second factor that the realm requires (SEC-132). */
  readonly lacksSecondFactor: boolean
}

/** What a login shows next, or where it continues. */
export type NextStep =
  /** The notice that a verification email was sent. */
  | { readonly _tag: "VerifyEmail"; readonly email: string }
  /** The form for the second factor. `token`: of the pending login. */
  | { readonly _tag: "SecondFactor"; readonly token: string }
  /** The form that sets up a second factor. */
  | { readonly _tag: "Enrolment"; readonly token: string }
  /** The page that offers a passkey (C138). */
  | { readonly _tag: "PasskeyOffer" }
  /** The authorization request of an OAuth client: `AuthorizationStep` decides on consent and the code. */
  | { readonly _tag: "Authorization" }
  /** The page that required the login. */
  | { readonly _tag: "Page"; readonly page: ReturnPage }
  /** The choice between several orgs. */
  | { readonly _tag: "OrgChoice" }
  /** The login page, which asks for the missing second factor. */
  | { readonly _tag: "StepUp" }
  /** The app. */
  | { readonly _tag: "App"; readonly url: string }
  /** The user's profile, if the app has no login handler. */
  | { readonly _tag: "Profile" }

/** The next step of a login: the first in this order that applies. */
export const nextStep = (login: LoginState): NextStep => {
  const { outcome, mayOfferPasskey, page, orgCount, lacksSecondFactor } = login
  if (outcome._tag === "VerificationSent") return { _tag: "VerifyEmail", email: outcome.email }
  if (outcome._tag === "MfaRequired") {
    return { _tag: outcome.enrolment === undefined ? "SecondFactor" : "Enrolment", token: outcome.token }
  }
  if (mayOfferPasskey && (page === null || page === "authorize")) return { _tag: "PasskeyOffer" }
  if (page === "authorize") return { _tag: "Authorization" }
  if (page !== null) return { _tag: "Page", page }
  if (orgCount > 1) return { _tag: "OrgChoice" }
  if (lacksSecondFactor) return { _tag: "StepUp" }
  return outcome.returnUrl === null ? { _tag: "Profile" } : { _tag: "App", url: outcome.returnUrl }
}
