import { Data, Duration } from "effect"

/** The limits that a deployment enforces: all, only those on emails to one recipient, or none. */
export type LimitScope = "all" | "mails" | "nothing"

/** At most `most` operations in each window of fixed length (C45). */
export interface Limit {
  readonly most: number
  readonly within: Duration.Duration
}

/** The default limits (C45). A realm may override them. */
export const limits = {
  /** Management reads, per key. */
  reads: { most: 1_000, within: Duration.seconds(10) },
  /** Management writes, per key. */
  writes: { most: 500, within: Duration.seconds(10) },
  /** The same, for all keys locked to the realm together (C269, SEC-252). */
  reads_total: { most: 4_000, within: Duration.seconds(10) },
  writes_total: { most: 2_000, within: Duration.seconds(10) },
  /** Attempts with a password or a code, per identifier as entered. */
  attempts: { most: 10, within: Duration.minutes(1) },
  /** Wrong emailed codes at the start of a login, per identifier as entered (SEC-147). */
  email_codes: { most: 50, within: Duration.days(1) },
  /** Hosted login operations on credentials, per client address. */
  hosted: { most: 5, within: Duration.seconds(10) },
  hosted_sustained: { most: 30, within: Duration.minutes(5) },
  /** Passkey logins started by hosted login pages, per client address. Pages that offer passkeys start one when they open. */
  passkey_challenges: { most: 60, within: Duration.minutes(1) },
  /**
   * Requests to the OAuth endpoints that clients call, per client and address; and of those, requests with a wrong client
   * secret.
   */
  oauth: { most: 1_000, within: Duration.seconds(10) },
  client_secrets: { most: 20, within: Duration.minutes(1) },
  /**
   * Requests that anyone can send and that are stored until a browser completes them: per client address, and per realm
   * (SEC-197).
   */
  open_requests: { most: 300, within: Duration.minutes(5) },
  open_requests_total: { most: 50_000, within: Duration.minutes(5) },
  /** Wrong user codes of devices, per user who enters them and per client address (SEC-172). */
  user_codes: { most: 10, within: Duration.minutes(10) },
  /** OAuth clients that register themselves, per client address (SEC-189). */
  registrations: { most: 20, within: Duration.hours(1) },
  /** Tests of auth providers, per realm: each calls the provider a few times (SEC-207). */
  provider_tests: { most: 20, within: Duration.minutes(1) },
  /** Emails, per recipient. */
  mails: { most: 3, within: Duration.minutes(1) },
  mails_sustained: { most: 10, within: Duration.hours(1) },
  /** Emails requested by visitors without a key, per realm (SEC-94). */
  visitor_mails: { most: 200, within: Duration.minutes(10) },
  visitor_mails_sustained: { most: 1_000, within: Duration.hours(1) },
  /** Invitations, per org. */
  invitations: { most: 100, within: Duration.hours(1) },
  /** Imports of users, and exports of users, per realm. */
  imports: { most: 100, within: Duration.hours(1) },
  exports: { most: 100, within: Duration.hours(1) }
} as const satisfies Readonly<Record<string, Limit>>

/** Limits on operations that belong to no realm. */
const ownLimits = {
  /** Sign-ins to the console with a wrong key, per client address (SEC-203). */
  console_sign_ins: { most: 10, within: Duration.minutes(1) }
} as const satisfies Readonly<Record<string, Limit>>

/** A limit that a realm may override. */
export type RealmLimitName = keyof typeof limits

export type LimitName = RealmLimitName | keyof typeof ownLimits

export const limitNames = Object.keys(limits).filter((name): name is RealmLimitName => Object.hasOwn(limits, name))

const allLimits: Readonly<Record<LimitName, Limit>> = { ...limits, ...ownLimits }

/** A realm's own limits, in the same windows. */
export type RealmLimits = { readonly [Name in RealmLimitName]?: number }

/** The highest value of a limit. */
export const MAX_LIMIT = 1_000_000

/** For each limit on one key: the limit on all keys of a realm together. */
export const totals = { reads: "reads_total", writes: "writes_total" } as const

/**
 * Limits whose default is at least the realm's value of another limit: a realm that raises the limit on one key needs no second
 * setting (C269).
 */
const floors: Readonly<Partial<Record<LimitName, RealmLimitName>>> = { reads_total: "reads", writes_total: "writes" }

/** The realm's limit, or the default. */
export const limitOf = (name: LimitName, own: Readonly<Partial<Record<LimitName, number>>> = {}): Limit => {
  const { most, within } = allLimits[name]
  const floor = floors[name]
  return { within, most: own[name] ?? Math.max(most, floor === undefined ? 0 : (own[floor] ?? 0)) }
}

/**
 * Whether a limit rises above both the default and the realm's current value. Only a caller with `admin_all_realms` may do
 * this; any caller may lower or restore a limit (SEC-88).
 */
export const isRaised = (before: RealmLimits, after: RealmLimits): boolean =>
  limitNames.some((name) => limitOf(name, after).most > Math.max(limitOf(name).most, limitOf(name, before).most))

/** How many units a node takes from the database at once: a twentieth of the limit. */
export const blockSize = ({ most }: Limit): number => Math.max(1, Math.floor(most / 20))

/** A caller who manages one realm tried to raise its limits above the defaults. */
export class LimitsRaised extends Data.TaggedError("LimitsRaised")<{}> {}

/** A rate limit was reached. `retryAfterSeconds`: the time until its window ends. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly limit: LimitName
  readonly most: number
  readonly withinSeconds: number
  readonly retryAfterSeconds: number
}> {}
