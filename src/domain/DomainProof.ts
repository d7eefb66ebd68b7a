import { type DnsAnswer, type DnsFailure, dnsFailures } from "./DnsAnswer.ts"
import { isWithin } from "./Text.ts"

/**
 * Why a domain is not proved. In addition to the failures of a lookup: other records were found (`wrong_value`), the resolvers
 * contradict each other (`disagreement`), or another org owns the domain and its record still exists (`held`). `replaced`: another
 * org proved the domain after this org's record was gone.
 */
export const domainProblems = [...dnsFailures, "wrong_value", "disagreement", "held", "replaced"] as const

export type DomainProblem = (typeof domainProblems)[number]

/** How long the record may be missing until a verified domain is lost, in days. */
export const LOST_AFTER_DAYS = 7

/** The result of looking up a domain's TXT record. `found`: the other records, for display. */
export type DomainProof =
  | { readonly _tag: "Proved"; readonly values: ReadonlyArray<string> }
  | { readonly _tag: "Unproved"; readonly problem: DomainProblem; readonly found: ReadonlyArray<string> }

/** The limits of the records shown to the org: their number and the length of each in characters. */
const MAX_SHOWN = 3
const MAX_SHOWN_LENGTH = 120

const shown = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.slice(0, MAX_SHOWN).map((value) => {
    const text = value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "\ufffd").toWellFormed()
    return isWithin(MAX_SHOWN_LENGTH, text) ? text : `${Array.from(text).slice(0, MAX_SHOWN_LENGTH).join("")}…`
  })

const unproved = (problem: DomainProblem, found: ReadonlyArray<string> = []): DomainProof => ({
  _tag: "Unproved",
  problem,
  found: shown(found)
})

/** Failures without an answer from DNS. They don't show that the record is missing. */
const isSilent = (reason: DnsFailure): boolean => reason === "timeout" || reason === "servfail"

const valuesOf = (answer: DnsAnswer): ReadonlyArray<string> => (answer._tag === "Records" ? answer.values : [])

/**
 * Decides whether a record with this value exists. More than half of the resolvers must have answered, and all answers must agree:
 * a single resolver may be cached, spoofed or far away.
 */
export const proofOf = (value: string, answers: ReadonlyArray<DnsAnswer>): DomainProof => {
  const given = answers.filter((answer) => answer._tag === "Records" || !isSilent(answer.reason))
  if (given.length * 2 <= answers.length) {
    const silent = answers.find((answer) => answer._tag === "Failure" && isSilent(answer.reason))
    return unproved(silent?._tag === "Failure" ? silent.reason : "timeout")
  }
  const proving = given.filter((answer) => valuesOf(answer).some((found) => found.trim() === value))
  const [first] = given
  if (first !== undefined && proving.length === given.length) {
    // A value counts as present if any resolver has it, so that no resolver alone can take a domain from its owner.
    return { _tag: "Proved", values: [...new Set(given.flatMap(valuesOf).map((found) => found.trim()))] }
  }
  if (proving.length > 0) return unproved("disagreement")
  const others = given.find((answer) => answer._tag === "Records")
  if (others !== undefined) return unproved("wrong_value", valuesOf(others))
  return unproved(first?._tag === "Failure" ? first.reason : "no_record")
}

/** Returns whether a problem shows that the record is missing. The others are failures of DNS, which never cost a domain. */
export const isMiss = (problem: DomainProblem): boolean =>
  problem !== "timeout" && problem !== "servfail" && problem !== "disagreement"
