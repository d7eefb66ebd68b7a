import { type DnsFailure, dnsFailures } from "#domain/DnsAnswer"
import { isObject } from "#domain/JsonObject"
import { inspectInline } from "./CallerError.ts"

/** Parses the records of a name. Returns a sentence if they are wrong. */
export const parseRecords = (
  sent: unknown
): string | { readonly txt: ReadonlyArray<string>; readonly failure: DnsFailure | null } => {
  const list = typeof sent === "string" ? [sent] : sent
  if (Array.isArray(list)) {
    const txt = list.filter((value): value is string => typeof value === "string")
    if (txt.length === list.length) return { txt, failure: null }
  }
  const failure = dnsFailures.find((one) => isObject(sent) && sent["failure"] === one)
  if (failure !== undefined) return { txt: [], failure }
  const failures = dnsFailures.map((one) => `"${one}"`).join(", ")
  return `Not TXT records: ${inspectInline(sent)}. Use a text, a list of texts, or { failure } with one of ${failures}.`
}
