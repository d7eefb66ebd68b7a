import { Data } from "effect"

/**
 * How a person proved control of a mailbox: by the link of a password reset, a confirmation or a change of address; by an
 * emailed code; or by a provider that has verified the address.
 */
export const mailboxProofs = [
  "mailed_reset",
  "mailed_confirmation",
  "mailed_change",
  "mailed_code",
  "verified_provider"
] as const

export type MailboxProof = (typeof mailboxProofs)[number]

/** Further evidence that the person owns the account: a session in that browser, or the password. */
export type Possession = "session" | "password" | "none"

/** The means of access to an account, apart from the proof just given. A locked password does not count. */
export const accessMethods = ["password", "profiles", "passkeys", "secondFactor", "sessions", "emailPending"] as const

export type AccessMethods = Readonly<Record<(typeof accessMethods)[number], boolean>>

/** The account at the time of the proof. */
export interface AccountState {
  /** Whether the account's current email was verified before. */
  readonly wasVerified: boolean
  readonly possession: Possession
  readonly accessMethods: AccessMethods
}

/** The effect of a mailbox proof. */
export type ProofDecision =
  /** The email becomes verified; the account keeps everything. */
  | { readonly _tag: "Verifies" }
  /** The email becomes verified; everything that could give somebody else access is removed first. */
  | { readonly _tag: "TakesOver" }
  /** The person must first prove that the account is theirs. */
  | { readonly _tag: "AsksForPossession" }

/** Proofs that suffice on their own: they log the person in, so nobody else may keep access. */
const isSufficient: Readonly<Record<MailboxProof, boolean>> = {
  mailed_reset: true,
  mailed_code: true,
  verified_provider: true,
  mailed_confirmation: false,
  mailed_change: false
}

/** Whether nobody has access. A pending address does not count if this proof is for that address. */
const isWithoutAccess = (account: AccessMethods, proof: MailboxProof): boolean =>
  !accessMethods.some((way) => account[way] && !(way === "emailPending" && proof === "mailed_change"))

/**
 * Decides the effect of a mailbox proof on the account (C49, SEC-85). Anyone can open an account with another person's address,
 * so the first sufficient proof takes the account over. A confirmation link does not show who opened the account: it only
 * verifies the email if the same person holds the account, or nobody does.
 */
export const decideMailboxProof = (proof: MailboxProof, account: AccountState): ProofDecision => {
  if (isSufficient[proof]) return { _tag: account.wasVerified ? "Verifies" : "TakesOver" }
  // A new address is verified for the first time, whatever was verified before.
  const isKnown = account.wasVerified && proof === "mailed_confirmation"
  const verifies = isKnown || account.possession !== "none" || isWithoutAccess(account.accessMethods, proof)
  return { _tag: verifies ? "Verifies" : "AsksForPossession" }
}

/** How a person who opened a confirmation link may prove that the account is theirs. */
export interface PossessionOptions {
  /** Whether the password suffices. It does not if logins require a second factor. */
  readonly password: boolean
  /** Whether a password reset by email is offered. It is not if the account has another address. */
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

/** The person who opened the link must first prove that the account is theirs. */
export class PossessionUnproved extends Data.TaggedError("PossessionUnproved") {}
