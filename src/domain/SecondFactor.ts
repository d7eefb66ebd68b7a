import type { AuthenticationMethod } from "./Authentication.ts"
import type { PasskeyCreation, PasskeyUse } from "./Passkey.ts"

/** What can complete a login after its first proof, in the order in which pages offer it. */
export const secondFactors = ["passkey", "totp", "recovery_codes", "email_code"] as const

export type SecondFactor = (typeof secondFactors)[number]

/**
 * The second factors that only stand in for others: a login that nothing else would complete doesn't wait for them (C140). Nor
 * does it for a passkey, which may be on another device (C137).
 */
export const standIns: ReadonlySet<SecondFactor> = new Set<SecondFactor>(["passkey", "recovery_codes", "email_code"])

/** Whether logins of a user with these second factors wait for one. */
export const isSecondFactorDue = (factors: ReadonlyArray<SecondFactor>): boolean =>
  factors.some((factor) => !standIns.has(factor))

/** Whether a login that waits, as the realm or the app may require, can be completed with these. */
export const completesLogins = (factors: ReadonlyArray<SecondFactor>): boolean =>
  isSecondFactorDue(factors) || factors.includes("passkey")

/** Whether one of these methods is a passkey. */
export const showsPasskey = (shown: ReadonlyArray<AuthenticationMethod>): boolean =>
  shown.includes("hwk") || shown.includes("swk")

/** The second factors that are left after what was shown first: a passkey is not its own second factor. */
export const secondFactorsAfter = (
  shown: ReadonlyArray<AuthenticationMethod>,
  factors: ReadonlyArray<SecondFactor>
): ReadonlyArray<SecondFactor> => (showsPasskey(shown) ? factors.filter((factor) => factor !== "passkey") : factors)

/** The second factor that a login asks for first. */
export const firstOffer = (factors: ReadonlyArray<SecondFactor>): SecondFactor => factors[0] ?? "totp"

/** The answer of a passkey to the challenge of a token. */
export interface PasskeyAnswer {
  readonly token: string
  readonly use: PasskeyUse
}

/** A passkey that was created for the challenge of a token, where a login sets up a second factor. */
export interface CreatedPasskey {
  readonly token: string
  readonly creation: PasskeyCreation
}

/** What an authenticator answered: with a passkey that it has, or with a new one. */
export type PresentedPasskey = Pick<PasskeyAnswer, "use"> | Pick<CreatedPasskey, "creation">

/** What a login is completed with: a code, or a passkey. */
export type SecondFactorAnswer = string | PasskeyAnswer | CreatedPasskey
