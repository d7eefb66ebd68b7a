import { boundedAnswer, type DnsAnswer, type DnsFailure, dnsFailure } from "./DnsAnswer.ts"

/** The maximum number of names that a test can set. */
export const MAX_DNS_NAMES = 1_000

/** The TXT records of a name in test mode, or the failure of looking it up. */
export interface DnsEntry {
  readonly name: string
  readonly txt: ReadonlyArray<string>
  readonly failure: DnsFailure | null
}

const keyOf = (name: string): string => name.toLowerCase().replace(/\.$/, "")

/** The DNS records that tests have set. All other names don't exist. */
export class DnsPlan {
  readonly #entries = new Map<string, DnsEntry>()

  get entries(): ReadonlyArray<DnsEntry> {
    return [...this.#entries.values()]
  }

  /** Sets the TXT records of a name, or a failure. Returns false if there are too many names. */
  set(name: string, txt: ReadonlyArray<string>, failure: DnsFailure | null = null): boolean {
    const key = keyOf(name)
    if (!this.#entries.has(key) && this.#entries.size >= MAX_DNS_NAMES) return false
    this.#entries.set(key, { name: key, txt, failure })
    return true
  }

  /** The answer to the question for the TXT records of a name. */
  answer(name: string): DnsAnswer {
    const entry = this.#entries.get(keyOf(name))
    if (entry === undefined) return dnsFailure("nxdomain")
    return entry.failure === null ? boundedAnswer(entry.txt) : dnsFailure(entry.failure)
  }

  clear(): void {
    this.#entries.clear()
  }
}
