import { Data, Effect, Redacted } from "effect"
import { WellKnown } from "#core/external/providers/Presets"
import { RETENTION_DAYS } from "#domain/EventRetention"
import { isObject, type JsonObject as Members } from "#domain/JsonObject"
import { nearestName } from "#domain/NearestName"
import { hasPlainPath } from "#domain/PublicPath"
import { isAddressRange } from "#platform/ClientAddress"
import { HEADER_PREFIX, MAX_REALMS } from "#server/Config"
import { databaseUrlProblem } from "#server/DatabaseUrl"
import { isHttpUrl, LABELS, MIN_SECRET_LENGTH } from "#server/EnvironmentReader"
import { startOf } from "./StartTime.ts"
import type { TestOptions } from "./TestOptions.ts"

/** The options of a service under test are invalid. `message` contains the reason. */
export class OptionsRefused extends Data.TaggedError("OptionsRefused")<{ readonly message: string }> {}

/** A rule for an option, with its description and its check. */
interface Rule {
  readonly must: string
  readonly fits: (value: unknown) => boolean
}

const hasOnly = (value: Members, ...names: ReadonlyArray<string>): boolean =>
  Object.keys(value).every((name) => names.includes(name))

const isInteger = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most

const isListOf = (value: unknown, fits: (text: string) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && fits(item))

const integer = (least: number, most: number): Rule => ({
  must: `a whole number from ${least} to ${most}`,
  fits: (value) => isInteger(value, least, most)
})

const either: Rule = { must: "true or false", fits: (value) => typeof value === "boolean" }

const text = (must: string, fits: (text: string) => boolean): Rule => ({
  must,
  fits: (value) => typeof value === "string" && fits(value)
})

