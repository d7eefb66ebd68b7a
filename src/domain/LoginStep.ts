import { Context } from "effect"
import { type AssuranceLevel, type AuthenticationMethod, assuranceOf } from "./Authentication.ts"
import type { RealmSettings } from "./Realm.ts"

/** What follows what somebody has shown: a session, a code of their second factor, or the set-up of one. */
export type LoginStep = "session" | "code" | "enrolment"

/** The level that the app of a login asks for by `acr_values`. */
export const RequestedLevel = Context.Reference<AssuranceLevel>("sallyport/domain/RequestedLevel", {
  defaultValue: () => "aal1"
})

/** What is known of a login after a proof of identity. */
export interface LoginProgress {
  readonly methods: ReadonlyArray<AuthenticationMethod>
  /** Whether the user has a second factor that logins wait for. */
  readonly secondFactor: boolean
  readonly requested: AssuranceLevel
}

/**
 * The next step of a login (C147). Whoever has a second factor is asked for it, unless two were shown. Whoever has none sets
 * one up if the realm requires it or the app asks for two. A realm with `off` asks nobody.
 */
export const nextLoginStep = (
  { mfa }: Pick<RealmSettings, "mfa">,
  { methods, secondFactor, requested }: LoginProgress
): LoginStep => {
  if (mfa === "off" || assuranceOf(methods) === "aal2") return "session"
  if (secondFactor) return "code"
  return mfa === "required" || requested === "aal2" ? "enrolment" : "session"
}
