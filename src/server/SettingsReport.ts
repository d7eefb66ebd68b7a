import { Effect } from "effect"
import type { DatabaseTarget } from "#sql/Database"
import { changedUrl } from "#sql/HostList"
import { findUpwards } from "#sql/MigrationFiles"
import { inspectSettings, type Settings } from "./Config.ts"
import type { Environment } from "./EnvironmentReader.ts"
import { weakSecrets } from "./SecretStrength.ts"
import { variables } from "./Variables.ts"

/** A setting and its current value. Secrets are masked. */
export interface ShownSetting {
  readonly name: string
  /** The value in the form that the variable has, or null if there is none. */
  readonly value: string | null
  readonly source: "default" | "environment" | "file"
  /** The file that the value was read from, if any. */
  readonly file: string | null
}

/** Shown instead of a secret. */
const MASK = "********"

/** A URL without its password and without passwords in its query. */
const masked = (text: string): string =>
  changedUrl(text, (url) => {
    if (url.password !== "") url.password = MASK
    for (const name of url.searchParams.keys()) if (/pass|key|secret/i.test(name)) url.searchParams.set(name, MASK)
  }) ?? MASK

const onOff = (on: boolean) => (on ? "on" : "off")
const trueFalse = (is: boolean) => (is ? "true" : "false")

const databaseUrl = (database: DatabaseTarget): string | null => (database._tag === "Memory" ? "memory://" : null)

/** The default value of each variable, if it has one. */
const defaults: Readonly<Record<string, (settings: Settings) => string | number | null>> = {
  PORT: ({ port }) => port,
  HOST: ({ host }) => host,
  SALLYPORT_OPS_HOST: ({ ops }) => ops?.host ?? null,
  DATABASE_URL: ({ database }) => databaseUrl(database),
  SALLYPORT_WORKERS: ({ workers }) => workers,
  SALLYPORT_DATABASE_POOLER: ({ database }) => (database._tag === "Postgres" ? (database.pooler ?? "none") : null),
  SALLYPORT_REPLICA_MAX_LAG_MILLISECONDS: ({ database }) =>
    database._tag === "Postgres" ? (database.replica?.maxLagMillis ?? null) : null,
  SALLYPORT_DATABASE_TIMEOUT_SECONDS: ({ answerWithin }) => answerWithin,
  SALLYPORT_DATABASE_WAIT_SECONDS: ({ databaseWait }) => databaseWait,
  SALLYPORT_DATA_DIR: ({ dataDir }) => dataDir,
  SALLYPORT_PUBLIC_URL: ({ publicUrl }) => publicUrl,
  SALLYPORT_LOGIN_DOMAIN: ({ loginDomain }) => loginDomain,
  SALLYPORT_REGION: ({ region }) => region,
  SALLYPORT_ISSUER: ({ publicUrl }) => `${publicUrl}/realms/<realm id>`,
  SALLYPORT_HEADER_PREFIX: ({ headerPrefix }) => headerPrefix,
  SALLYPORT_MAX_REALMS: ({ maxRealms }) => maxRealms,
  SALLYPORT_EVENT_RETENTION_DAYS: ({ eventRetentionDays }) => eventRetentionDays,
  SALLYPORT_LIMITS: ({ limits }) => onOff(limits === "all"),
  SALLYPORT_ALLOW_PRIVATE_TARGETS: ({ allowPrivateTargets }) => trueFalse(allowPrivateTargets),
  SALLYPORT_MAIL_FROM: ({ mailFrom: { name, address } }) => (name === null ? address : `${name} <${address}>`),
  SALLYPORT_MAIL_FROM_DOMAINS: ({ mailFromDomains }) => (mailFromDomains === "any" ? "*" : mailFromDomains.join(",")),
  SALLYPORT_CONSOLE: ({ console }) => onOff(console),
  SALLYPORT_CONSOLE_KEYS: ({ consoleKeys }) => onOff(consoleKeys),
  SALLYPORT_TEST_MODE: ({ testMode }) => onOff(testMode)
}

/** The secrets that are URLs. They are shown without their passwords. */
const secretUrls: ReadonlySet<string> = new Set(["DATABASE_URL", "DATABASE_REPLICA_URL", "SALLYPORT_SMTP_URL"])

const nonEmpty = (environment: Environment, name: string): string | undefined => {
  const text = environment[name]?.trim()
  return text === "" ? undefined : text
}

/** The file in the package that describes all settings. */
export const settingsFile = (): string => findUpwards(".env.example") ?? ".env.example"

/** Returns all settings with their values and sources, the problems that would prevent a start, and warnings. */
export const reportSettings = Effect.fnUntraced(function* (environment: Environment) {
  const { settings, problems } = yield* inspectSettings(environment)
  const shown = variables.map(({ name, secret = false }): ShownSetting => {
    const text = nonEmpty(environment, name)
    const file = secret ? nonEmpty(environment, `${name}_FILE`) : undefined
    if (text === undefined && file === undefined) {
      const value = defaults[name]?.(settings)
      return {
        name,
        value: value === undefined || value === null ? null : String(value),
        source: "default",
        file: null
      }
    }
    const value = !secret ? (text ?? null) : text !== undefined && secretUrls.has(name) ? masked(text) : MASK
    return { name, value, source: text === undefined ? "file" : "environment", file: file ?? null }
  })
  const warnings = [
    ...settings.unknownVariables.map((name) => `${name} is not a setting in this release, so it is ignored.`),
    ...weakSecrets(settings).map(
      ({ name, why }) => `${name} ${why}. Set a random one, such as from openssl rand -hex 32.`
    ),
    ...(settings.testMode && settings.database._tag === "Postgres"
      ? ["SALLYPORT_TEST_MODE is on. Never run it with real users."]
      : [])
  ]
  return { settings: shown, problems, warnings }
})