const oneOf = (...values: readonly [string, string, ...Array<string>]): Rule => {
  const quoted = values.map((value) => JSON.stringify(value))
  const must = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`
  return text(must, (value) => values.includes(value))
}

const isPostgres = ({ url, poolSize = 2, processes = 1, pooler = "none" }: Members): boolean =>
  databaseUrlProblem("url", Redacted.isRedacted(url) ? String(Redacted.value(url)) : String(url)) === undefined &&
  isInteger(poolSize, 1, 500) &&
  isInteger(processes, 1, 64) &&
  (pooler === "none" || pooler === "transaction")

const isDatabase = (value: unknown): boolean => {
  if (!isObject(value)) return false
  if (value["_tag"] === "Memory") return hasOnly(value, "_tag")
  if (value["_tag"] === "Embedded") {
    return hasOnly(value, "_tag", "dataDir") && typeof value["dataDir"] === "string" && value["dataDir"] !== ""
  }
  return (
    value["_tag"] === "Postgres" &&
    hasOnly(value, "_tag", "url", "poolSize", "processes", "pooler") &&
    isPostgres(value)
  )
}

const isMailServer = (value: unknown): boolean => {
  const url = isObject(value) && hasOnly(value, "smtpUrl") ? URL.parse(String(value["smtpUrl"])) : null
  return (url?.protocol === "smtp:" || url?.protocol === "smtps:") && url.hostname !== ""
}

const providerTypes = Object.keys(WellKnown.defaultValue())

const PRESET = [
  "endpoints",
  "scopes",
  "supportsPkce",
  "idTokens",
  "clientSecret",
  "responseMode",
  "retryParameters",
  "claimsOf",
  "inspection"
]
const ENDPOINTS = ["authorization", "token", "profile", "emails", "inspection", "keys"]

const isEndpoints = (value: unknown): boolean =>
  isObject(value) &&
  hasOnly(value, ...ENDPOINTS) &&
  Object.values(value).every((url) => typeof url === "string" && isHttpUrl(url))

const isPreset = (value: unknown): boolean =>
  isObject(value) && hasOnly(value, ...PRESET) && (value["endpoints"] === undefined || isEndpoints(value["endpoints"]))

/** The rule for each option. */
const rules: { readonly [Name in keyof Required<TestOptions>]: Rule } = {
  database: {
    must: '{ _tag: "Memory" }, { _tag: "Embedded", dataDir: "…" } or { _tag: "Postgres", url: "postgres://…" }',
    fits: isDatabase
  },
  connections: {
    must: "the open Connections of a database",
    fits: (value) => isObject(value) && "fast" in value && "slow" in value
  },
  startsAt: {
    must: 'a Date, Unix milliseconds or text such as "2026-01-01T00:00:00Z", in the years 2000 to 9000',
    fits: (value) => startOf(value) !== undefined
  },
  maxRealms: integer(1, MAX_REALMS),
  eventRetentionDays: integer(RETENTION_DAYS.least, RETENTION_DAYS.most),
  port: integer(0, 65_535),
  publicUrl: text("an http or https URL without a query", (value) => isHttpUrl(value) && hasPlainPath(value)),
  headerPrefix: text("up to 40 letters, digits and hyphens, starting with a letter", (value) =>
    HEADER_PREFIX.test(value)
  ),
  limits: oneOf("all", "mails", "nothing"),
  trustedProxies: {
    must: "a list of IP addresses, or of networks such as 10.0.0.0/8",
    fits: (value) => isListOf(value, isAddressRange)
  },
  allowPrivateTargets: either,
  breachedPasswordsUrl: text("an http or https URL", isHttpUrl),
  outbound: oneOf("captured", "real"),
  providers: {
    must: `an object whose members (${providerTypes.join(", ")}) override that provider's preset: ${PRESET.join(", ")}; the endpoints are URLs by name: ${ENDPOINTS.join(", ")}`,
    fits: (value) => isObject(value) && hasOnly(value, ...providerTypes) && Object.values(value).every(isPreset)
  },
  patience: integer(1, 600_000),
  realHashes: either,
  secrets: {
    must: `a list of at least one text, each of at least ${MIN_SECRET_LENGTH} characters`,
    fits: (value) =>
      Array.isArray(value) && value.length > 0 && isListOf(value, ({ length }) => length >= MIN_SECRET_LENGTH)
  },
  mailFromDomains: {
    must: "a list of domain names",
    fits: (value) => isListOf(value, (domain) => LABELS.test(domain))
  },
  mail: {
    must: '"captured", "mailbox" or { smtpUrl: "smtp://…" }',
    fits: (value) => value === "captured" || value === "mailbox" || isMailServer(value)
  },
  console: either,
  consoleKeys: either,
  logs: either
}

const names = Object.keys(rules)

const problemOf = (name: string, value: unknown): ReadonlyArray<string> => {
  const rule = Object.entries(rules).find(([known]) => known === name)?.[1]
  if (rule !== undefined) return value === undefined || rule.fits(value) ? [] : [`Option ${name} must be ${rule.must}.`]
  const nearest = nearestName(name, names)
  return [
    nearest === undefined
      ? `Unknown option ${name}. The options are: ${names.join(", ")}.`
      : `Unknown option ${name}. Did you mean ${nearest}?`
  ]
}

/**
 * Describes the problems of the options: one sentence, or a heading with a line for each problem. Returns undefined if there
 * are none.
 */
export const optionsProblem = (options: TestOptions): string | undefined => {
  if (!isObject(options)) return "The options must be an object."
  const problems = Object.entries(options).flatMap(([name, value]) => problemOf(name, value))
  if (problems.length < 2) return problems[0]
  return [`The options have ${problems.length} problems:`, ...problems.map((line) => `- ${line}`)].join("\n")
}

/** Rejects invalid options. The error lists all problems. */
export const requireValid = (options: TestOptions): Effect.Effect<void, OptionsRefused> =>
  Effect.suspend(() => {
    const message = optionsProblem(options)
    return message === undefined ? Effect.void : Effect.fail(new OptionsRefused({ message }))
  })
