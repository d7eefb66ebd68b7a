import type { Redacted } from "effect"
import type { MailFrom } from "#core/hooks/MailContents"
import type { SenderDomains } from "#core/mail/MailSenders"
import type { LimitScope } from "#domain/Limit"
import type { Argon2Params } from "#domain/PasswordHash"

/** The options of the service. The layers for the database, the mailer and outbound HTTP are provided separately. */
export interface Options {
  readonly publicUrl: string
  /** The parent domain of all connected apps, and the region's label in front of it (C40). */
  readonly loginDomain: string
  readonly region: string
  readonly issuer: string | undefined
  readonly headerPrefix: string
  readonly maxRealms: number
  /** The number of days for which events are retained. A realm may choose a shorter time. */
  readonly eventRetentionDays: number
  /** The rate limits that apply (C45). */
  readonly limits: LimitScope
  /** The proxies whose `X-Forwarded-For` is trusted: addresses and networks. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether hooks and providers may use addresses in private networks. */
  readonly allowPrivateTargets: boolean
  /**
   * The URL for checking new passwords against data breaches, by ranges of SHA-1 digests. Undefined if passwords aren't
   * checked.
   */
  readonly breachedPasswordsUrl?: string | undefined
  /** The cost of a password hash. */
  readonly hashCost: Argon2Params
  /** The sender of emails whose hook doesn't set one. */
  readonly mailFrom: MailFrom
  /** The domains that hooks may send email from. */
  readonly mailFromDomains: SenderDomains
  /** Whether emails, webhooks and logout notices are delivered. Otherwise they wait (C193). */
  readonly delivers: boolean
  /** Whether API keys may log in to the console (C304). */
  readonly consoleKeys: boolean
  /** The keys that encrypt secrets at rest; the first encrypts new secrets. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}
