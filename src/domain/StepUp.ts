import { Context, type DateTime } from "effect"
import { type AssuranceLevel, type Authentication, assuranceLevels, assuranceOf } from "./Authentication.ts"
import type { SessionId, UserId } from "./Ids.ts"

/**
 * An app's requirements for a login (C148): its maximum age in seconds and its assurance level. `maxAge` is null if any age
 * is accepted.
 */
export interface LoginRequirements {
  readonly maxAge: number | null
  readonly level: AssuranceLevel
}

/** The requirements of an app that accepts any login. */
export const noLoginRequirements: LoginRequirements = { maxAge: null, level: "aal1" }

const AGE = /^\d{1,9}$/

const isLevel = (text: string): text is AssuranceLevel => assuranceLevels.some((level) => level === text)

/** The higher of two assurance levels. */
export const higherLevel = (one: AssuranceLevel, other: AssuranceLevel): AssuranceLevel =>
  one === "aal2" ? one : other

/**
 * Parses `max_age` and `acr_values`. If `acr_values` lists several levels, the highest counts. Returns undefined if a value
 * is malformed or unknown.
 */
export const parseLoginRequirements = (
  maxAge: string | undefined,
  acrValues: string | undefined
): LoginRequirements | undefined => {
  const levels = (acrValues ?? "").split(" ").filter((text) => text !== "")
  if (!levels.every(isLevel) || (maxAge !== undefined && !AGE.test(maxAge))) return undefined
  return {
    maxAge: maxAge === undefined ? null : Number(maxAge),
    level: levels.includes("aal2") ? "aal2" : "aal1"
  }
}

/** The proof missing from a browser's login: none, a new login, or only a second factor. */
export type MissingProof = "nothing" | "login" | "second_factor"

/**
 * The proof missing from a login to meet an app's requirements. `authentication` is null if it is unknown how the user
 * logged in.
 */
export const missingProof = (
  { maxAge, level }: LoginRequirements,
  authentication: Authentication | null,
  now: DateTime.Utc
): MissingProof => {
  if (authentication === null) return maxAge === null && level === "aal1" ? "nothing" : "login"
  const ageMillis = now.epochMilliseconds - authentication.at.epochMilliseconds
  if (maxAge !== null && ageMillis >= maxAge * 1_000) return "login"
  return level === "aal2" && assuranceOf(authentication.methods) === "aal1" ? "second_factor" : "nothing"
}

/** The assurance level that the app requests with `acr_values` for the current login. */
export const RequestedLevel = Context.Reference<AssuranceLevel>("sallyport/domain/RequestedLevel", {
  defaultValue: () => "aal1"
})

/** A browser's login that will be renewed when the same user proves their identity again. */
export interface BrowserLogin {
  /** The digest of the secret in the browser's cookie. */
  readonly browserId: string
  /** Null if the realm's sessions are unmanaged. */
  readonly sessionId: SessionId | null
  readonly userId: UserId
}

/** The login renewed by the current request. Its session continues with the methods used in this request. */
export const RenewedLogin = Context.Reference<BrowserLogin | undefined>("sallyport/domain/RenewedLogin", {
  defaultValue: () => undefined
})
