import { Data, Duration, Record } from "effect"
import { defaultLimits } from "./DefaultLimits.ts"

/** The limits that a deployment enforces: all, only those on emails to one recipient, or none. */
export type LimitScope = "all" | "mails" | "nothing"

/** At most `most` operations in each window of fixed length (C45). */
export interface Limit {
  readonly most: number
  readonly within: Duration.Duration
}

/** The default limits. */
export const limits = Record.map(
  defaultLimits,
  ({ most, seconds }): Limit => ({ most, within: Duration.seconds(seconds) })
)

/** Limits on operations that belong to no realm. */
const deploymentLimits = {
  /** Sign-ins to the console with a wrong key, per client address (SEC-203). */
  console_sign_ins: { most: 10, within: Duration.minutes(1) }
} as const satisfies Readonly<Record<string, Limit>>

/** A limit that a realm may override. */
export type RealmLimitName = keyof typeof defaultLimits

export type LimitName = RealmLimitName | keyof typeof deploymentLimits

export const limitNames = Object.keys(limits).filter((name): name is RealmLimitName => Object.hasOwn(limits, name))

const allLimits: Readonly<Record<LimitName, Limit>> = { ...limits, ...deploymentLimits }

/** A realm's own limits, in the same windows. */
export type RealmLimits = { readonly [Name in RealmLimitName]?: number }

/** The highest value of a limit. */
export const MAX_LIMIT = 1_000_000

/** For each limit on one key: the limit on all keys of a realm together. */
export const totalLimits = { reads: "reads_total", writes: "writes_total" } as const

/**
 * Limits whose default is at least the realm's value of another limit: a realm that raises the limit on one key needs no second
 * setting (C269).
 */
const floorLimits: Readonly<Partial<Record<LimitName, RealmLimitName>>> = {
  reads_total: "reads",
  writes_total: "writes"
}

/** The realm's limit, or the default. */
export const limitOf = (name: LimitName, own: Readonly<Partial<Record<LimitName, number>>> = {}): Limit => {
  const { most, within } = allLimits[name]
  const floor = floorLimits[name]
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
