import type { Redacted } from "effect"
import type { Preset } from "#core/external/providers/Preset"
import type { LimitScope } from "#domain/Limit"
import type { WellKnownType } from "#domain/WellKnownProviders"
import type { Connections, DatabaseTarget } from "#sql/Database"

/** A fixed time, 2026-01-01T00:00:00Z, to use as `startsAt` in tests that contain times. */
export const STARTS_AT = 1_767_225_600_000

/** A PostgreSQL database, whose URL may be plain text. */
type PostgresTarget = Omit<Extract<DatabaseTarget, { readonly _tag: "Postgres" }>, "url"> & {
  readonly url: string | Redacted.Redacted
}

/** Overrides of the presets of known providers, by type. */
export type ProviderOptions = {
  readonly [Type in WellKnownType]?: Partial<Omit<Preset, "endpoints">> & {
    readonly endpoints?: Partial<Preset["endpoints"]>
  }
}

/** The options of a service under test, listed in `docs/guides/test-with-the-clock.md`. */
export interface TestOptions {
  /**
   * Where the data is stored: `{ _tag: "Memory" }` (the default), `{ _tag: "Embedded", dataDir }` or `{ _tag: "Postgres",
   * url }`.
   */
  readonly database?: DatabaseTarget | PostgresTarget
  /** An open database to use instead of `database`, so that services can share it. Default: none. */
  readonly connections?: Connections["Service"]
  /**
   * The service's time at its start: Unix milliseconds, a `Date`, or text such as `"2026-01-01T00:00:00Z"`. It doesn't move
   * until it is advanced. Default: now.
   */
  readonly startsAt?: number | Date | string
  /** The maximum number of realms, 1 to 1,000,000. Default: 1,000,000. */
  readonly maxRealms?: number
  /** How many days events are stored, 35 to 3,650. Default: 365. */
  readonly eventRetentionDays?: number
  /** The port to listen on, on 127.0.0.1. Default: any free port. */
  readonly port?: number
  /** The URL used as the issuer of tokens and in email links. Default: the service's own URL. */
  readonly publicUrl?: string
  /** The prefix of the service's own headers. Default: `X-Service`. */
  readonly headerPrefix?: string
  /**
   * The rate limits in force: `"all"`, `"mails"` (only that of emails to one recipient) or `"nothing"`. Default: `"mails"`,
   * because limits recover with the clock, which doesn't move.
   */
  readonly limits?: LimitScope
  /** The proxies whose `X-Forwarded-For` is trusted: addresses, and networks such as `10.0.0.0/8`. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whether hooks and providers may use plain http and private addresses. Default: true. */
  readonly allowPrivateTargets?: boolean
  /** The URL to look up new passwords in data breaches. Default: none. */
  readonly breachedPasswordsUrl?: string
  /** Where webhooks are posted: `"captured"`, to be read in the test (the default), or `"real"`, over HTTP. */
  readonly outbound?: "captured" | "real"
  /**
   * Overrides for providers that are known by type, such as `google`: their `endpoints` (`authorization`, `token`,
   * `profile`, `emails`, `inspection`, `keys`) and other members of a preset. Default: none.
   */
  readonly providers?: ProviderOptions
  /** The timeout for responses of providers and webhook receivers, in milliseconds. Default: as in production. */
  readonly patience?: number
  /** Whether password hashes are as expensive as in production. Default: false, which makes tests faster. */
  readonly realHashes?: boolean
  /** The keys that encrypt secrets at rest, at least 32 characters each; the first encrypts. Default: a fixed key. */
  readonly secrets?: ReadonlyArray<string>
  /** The domains of the addresses that hooks may send email from. Default: any. */
  readonly mailFromDomains?: ReadonlyArray<string>
  /**
   * Where emails go: `"captured"`, to be read in the test (the default), `"mailbox"`, to the service's own `/mailbox` and
   * `/v2/test/messages`, or to a mail server.
   */
  readonly mail?: "captured" | "mailbox" | { readonly smtpUrl: string }
  /** Whether to serve the console at `/console`. Default: true. */
  readonly console?: boolean
  /** Whether to log to stdout, or, with Effect, to the surrounding loggers. Default: false. */
  readonly logs?: boolean
}
