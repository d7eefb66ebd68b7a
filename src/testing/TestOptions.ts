import type { Redacted } from "effect"
import type { Preset } from "#core/external/providers/Preset"
import type { LimitScope } from "#domain/Limit"
import type { WellKnownType } from "#domain/WellKnownProviders"
import type { Connections, DatabaseTarget } from "#sql/Database"

/** A fixed time, 2026-01-01T00:00:00Z, for tests that write times down: as `startsAt`. */
export const STARTS_AT = 1_767_225_600_000

/** A database of a PostgreSQL server, whose URL may be plain text. */
type PostgresTarget = Omit<Extract<DatabaseTarget, { readonly _tag: "Postgres" }>, "url"> & {
  readonly url: string | Redacted.Redacted
}

/** What differs from the presets of known providers, by their type. */
export type ProviderOptions = {
  readonly [Type in WellKnownType]?: Partial<Omit<Preset, "endpoints">> & {
    readonly endpoints?: Partial<Preset["endpoints"]>
  }
}

/** The options of a service under test. `docs/guides/test-with-the-clock.md` lists them. */
export interface TestOptions {
  /** Where the data is: `{ _tag: "Memory" }` (the default), `{ _tag: "Embedded", dataDir }` or `{ _tag: "Postgres", url }`. */
  readonly database?: DatabaseTarget | PostgresTarget
  /** An open database to use in place of `database`, for services that share one. Default: none. */
  readonly connections?: Connections["Service"]
  /**
   * The service's time at its start: Unix milliseconds, a `Date`, or text such as `"2026-01-01T00:00:00Z"`. It stands still
   * until it is advanced. Default: now.
   */
  readonly startsAt?: number | Date | string
  /** The maximum number of realms, 1 to 1,000,000. Default: 1,000,000. */
  readonly maxRealms?: number
  /** How many days events are kept, 35 to 3,650. Default: 365. */
  readonly eventRetentionDays?: number
  /** The port to listen on, on 127.0.0.1. Default: any that is free. */
  readonly port?: number
  /** The URL that tokens name as their issuer and that links in mails lead to. Default: the service's own address. */
  readonly publicUrl?: string
  /** The prefix of the service's own headers. Default: `X-Service`. */
  readonly headerPrefix?: string
  /**
   * The rate limits in force: `"all"`, `"mails"` (only that of mails to one recipient) or `"nothing"`. Default: `"mails"`,
   * because limits recover with the clock, which stands still.
   */
  readonly limits?: LimitScope
  /** The proxies whose `X-Forwarded-For` is trusted: addresses, and networks such as `10.0.0.0/8`. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whether hooks and providers may have plain http and private addresses. Default: true. */
  readonly allowPrivateTargets?: boolean
  /** Where new passwords are looked up among those of data breaches. Default: nowhere. */
  readonly breachedPasswordsUrl?: string
  /** Where posts to webhooks go: `"captured"`, to be read in the test (the default), or `"real"`, out over HTTP. */
  readonly outbound?: "captured" | "real"
  /**
   * What differs for providers that are known by their type, such as `google`: their `endpoints` (`authorization`, `token`,
   * `profile`, `emails`, `inspection`, `keys`) and what else a preset has. What is left out stays. Default: nothing.
   */
  readonly providers?: ProviderOptions
  /** How long a provider or a webhook's receiver may take to answer, in milliseconds. Default: as in production. */
  readonly patience?: number
  /** Whether password hashes cost as much as in production. Default: false, which makes tests faster. */
  readonly realHashes?: boolean
  /** The keys that encrypt secrets at rest, at least 32 characters each, the first for new ones. Default: a fixed one. */
  readonly secrets?: ReadonlyArray<string>
  /** The domains whose addresses hooks may send mail from. Default: any. */
  readonly mailFromDomains?: ReadonlyArray<string>
  /**
   * Where mails go: `"captured"`, to be read in the test (the default), `"mailbox"`, to the service's own `/mailbox` and
   * `/v2/test/messages`, or to the mail server of a URL.
   */
  readonly mail?: "captured" | "mailbox" | { readonly smtpUrl: string }
  /** Whether the service has its console at `/console`. Default: true. */
  readonly console?: boolean
  /** Whether the service writes its log to the output, or, with Effect, to the loggers around it. Default: false. */
  readonly logs?: boolean
}
