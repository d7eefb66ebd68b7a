import type { AuthenticationMethod } from "./Authentication.ts"
import type { PasskeyCreation, PasskeyUse } from "./Passkey.ts"

/** The factors that can complete a login after the first one, in the order the pages offer them. */
export const secondFactors = ["passkey", "totp", "recovery_codes", "email_code"] as const

export type SecondFactor = (typeof secondFactors)[number]

/**
 * The second factors that do not by themselves make logins require a second factor. Recovery codes and emailed codes only
 * replace another factor (C140), and a passkey may be on another device (C137).
 */
export const fallbackFactors: ReadonlySet<SecondFactor> = new Set<SecondFactor>([
  "passkey",
  "recovery_codes",
  "email_code"
])

/** Returns whether a user with these second factors must use one to log in. */
export const isSecondFactorDue = (factors: ReadonlyArray<SecondFactor>): boolean =>
  factors.some((factor) => !fallbackFactors.has(factor))

/** Returns whether these factors can complete a login that must have a second factor, as required by the realm or the app. */
export const canCompleteLogin = (factors: ReadonlyArray<SecondFactor>): boolean =>
  isSecondFactorDue(factors) || factors.includes("passkey")

/** Returns whether the methods used include a passkey. */
export const includesPasskey = (shown: ReadonlyArray<AuthenticationMethod>): boolean =>
  shown.includes("hwk") || shown.includes("swk")

/** The second factors that remain after the methods used so far. A passkey cannot be its own second factor. */
export const secondFactorsAfter = (
  shown: ReadonlyArray<AuthenticationMethod>,
  factors: ReadonlyArray<SecondFactor>
): ReadonlyArray<SecondFactor> => (includesPasskey(shown) ? factors.filter((factor) => factor !== "passkey") : factors)

/** The second factor to ask for first. */
export const firstOffer = (factors: ReadonlyArray<SecondFactor>): SecondFactor => factors[0] ?? "totp"

/** A login with a passkey, in response to the challenge of a token. */
export interface PasskeyAnswer {
  readonly token: string
  readonly use: PasskeyUse
}

/** A passkey created for the challenge of a token, when a login sets up a second factor. */
export interface CreatedPasskey {
  readonly token: string
  readonly creation: PasskeyCreation
}

/** The response of an authenticator, which either used an existing passkey or created one. */
export type PresentedPasskey = Pick<PasskeyAnswer, "use"> | Pick<CreatedPasskey, "creation">

/** The second factor presented to complete a login: a code or a passkey. */
export type SecondFactorAnswer = string | PasskeyAnswer | CreatedPasskey
