/** What can complete a login after its first proof, in the order in which pages offer it. */
export const secondFactors = ["totp", "recovery_codes", "email_code"] as const

export type SecondFactor = (typeof secondFactors)[number]

/** The second factors that only stand in for others: a login that nothing else would complete doesn't wait for them (C142). */
export const standIns: ReadonlySet<SecondFactor> = new Set<SecondFactor>(["recovery_codes", "email_code"])

/** Whether logins of a user with these second factors wait for one. */
export const isSecondFactorDue = (factors: ReadonlyArray<SecondFactor>): boolean =>
  factors.some((factor) => !standIns.has(factor))

/** The second factor that a login asks for first. */
export const firstOffer = (factors: ReadonlyArray<SecondFactor>): SecondFactor => factors[0] ?? "totp"
