import { Data } from "effect"

/**
 * How it was shown that a mailbox is somebody's: by the mailed link of a reset, of a confirmation or of a change of
 * address, by a mailed code, or by the word of a provider that has verified the address.
 */
export const mailboxProofs = [
  "mailed_reset",
  "mailed_confirmation",
  "mailed_change",
  "mailed_code",
  "verified_provider"
] as const

export type MailboxProof = (typeof mailboxProofs)[number]

/** What else shows that the account is in the same hands: a session of it in that browser, or its password. */
export type Possession = "session" | "password" | "none"

/** What could let anyone into an account, apart from what has just been proved. A locked password does not. */
export const waysIn = ["password", "profiles", "secondFactor", "sessions", "emailPending"] as const

export type WaysIn = Readonly<Record<(typeof waysIn)[number], boolean>>

/** An account as a proof of its mailbox finds it. */
export interface Standing {
  /** Whether the e-mail that it has was ever verified before. */
  readonly everVerified: boolean
  readonly possession: Possession
  readonly waysIn: WaysIn
}

/** What a proof of a mailbox comes to. */
export type ProofDecision =
  /** The e-mail is verified; all that the account has stays. */
  | { readonly _tag: "Verifies" }
  /** The e-mail is verified; whatever could let anyone in is taken away first. */
  | { readonly _tag: "TakesOver" }
  /** Not before it is clear that the account is in the same hands. */
  | { readonly _tag: "AsksForPossession" }

/** The proofs that stand alone: whoever gives them is let in by them, so that nobody else may be. */
const standsAlone: Readonly<Record<MailboxProof, boolean>> = {
  mailed_reset: true,
  mailed_code: true,
  verified_provider: true,
  mailed_confirmation: false,
  mailed_change: false
}

/** Whether nobody could get in. An address that waits for the very proof that is given lets nobody else in. */
const isEmpty = (found: WaysIn, proof: MailboxProof): boolean =>
  !waysIn.some((way) => found[way] && !(way === "emailPending" && proof === "mailed_change"))

/**
 * Decides what a proof of a mailbox means for the account (decision 49, SEC-85). Anybody can open an account with the
 * address of another person. So the first proof of a mailbox that stands alone takes the account over; the link of a
 * confirmation, which says nothing of who opened the account, verifies only what is in the same hands, or in nobody's.
 */
export const decideMailboxProof = (proof: MailboxProof, found: Standing): ProofDecision => {
  if (standsAlone[proof]) return { _tag: found.everVerified ? "Verifies" : "TakesOver" }
  // A new address is proved for the first time, whatever was proved of the one before.
  const isKnown = found.everVerified && proof === "mailed_confirmation"
  const verifies = isKnown || found.possession !== "none" || isEmpty(found.waysIn, proof)
  return { _tag: verifies ? "Verifies" : "AsksForPossession" }
}

/** What may be offered to whoever has opened the link of a confirmation and has not shown to have the account. */
export interface PossessionOffer {
  /** Whether its password is enough: not where logging in takes a second factor. */
  readonly password: boolean
  /** Whether a new password may be asked for by mail instead: not where the account has another address. */
  readonly reset: boolean
}

export const offerFor = (
  proof: MailboxProof,
  found: Pick<Standing, "waysIn">,
  passwordsOn: boolean
): PossessionOffer => ({
  password: passwordsOn && found.waysIn.password && !found.waysIn.secondFactor,
  reset: passwordsOn && proof === "mailed_confirmation"
})

/** Whoever has opened the link has to show first that the account is theirs. */
export class PossessionUnproved extends Data.TaggedError("PossessionUnproved") {}
