import { availableParallelism } from "node:os"
import { Data, Effect, type Redacted } from "effect"
import type { MailFrom } from "#core/hooks/MailContents"
import type { SenderDomains } from "#core/mail/MailSenders"
import { RETENTION_DAYS } from "#domain/EventRetention"
import type { LimitScope } from "#domain/Limit"
import { hasPlainPath } from "#domain/PublicPath"
import type { DatabaseTarget } from "#sql/Database"
import { databaseOf, poolSizeOf } from "./DatabaseSettings.ts"
import { type Environment, isHttpUrl, LABELS, ONE_LABEL, Reader } from "./EnvironmentReader.ts"
import { mailboxOf, mailFromDomainsOf, mailFromOf, smtpUrlOf } from "./MailSettings.ts"
import { variables } from "./Variables.ts"

/** The service's environment, parsed and validated. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** Variables named `SALLYPORT_…` that are not settings and don't resemble one. */
  readonly unknownVariables: ReadonlyArray<string>
  /** The address of the second port, which only operators should be able to reach, or undefined if there is none. */
  readonly ops: { readonly port: number; readonly host: string } | undefined
  readonly database: DatabaseTarget
  /** The number of processes that serve the port (C62). */
  readonly workers: number
  /**
   * The maximum number of connections for short statements per process, or undefined for this process's share of the
   * default.
   */
  readonly poolSize: number | undefined
  /** The time limit for the database's response to a statement, in seconds. */
  readonly answerWithin: number
  /** How long startup waits for an unreachable database, in seconds. */
  readonly databaseWait: number
  readonly dataDir: string
  readonly rootKey: Redacted.Redacted | undefined
  /** The file that the root key was read from, if any. */
  readonly rootKeyFile: string | undefined
  /**
   * The keys that encrypt secrets at rest; the first encrypts new secrets. If empty, a key is generated and stored in
   * the data folder.
   */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
  readonly publicUrl: string
  /** Whether the public URL is configured. If it isn't, the service uses a URL of this machine. */
  readonly hasPublicUrl: boolean
  /** The parent domain of all connected apps, and the region's label in front of it (C40). */
  readonly loginDomain: string
  readonly region: string
  readonly issuer: string | undefined
  readonly headerPrefix: string
  readonly maxRealms: number
  /** The number of days for which events are retained. */
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
  readonly breachedPasswordsUrl: string | undefined
  /** The resolvers that look up the records of domains. Empty: the system's. */
  readonly dnsResolvers: ReadonlyArray<string>
  /** The URL of the mail server, with user and password. Undefined if emails don't leave the service. */
  readonly smtpUrl: Redacted.Redacted | undefined
  /** Whether emails stay in the service and are shown at `/mailbox` (C38). */
  readonly mailbox: boolean
  readonly mailFrom: MailFrom
  /** The domains that hooks may send email from. */
  readonly mailFromDomains: SenderDomains
  /** Whether emails, webhooks and logout notices are delivered. Otherwise they wait (C193). */
  readonly delivers: boolean
  /** Whether the console is served (C200). */
  readonly console: boolean
  /** Whether API keys may log in to the console (C304). */
  readonly consoleKeys: boolean
  /** Whether the service runs in test mode, where callers may advance the clock and inject failures. */
  readonly testMode: boolean
  /** The URL of an OpenTelemetry collector. */
  readonly collector: string | undefined
  /** The percentage of requests that are traced. */
  readonly tracedPercent: number
}

/** The prefix of the service's own headers. */
export const HEADER_PREFIX = /^[A-Za-z][A-Za-z0-9-]{0,39}$/

/** The highest value of `SALLYPORT_MAX_REALMS`. */
export const MAX_REALMS = 1_000_000

/** The environment has invalid settings. `problems`: one sentence per problem, without any secrets. */
export class ConfigRefused extends Data.TaggedError("ConfigRefused")<{ readonly problems: ReadonlyArray<string> }> {
  override get message() {
    return `The configuration is not valid:\n${this.problems.map((line) => `  - ${line}`).join("\n")}`
  }
}

/** The maximum number of workers, each of which has connections to the database. */
const MAX_WORKERS = 64

/** Returns why the service must run in a single process, so that `auto` means 1, or undefined if it can run in several. */
const needsOneProcess = (database: DatabaseTarget, testMode: boolean): string | undefined => {
  if (database._tag !== "Postgres")
    return "with the embedded database, which only one process can use: set DATABASE_URL"
  return testMode ? "in test mode, because each process would have its own clock" : undefined
}

