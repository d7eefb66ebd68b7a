import type { Redacted } from "effect"
import type { Endpoints, Preset, PresetMembers } from "#core/external/providers/Preset"
import type { LimitScope } from "#domain/Limit"
import type { WellKnownType } from "#domain/WellKnownProviders"
import type { Connections, DatabaseTarget } from "#sql/Database"

/** A fixed time, 2026-01-01T00:00:00Z. Use it as `startsAt` in tests that depend on specific times. */
export const STARTS_AT = 1_767_225_600_000

/** A PostgreSQL database, whose URL can be a plain string. */
type PostgresTarget = Omit<Extract<DatabaseTarget, { readonly _tag: "Postgres" }>, "url"> & {
  readonly url: string | Redacted.Redacted
}

/** Some members of a preset, and some of its endpoints. */
type Changed<Members extends PresetMembers> = Partial<Omit<Members, "endpoints">> & {
  readonly endpoints?: Partial<Endpoints>
}

/** Changes to the presets of known providers, by type. */
export type ProviderOptions = { readonly [Type in WellKnownType]?: Changed<Preset> }

/** The options whose types don't need Effect. */
interface PlainOptions {
  /**
   * The service's time when it starts: Unix milliseconds, a `Date`, or a string such as `"2026-01-01T00:00:00Z"`. The time
   * only changes when it is advanced. Default: now.
   */
  readonly startsAt?: number | Date | string
  /** The maximum number of realms, 1 to 1,000,000. Default: 1,000,000. */
  readonly maxRealms?: number
  /** The number of days that events are stored, 35 to 3,650. Default: 365. */
  readonly eventRetentionDays?: number
  /** The port to listen on, on 127.0.0.1. Default: any free port. */
  readonly port?: number
  /** The URL used as the issuer of tokens and in email links. Default: the service's own URL. */
  readonly publicUrl?: string
  /** The prefix of the service's own headers. Default: `X-Service`. */
  readonly headerPrefix?: string
  /**
   * The rate limits to enforce: `"all"`, `"mails"` (only the limit on emails to one recipient) or `"nothing"`. Default:
   * `"mails"`, because limits reset over time and the clock doesn't move.
   */
  readonly limits?: LimitScope
  /** The proxies whose `X-Forwarded-For` is trusted: addresses, and networks such as `10.0.0.0/8`. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Whether hooks and providers can use plain http and private addresses. Default: true. */
  readonly allowPrivateTargets?: boolean
  /** The URL of the service that checks new passwords against data breaches. Default: none. */
  readonly breachedPasswordsUrl?: string
  /**
   * How webhooks are posted: `"captured"` for reading them in the test (the default), or `"real"` for sending them over HTTP.
   */
  readonly outbound?: "captured" | "real"
  /** The timeout for responses of providers and webhook receivers, in milliseconds. Default: as in production. */
  readonly patience?: number
  /** Whether password hashes are as expensive as in production. Default: false, which makes tests faster. */
  readonly realHashes?: boolean
  /**
   * The keys that encrypt secrets at rest, each with at least 32 characters. The first key encrypts; all keys decrypt.
   * Default: a fixed key.
   */
  readonly secrets?: ReadonlyArray<string>
  /** The domains that hooks can send email from. Default: any. */
  readonly mailFromDomains?: ReadonlyArray<string>
  /**
   * Where emails are sent: `"captured"` for reading them in the test (the default), `"mailbox"` for the service's own
   * `/mailbox` and `/v2/test/messages`, or the URL of a mail server.
   */
  readonly mail?: "captured" | "mailbox" | { readonly smtpUrl: string }
  /** Whether to serve the console at `/console`. Default: true. */
  readonly console?: boolean
  /** Whether API keys may log in to the console. Default: true. */
  readonly consoleKeys?: boolean
  /** Whether to log to stdout or, with Effect, to the surrounding loggers. Default: false. */
  readonly logs?: boolean
}

/** The options of a service under test, listed in `docs/guides/test-with-the-clock.md`. */
export interface TestOptions extends PlainOptions {
  /**
   * The database for the data: `{ _tag: "Memory" }` (the default), `{ _tag: "Embedded", dataDir }` or `{ _tag: "Postgres", url
   * }`.
   */
  readonly database?: DatabaseTarget | PostgresTarget
  /** An open database to use instead of `database`, which several services can share. Default: none. */
  readonly connections?: Connections["Service"]
  /**
   * Overrides for providers with presets, such as `google`: their `endpoints` (`authorization`, `token`, `profile`, `emails`,
   * `inspection`, `keys`) and other members of a preset. Default: none.
   */
  readonly providers?: ProviderOptions
}

/** The options of a service under test without Effect. */
export interface StartOptions extends PlainOptions {
  /**
   * The database for the data: `{ _tag: "Memory" }` (the default), `{ _tag: "Embedded", dataDir }` or `{ _tag: "Postgres", url
   * }`.
   */
  readonly database?:
    | { readonly _tag: "Memory" }
    | { readonly _tag: "Embedded"; readonly dataDir: string }
    | { readonly _tag: "Postgres"; readonly url: string }
  /**
   * Overrides for providers with presets, such as `google`: their `endpoints` (`authorization`, `token`, `profile`, `emails`,
   * `inspection`, `keys`) and other members of a preset. Default: none.
   */
  readonly providers?: { readonly [Type in WellKnownType]?: Changed<PresetMembers> }
}
