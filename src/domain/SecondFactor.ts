import type { AuthenticationMethod } from "./Authentication.ts"
import type { PasskeyCreation, PasskeyUse } from "./Passkey.ts"

/** The factors that can complete a login after the first proof, in the order in which pages offer them. */
export const secondFactors = ["passkey", "totp", "recovery_codes", "email_code"] as const

export type SecondFactor = (typeof secondFactors)[number]

/**
 * The second factors that only stand in for others: logins do not require one of these if the user has no other (C140). Nor do
 * they require a passkey, which may be on another device (C137).
 */
export const standIns: ReadonlySet<SecondFactor> = new Set<SecondFactor>(["passkey", "recovery_codes", "email_code"])

/** Whether logins of a user with these second factors require one. */
export const isSecondFactorDue = (factors: ReadonlyArray<SecondFactor>): boolean =>
  factors.some((factor) => !standIns.has(factor))

/** Whether these factors can complete a login for which the realm or the app requires a second factor. */
export const canCompleteLogin = (factors: ReadonlyArray<SecondFactor>): boolean =>
  isSecondFactorDue(factors) || factors.includes("passkey")

/** Whether the methods used include a passkey. */
export const includesPasskey = (shown: ReadonlyArray<AuthenticationMethod>): boolean =>
  shown.includes("hwk") || shown.includes("swk")

/** The second factors that remain after the methods used so far: a passkey is not its own second factor. */
export const secondFactorsAfter = (
  shown: ReadonlyArray<AuthenticationMethod>,
  factors: ReadonlyArray<SecondFactor>
): ReadonlyArray<SecondFactor> => (includesPasskey(shown) ? factors.filter((factor) => factor !== "passkey") : factors)

/** The second factor that a login asks for first. */
export const firstOffer = (factors: ReadonlyArray<SecondFactor>): SecondFactor => factors[0] ?? "totp"

/** A passkey's response to the challenge of a token. */
export interface PasskeyAnswer {
  readonly token: string
  readonly use: PasskeyUse
}

/** A passkey created for the challenge of a token, while a login sets up a second factor. */
export interface CreatedPasskey {
  readonly token: string
  readonly creation: PasskeyCreation
}

/** The response of an authenticator: with an existing passkey, or with a new one. */
export type PresentedPasskey = Pick<PasskeyAnswer, "use"> | Pick<CreatedPasskey, "creation">

/** The second factor that completes a login: a code, or a passkey. */
export type SecondFactorAnswer = string | PasskeyAnswer | CreatedPasskey
