import type { Redacted } from "effect"
import type { MailFrom } from "#core/hooks/MailContents"
import type { SenderDomains } from "#core/mail/MailSenders"
import type { LimitScope } from "#domain/Limit"
import type { Argon2Params } from "#domain/PasswordHash"

/** The options of the service. Its database, mailer and outbound HTTP are layers that whoever composes it provides. */
export interface Options {
  readonly publicUrl: string
  /** The domain below which all connected apps have theirs, and the region's label in front of it (C40). */
  readonly loginDomain: string
  readonly region: string
  readonly issuer: string | undefined
  readonly headerPrefix: string
  readonly maxRealms: number
  /** How many days events are kept; a realm may keep its own for less. */
  readonly eventRetentionDays: number
  /** Which rate limits are in force (C45). */
  readonly limits: LimitScope
  /** The proxies whose `X-Forwarded-For` is trusted: addresses and networks. */
  readonly trustedProxies: ReadonlyArray<string>
  /** Whether hooks and providers may have addresses of private networks. */
  readonly allowPrivateTargets: boolean
  /** Where new passwords are looked up among those of data breaches, by ranges of SHA-1 digests; undefined: nowhere. */
  readonly breachedPasswordsUrl?: string | undefined
  /** The cost of a password hash. */
  readonly hashCost: Argon2Params
  /** The sender of mails whose hook has none. */
  readonly mailFrom: MailFrom
  /** The domains whose addresses hooks may send from. */
  readonly mailFromDomains: SenderDomains
  /** Whether mails, webhooks and logout notices are delivered; otherwise they wait (C193). */
  readonly delivers: boolean
  /** The keys that encrypt secrets at rest, the first for new ones. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}
