import { Data } from "effect"

/**
 * How a person proved control of a mailbox: by a link for a password reset, a confirmation or a change of address, by an
 * emailed code, or through a provider that has verified the address.
 */
export const mailboxProofs = [
  "mailed_reset",
  "mailed_confirmation",
  "mailed_change",
  "mailed_code",
  "verified_provider"
] as const

export type MailboxProof = (typeof mailboxProofs)[number]

/** Further evidence that the account belongs to the person: a session in the same browser, or the password. */
export type Possession = "session" | "password" | "none"

/** The ways somebody may have access to an account, apart from the proof just given. A locked password does not count. */
export const accessMethods = ["password", "profiles", "passkeys", "secondFactor", "sessions", "emailPending"] as const

export type AccessMethods = Readonly<Record<(typeof accessMethods)[number], boolean>>

/** The state of the account at the time of the proof. */
export interface AccountState {
  /** Whether the account's current email was already verified. */
  readonly wasVerified: boolean
  readonly possession: Possession
  readonly accessMethods: AccessMethods
}

/** The effect of a mailbox proof. */
export type ProofDecision =
  /** The email becomes verified, and the account stays unchanged otherwise. */
  | { readonly _tag: "Verifies" }
  /** The email becomes verified, and everything that could give somebody else access is removed first. */
  | { readonly _tag: "TakesOver" }
  /** The person must first prove that the account belongs to them. */
  | { readonly _tag: "AsksForPossession" }

/** Whether a proof is sufficient by itself. Such a proof logs the person in, so nobody else may keep access. */
const isSufficient: Readonly<Record<MailboxProof, boolean>> = {
  mailed_reset: true,
  mailed_code: true,
  verified_provider: true,
  mailed_confirmation: false,
  mailed_change: false
}

/** Returns whether nobody has access to the account. A pending address does not count if the proof is for that address. */
const isWithoutAccess = (account: AccessMethods, proof: MailboxProof): boolean =>
  !accessMethods.some((method) => account[method] && !(method === "emailPending" && proof === "mailed_change"))

/**
 * Decides the effect of a mailbox proof on the account (C49, SEC-85). Anyone can sign up with another person's address, so
 * the first sufficient proof takes the account over. A confirmation link does not show who created the account, so it
 * verifies the email only if the same person, or nobody, has access.
 */
export const decideMailboxProof = (proof: MailboxProof, account: AccountState): ProofDecision => {
  if (isSufficient[proof]) return { _tag: account.wasVerified ? "Verifies" : "TakesOver" }
  // A new address is being verified for the first time, even if the old one was verified before.
  const isKnown = account.wasVerified && proof === "mailed_confirmation"
  const verifies = isKnown || account.possession !== "none" || isWithoutAccess(account.accessMethods, proof)
  return { _tag: verifies ? "Verifies" : "AsksForPossession" }
}

/** The ways for a person who opened a confirmation link to prove that the account belongs to them. */
export interface PossessionOptions {
  /** Whether the password is sufficient. It is not if logins require a second factor. */
  readonly password: boolean
  /** Whether to offer a password reset by email. It is not offered if the account has another address. */
  readonly reset: boolean
}

export const possessionOptions = (
  proof: MailboxProof,
  account: Pick<AccountState, "accessMethods">,
  passwordsEnabled: boolean
): PossessionOptions => ({
  password: passwordsEnabled && account.accessMethods.password && !account.accessMethods.secondFactor,
  reset: passwordsEnabled && proof === "mailed_confirmation"
})

/** The person who opened the link must first prove that the account belongs to them. */
export class PossessionUnproved extends Data.TaggedError("PossessionUnproved") {}
