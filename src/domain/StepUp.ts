import { Context, type DateTime } from "effect"
import { type AssuranceLevel, type Authentication, assuranceLevels, assuranceOf } from "./Authentication.ts"
import type { SessionId, UserId } from "./Ids.ts"

/** What an app asks of a login (C148): how old it may be at most, in seconds, and its level. `maxAge` null: of any age. */
export interface LoginDemands {
  readonly maxAge: number | null
  readonly level: AssuranceLevel
}

/** An app that asks for nothing. */
export const noDemands: LoginDemands = { maxAge: null, level: "aal1" }

const AGE = /^\d{1,9}$/

const isLevel = (text: string): text is AssuranceLevel => assuranceLevels.some((level) => level === text)

/** The higher of two levels. */
export const higherLevel = (one: AssuranceLevel, other: AssuranceLevel): AssuranceLevel =>
  one === "aal2" ? one : other

/**
 * The demands of `max_age` and `acr_values`, which may be a list. Of several levels the highest counts. Undefined: what they
 * say can't be understood.
 */
export const parseDemands = (maxAge: string | undefined, acrValues: string | undefined): LoginDemands | undefined => {
  const levels = (acrValues ?? "").split(" ").filter((text) => text !== "")
  if (!levels.every(isLevel) || (maxAge !== undefined && !AGE.test(maxAge))) return undefined
  return {
    maxAge: maxAge === undefined ? null : Number(maxAge),
    level: levels.includes("aal2") ? "aal2" : "aal1"
  }
}

/** What a login of a browser lacks: nothing, another login, or a second factor alone. */
export type MissingProof = "nothing" | "login" | "second_factor"

/** What a login lacks of what an app asks for. `authentication` null: nobody knows how the user has logged in. */
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

/** The level that the app of a login requests with `acr_values`. */
export const RequestedLevel = Context.Reference<AssuranceLevel>("sallyport/domain/RequestedLevel", {
  defaultValue: () => "aal1"
})

/** The login of a browser that another proof of the same user is to renew. */
export interface BrowserLogin {
  /** The digest of the secret in the browser's cookie. */
  readonly browserId: string
  /** Null where sessions are unmanaged. */
  readonly sessionId: SessionId | null
  readonly userId: UserId
}

/** The login that the current request renews: its session goes on, with the methods that are shown now. */
export const RenewedLogin = Context.Reference<BrowserLogin | undefined>("sallyport/domain/RenewedLogin", {
  defaultValue: () => undefined
})