const workersOf = (reader: Reader, database: DatabaseTarget, testMode: boolean): number => {
  const one = needsOneProcess(database, testMode)
  if (reader.text("SALLYPORT_WORKERS") === "auto") {
    return one === undefined ? Math.min(availableParallelism(), MAX_WORKERS) : 1
  }
  const workers = reader.integer("SALLYPORT_WORKERS", 1, MAX_WORKERS, 1, "auto or a whole number")
  if (workers > 1 && one !== undefined) reader.problems.push(`SALLYPORT_WORKERS must be 1 or auto ${one}.`)
  return workers
}

const publicUrlOf = (reader: Reader): string | undefined => {
  const url = reader.url("SALLYPORT_PUBLIC_URL")
  if (url !== undefined && isHttpUrl(url) && !hasPlainPath(url)) {
    reader.problems.push(
      "The path of SALLYPORT_PUBLIC_URL may only contain letters, digits, hyphens, dots, underscores and tildes."
    )
  }
  return url
}

/** Requires that the service's own host is not the host of an app, where neither the API nor the console exists. */
const requireOwnHost = (
  reader: Reader,
  { publicUrl, region, loginDomain }: Pick<Settings, "publicUrl" | "region" | "loginDomain">
): void => {
  const host = URL.parse(publicUrl)?.hostname.replace(/\.$/, "") ?? ""
  const parent = `${region}.${loginDomain}`
  if (!host.endsWith(`.${parent}`)) return
  reader.problems.push(
    `The host of SALLYPORT_PUBLIC_URL must not be below ${parent}, because that is where the hosts of apps are (SALLYPORT_REGION and SALLYPORT_LOGIN_DOMAIN).`
  )
}

const opsOf = (reader: Reader, port: number, host: string): Settings["ops"] => {
  if (reader.text("SALLYPORT_OPS_PORT") === undefined) {
    if (reader.text("SALLYPORT_OPS_HOST") !== undefined)
      reader.problems.push("SALLYPORT_OPS_HOST requires SALLYPORT_OPS_PORT.")
    return undefined
  }
  const ops = {
    port: reader.integer("SALLYPORT_OPS_PORT", 0, 65_535, 0),
    host: reader.text("SALLYPORT_OPS_HOST") ?? host
  }
  if (ops.port !== 0 && ops.port === port) reader.problems.push("SALLYPORT_OPS_PORT must be different from PORT.")
  return ops
}

/** Reads only the database settings from an environment. */
export const readDatabase = (environment: Environment): Effect.Effect<DatabaseTarget, ConfigRefused> =>
  Effect.suspend(() => {
    const reader = new Reader(environment)
    const others = reader.problems.length
    const database = databaseOf(reader, reader.text("SALLYPORT_DATA_DIR") ?? "./data")
    const problems = reader.problems.slice(others)
    return problems.length > 0 ? Effect.fail(new ConfigRefused({ problems })) : Effect.succeed(database)
  })

