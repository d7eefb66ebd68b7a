import { Context, type DateTime } from "effect"
import { type AssuranceLevel, type Authentication, assuranceLevels, assuranceOf } from "./Authentication.ts"
import type { SessionId, UserId } from "./Ids.ts"

/** An app's demands on a login (C148): its maximum age in seconds, and its level. `maxAge` null: any age. */
export interface LoginDemands {
  readonly maxAge: number | null
  readonly level: AssuranceLevel
}

/** The demands of an app that has none. */
export const noDemands: LoginDemands = { maxAge: null, level: "aal1" }

const AGE = /^\d{1,9}$/

const isLevel = (text: string): text is AssuranceLevel => assuranceLevels.some((level) => level === text)

/** The higher of two levels. */
export const higherLevel = (one: AssuranceLevel, other: AssuranceLevel): AssuranceLevel =>
  one === "aal2" ? one : other

/**
 * Parses the demands of `max_age` and `acr_values`, which may be a list. Of several levels, the highest counts. Undefined: a
 * value is malformed or unknown.
 */
export const parseDemands = (maxAge: string | undefined, acrValues: string | undefined): LoginDemands | undefined => {
  const levels = (acrValues ?? "").split(" ").filter((text) => text !== "")
  if (!levels.every(isLevel) || (maxAge !== undefined && !AGE.test(maxAge))) return undefined
  return {
    maxAge: maxAge === undefined ? null : Number(maxAge),
    level: levels.includes("aal2") ? "aal2" : "aal1"
  }
}

/** The proof that a browser's login lacks: none, another login, or only a second factor. */
export type MissingProof = "nothing" | "login" | "second_factor"

/** The proof that a login lacks to meet an app's demands. `authentication` null: it is unknown how the user logged in. */
export const missingProof = (
  { maxAge, level }: LoginDemands,
  authentication: Authentication | null,
  now: DateTime.Utc
): MissingProof => {
  if (authentication === null) return maxAge === null && level === "aal1" ? "nothing" : "login"
  const ageMillis = now.epochMilliseconds - authentication.at.epochMilliseconds
  if (maxAge !== null && ageMillis >= maxAge * 1_000) return "login"
  return level === "aal2" && assuranceOf(authentication.methods) === "aal1" ? "second_factor" : "nothing"
}

/** The assurance level that the app of a login requests with `acr_values`. */
export const RequestedLevel = Context.Reference<AssuranceLevel>("sallyport/domain/RequestedLevel", {
  defaultValue: () => "aal1"
})

/** The login of a browser that a new proof of the same user renews. */
export interface BrowserLogin {
  /** The digest of the secret in the browser's cookie. */
  readonly browserId: string
  /** Null if sessions are unmanaged. */
  readonly sessionId: SessionId | null
  readonly userId: UserId
}

/** The login that the current request renews. Its session continues, with the methods used now. */
export const RenewedLogin = Context.Reference<BrowserLogin | undefined>("sallyport/domain/RenewedLogin", {
  defaultValue: () => undefined
})
