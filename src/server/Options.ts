import type { Redacted } from "effect"
import type { MailFrom } from "#core/hooks/HookMails"
import type { SenderDomains } from "#core/mail/MailSenders"
import type { Limited } from "#domain/Limit"
import type { HashCost } from "#domain/PasswordHash"

/** What a Sallyport is set up with. The outside world (database, clock, randomness) is open at the bottom. */
export interface Options {
  readonly publicUrl: string
  /** The domain of all login domains, and the name of the region that stands before it (decision 40). */
  readonly loginDomain: string
  readonly region: string
  readonly issuer: string | undefined
  readonly headerPrefix: string
  readonly maxRealms: number
  /** For how many days events are kept; realms may keep theirs for less. */
  readonly eventRetentionDays: number
  /** Which of the limits of decision 45 hold. */
  readonly limits: Limited
  /** The proxies that are believed who calls: addresses and networks. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether callers may name addresses of private networks for the service to call. */
  readonly allowPrivateTargets: boolean
  /** What each password hash costs. */
  readonly hashCost: HashCost
  /** Where mails come from unless their hook says otherwise. */
  readonly mailFrom: MailFrom
  /** The domains whose addresses hooks may send from. */
  readonly mailFromDomains: SenderDomains
  /** The keys that encrypt secrets at rest, the first for new ones. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}