/** Reads the settings from an environment. Invalid settings get their default values, and every problem is reported. */
export const inspectSettings = (
  environment: Environment
): Effect.Effect<{ readonly settings: Settings; readonly problems: ReadonlyArray<string> }> =>
  Effect.sync(() => {
    const reader = new Reader(environment)
    const port = reader.integer("PORT", 0, 65_535, 3_000)
    const dataDir = reader.text("SALLYPORT_DATA_DIR") ?? "./data"
    const database = databaseOf(reader, dataDir)
    const testMode = reader.switch("SALLYPORT_TEST_MODE")
    const host = reader.text("HOST") ?? (database._tag === "Postgres" ? "0.0.0.0" : "127.0.0.1")
    const known = reader.problems.length
    const secret = reader.secret("SALLYPORT_SECRET")
    const isUnread = reader.problems.length > known
    const secrets = (secret?.split(",") ?? []).flatMap((text, at, { length }) => {
      const name = length === 1 ? "SALLYPORT_SECRET" : `Key ${at + 1} of SALLYPORT_SECRET`
      return reader.longEnough(name, text.trim()) ?? []
    })
    if (database._tag === "Postgres" && secret === undefined && !isUnread) {
      reader.problems.push(
        "SALLYPORT_SECRET is required with DATABASE_URL. It must have at least 32 characters, and stay the same at every start."
      )
    }
    const headerPrefix = reader.text("SALLYPORT_HEADER_PREFIX") ?? "X-Service"
    if (!HEADER_PREFIX.test(headerPrefix)) {
      reader.problems.push(
        "SALLYPORT_HEADER_PREFIX must be up to 40 letters, digits and hyphens, starting with a letter."
      )
    }
    const smtpUrl = smtpUrlOf(reader)
    const mailFrom = mailFromOf(reader)
    const settings: Settings = {
      port,
      host,
      unknownVariables: reader.unknown,
      ops: opsOf(reader, port, host),
      database,
      workers: workersOf(reader, database, testMode),
      poolSize: poolSizeOf(reader, database),
      answerWithin: reader.integer("SALLYPORT_DATABASE_TIMEOUT_SECONDS", 9, 600, 9),
      databaseWait: reader.integer("SALLYPORT_DATABASE_WAIT_SECONDS", 0, 3_600, 60),
      dataDir,
      rootKey: reader.sendable(
        "SALLYPORT_ROOT_KEY",
        reader.longEnough("SALLYPORT_ROOT_KEY", reader.secret("SALLYPORT_ROOT_KEY"))
      ),
      rootKeyFile: reader.text("SALLYPORT_ROOT_KEY_FILE"),
      secrets,
      hasPublicUrl: reader.text("SALLYPORT_PUBLIC_URL") !== undefined,
      publicUrl: publicUrlOf(reader) ?? `http://localhost:${port}`,
      loginDomain: reader.domain("SALLYPORT_LOGIN_DOMAIN", LABELS, "a domain name without a port", "localhost"),
      region: reader.domain(
        "SALLYPORT_REGION",
        ONE_LABEL,
        "letters, digits and hyphens, and can't start or end with a hyphen",
        "local"
      ),
      issuer: reader.url("SALLYPORT_ISSUER"),
      headerPrefix,
      maxRealms: reader.integer("SALLYPORT_MAX_REALMS", 1, MAX_REALMS, 100),
      eventRetentionDays: reader.integer(
        "SALLYPORT_EVENT_RETENTION_DAYS",
        RETENTION_DAYS.least,
        RETENTION_DAYS.most,
        RETENTION_DAYS.otherwise
      ),
      limits: reader.switch("SALLYPORT_LIMITS", "on") ? "all" : "nothing",
      trustedProxies: reader.addresses("SALLYPORT_TRUSTED_PROXIES"),
      allowPrivateTargets: reader.truth("SALLYPORT_ALLOW_PRIVATE_TARGETS", database._tag !== "Postgres"),
      breachedPasswordsUrl: reader.url("SALLYPORT_BREACHED_PASSWORDS_URL"),
      dnsResolvers: reader.servers("SALLYPORT_DNS_RESOLVERS"),
      smtpUrl,
      mailbox: mailboxOf(reader, smtpUrl, testMode || database._tag !== "Postgres"),
      mailFrom,
      mailFromDomains: mailFromDomainsOf(reader, mailFrom, smtpUrl !== undefined),
      delivers: reader.switch("SALLYPORT_DELIVERIES", "on"),
      console: reader.switch("SALLYPORT_CONSOLE", "on"),
      consoleKeys: reader.switch("SALLYPORT_CONSOLE_KEYS", "on"),
      testMode,
      collector: reader.url("OTEL_EXPORTER_OTLP_ENDPOINT"),
      tracedPercent: reader.integer("SALLYPORT_TRACED_PERCENT", 0, 100, 100)
    }
    requireOwnHost(reader, settings)
    return { settings, problems: reader.problems }
  })

/** Reads the settings from an environment. */
export const readSettings = (environment: Environment): Effect.Effect<Settings, ConfigRefused> =>
  Effect.flatMap(inspectSettings(environment), ({ settings, problems }) =>
    problems.length > 0 ? Effect.fail(new ConfigRefused({ problems })) : Effect.succeed(settings)
  )

/** Whether secrets of this process are read from files, which may change while it runs. */
export const hasSecretFiles: Effect.Effect<boolean> = Effect.sync(() =>
  variables.some(({ name, secret }) => secret === true && (process.env[`${name}_FILE`]?.trim() ?? "") !== "")
)

/** The settings of this process. */
export const settings: Effect.Effect<Settings, ConfigRefused> = Effect.suspend(() => readSettings(process.env))
