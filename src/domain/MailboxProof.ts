import { Data } from "effect"

/**
 * How somebody proved control of a mailbox: by the link of a password reset, a confirmation or a change of address; by
 * a mailed code; or by a provider that has verified the address.
 */
export const mailboxProofs = [
  "mailed_reset",
  "mailed_confirmation",
  "mailed_change",
  "mailed_code",
  "verified_provider"
] as const

export type MailboxProof = (typeof mailboxProofs)[number]

/** Further evidence that the same person holds the account: a session in that browser, or the password. */
export type Possession = "session" | "password" | "none"

/** What could give access to an account, apart from the proof just given. A locked password gives none. */
export const waysIn = ["password", "profiles", "passkeys", "secondFactor", "sessions", "emailPending"] as const

export type WaysIn = Readonly<Record<(typeof waysIn)[number], boolean>>

/** The account at the time of the proof. */
export interface AccountState {
  /** Whether the account's present e-mail was proved before. */
  readonly wasProved: boolean
  readonly possession: Possession
  readonly waysIn: WaysIn
}

/** The effect of a mailbox proof. */
export type ProofDecision =
  /** The e-mail becomes verified; the account keeps everything. */
  | { readonly _tag: "Verifies" }
  /** The e-mail becomes verified; everything that could give somebody else access is removed first. */
  | { readonly _tag: "TakesOver" }
  /** The person must first show possession of the account. */
  | { readonly _tag: "AsksForPossession" }

/** Proofs that suffice on their own: they log the person in, so nobody else may keep access. */
const isSufficient: Readonly<Record<MailboxProof, boolean>> = {
  mailed_reset: true,
  mailed_code: true,
  verified_provider: true,
  mailed_confirmation: false,
  mailed_change: false
}

/** Whether nobody has access. A pending address gives none if this proof is for that address. */
const isEmpty = (account: WaysIn, proof: MailboxProof): boolean =>
  !waysIn.some((way) => account[way] && !(way === "emailPending" && proof === "mailed_change"))

/**
 * Decides what a mailbox proof does to the account (C49, SEC-85). Anybody can open an account with another person's
 * address. So the first sufficient proof takes the account over. The link of a confirmation does not show who opened
 * the account: it only verifies if the same person holds the account, or nobody does.
 */
export const decideMailboxProof = (proof: MailboxProof, account: AccountState): ProofDecision => {
  if (isSufficient[proof]) return { _tag: account.wasProved ? "Verifies" : "TakesOver" }
  // A new address is verified for the first time, whatever was verified before.
  const isKnown = account.wasProved && proof === "mailed_confirmation"
  const verifies = isKnown || account.possession !== "none" || isEmpty(account.waysIn, proof)
  return { _tag: verifies ? "Verifies" : "AsksForPossession" }
}

/** How a person who opened a confirmation link may show possession of the account. */
export interface PossessionOptions {
  /** Whether the password suffices. It does not if logins require a second factor. */
  readonly password: boolean
  /** Whether a password reset by mail is offered. It is not if the account has another address. */
  readonly reset: boolean
}

export const possessionOptions = (
  proof: MailboxProof,
  account: Pick<AccountState, "waysIn">,
  passwordsOn: boolean
): PossessionOptions => ({
  password: passwordsOn && account.waysIn.password && !account.waysIn.secondFactor,
  reset: passwordsOn && proof === "mailed_confirmation"
})

/** The person who opened the link must first show possession of the account. */
export class PossessionUnproved extends Data.TaggedError("PossessionUnproved") {}
