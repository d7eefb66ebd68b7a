/**
 * Why a resolver has no TXT records of a name: the name does not exist (`nxdomain`), has no TXT records (`no_record`) or is an
 * alias (`alias`), the resolver could not look it up (`servfail`) or did not respond in time (`timeout`), or the answer is too
 * large (`too_large`).
 */
export const dnsFailures = ["nxdomain", "no_record", "alias", "servfail", "timeout", "too_large"] as const

export type DnsFailure = (typeof dnsFailures)[number]

/** One resolver's answer to the question for the TXT records of a name. The strings of a record are joined. */
export type DnsAnswer =
  | { readonly _tag: "Records"; readonly values: ReadonlyArray<string> }
  | { readonly _tag: "Failure"; readonly reason: DnsFailure }

export const records = (values: ReadonlyArray<string>): DnsAnswer => ({ _tag: "Records", values })

export const dnsFailure = (reason: DnsFailure): DnsAnswer => ({ _tag: "Failure", reason })

/** The limits of an answer: the number of its records, and their size in characters. Larger answers count as `too_large`. */
export const MAX_RECORDS = 100
export const MAX_ANSWER_LENGTH = 16_384

/** Limits an answer. */
export const boundedAnswer = (values: ReadonlyArray<string>): DnsAnswer => {
  if (values.length === 0) return dnsFailure("no_record")
  const length = values.reduce((sum, value) => sum + value.length, 0)
  return values.length > MAX_RECORDS || length > MAX_ANSWER_LENGTH ? dnsFailure("too_large") : records(values)
}
