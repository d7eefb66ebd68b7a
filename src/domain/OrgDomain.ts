import { Data, DateTime } from "effect"
import { type DomainProblem, type DomainProof, isMiss, LOST_AFTER_DAYS } from "./DomainProof.ts"
import { foldedDomain } from "./Email.ts"
import { isFreemail } from "./FreemailDomains.ts"
import type { OrgDomainId, OrgId, RealmId } from "./Ids.ts"
import { type Problem, problem } from "./Rejected.ts"

export const orgDomainStates = ["pending", "verified", "lost"] as const

export type OrgDomainState = (typeof orgDomainStates)[number]

/** An email domain of an org. The org owns it while its state is `verified`. */
export interface OrgDomain {
  readonly id: OrgDomainId
  readonly realmId: RealmId
  readonly orgId: OrgId
  /** In lower case and ASCII. */
  readonly domain: string
  readonly state: OrgDomainState
  /** The part of the TXT record that differs for each domain and org. It is public. */
  readonly token: string
  /** The result of the last check if it failed. */
  readonly problem: DomainProblem | null
  /** The records that the last check found instead. */
  readonly found: ReadonlyArray<string>
  readonly createdAt: DateTime.Utc
  /** When the org last proved the domain after not owning it. */
  readonly verifiedAt: DateTime.Utc | null
  readonly checkedAt: DateTime.Utc | null
  /** When the next daily check is due. Null if the domain is not verified. */
  readonly checkAt: DateTime.Utc | null
  /** The first check that missed the record, since the last success. */
  readonly missedSince: DateTime.Utc | null
}

export class OrgDomainNotFound extends Data.TaggedError("OrgDomainNotFound")<{ readonly id: string }> {}

/** The maximum number of domains in an org. */
export const MAX_DOMAINS_PER_ORG = 100

/** The first label of the TXT record's name. */
const LABEL = "_sallyport"

const VALUE_PREFIX = "sallyport-verification="

/** The maximum length of a domain: the name of its TXT record must fit into 253 characters. */
const MAX_DOMAIN_LENGTH = 253 - LABEL.length - 1

/** The TXT record that proves a domain. */
export const recordOf = ({ domain, token }: Pick<OrgDomain, "domain" | "token">) => ({
  name: `${LABEL}.${domain}`,
  value: `${VALUE_PREFIX}${token}`
})

/** Labels of a domain that an organization can register. Underscores are for records, not for hosts or mail. */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** Folds a domain, or returns the problem with it. `isRegistrable` decides on its suffix. */
export const newDomain = (
  typed: string,
  isRegistrable: (domain: string) => "registrable" | "suffix" | "unknown"
): string | Problem => {
  if (typed.trim() === "") return problem("domain", "blank")
  const domain = foldedDomain(typed)
  if (domain === undefined || domain.length > MAX_DOMAIN_LENGTH || !DOMAIN.test(domain)) {
    return problem("domain", "email_domain_form")
  }
  if (isFreemail(domain)) return problem("domain", "domain_freemail")
  const kind = isRegistrable(domain)
  if (kind === "suffix") return problem("domain", "domain_suffix")
  return kind === "unknown" ? problem("domain", "domain_unknown_suffix") : domain
}

/** What a check of a domain led to. */
export type DomainOutcome = "verified" | "recovered" | "check_failed" | "lost" | "unchanged"

const DAY = 86_400_000

/**
 * The time of the next daily check. It is a whole number of days after the verification, so that the checks stay spread over the
 * day even after an outage.
 */
const nextCheck = (verifiedAt: DateTime.Utc, now: DateTime.Utc): DateTime.Utc => {
  const days = Math.floor((now.epochMilliseconds - verifiedAt.epochMilliseconds) / DAY) + 1
  return DateTime.add(verifiedAt, { days })
}

const proved = (before: OrgDomain, now: DateTime.Utc): readonly [OrgDomain, DomainOutcome] => {
  const verifiedAt = before.state === "verified" ? (before.verifiedAt ?? now) : now
  const after: OrgDomain = {
    ...before,
    state: "verified",
    problem: null,
    found: [],
    verifiedAt,
    checkedAt: now,
    checkAt: nextCheck(verifiedAt, now),
    missedSince: null
  }
  if (before.state !== "verified") return [after, "verified"]
  return [after, before.problem === null ? "unchanged" : "recovered"]
}

/** The domain after it was lost for a reason. */
export const lost = (before: OrgDomain, reason: DomainProblem, now: DateTime.Utc): OrgDomain => ({
  ...before,
  state: "lost",
  problem: reason,
  found: [],
  checkedAt: now,
  checkAt: null
})

/** Returns the domain after a check, and what the check led to. */
export const afterCheck = (
  before: OrgDomain,
  proof: DomainProof,
  now: DateTime.Utc
): readonly [OrgDomain, DomainOutcome] => {
  if (proof._tag === "Proved") return proved(before, now)
  const checked = { ...before, problem: proof.problem, found: proof.found, checkedAt: now }
  if (before.state !== "verified") return [checked, "unchanged"]
  const missedSince = before.missedSince ?? (isMiss(proof.problem) ? now : null)
  const isOver =
    isMiss(proof.problem) &&
    missedSince !== null &&
    now.epochMilliseconds - missedSince.epochMilliseconds >= LOST_AFTER_DAYS * DAY
  if (isOver) return [{ ...lost(before, proof.problem, now), found: proof.found, missedSince }, "lost"]
  return [
    { ...checked, missedSince, checkAt: nextCheck(before.verifiedAt ?? now, now) },
    before.problem === null ? "check_failed" : "unchanged"
  ]
}
