import { Data, Duration, Record } from "effect"
import { defaultLimits } from "./DefaultLimits.ts"

/** The limits that a deployment enforces: all, only emails per recipient, or none. */
export type LimitScope = "all" | "mails" | "nothing"

/** A rate limit of `most` operations per fixed window (C45). */
export interface Limit {
  readonly most: number
  readonly within: Duration.Duration
}

/** The default limits. */
export const limits = Record.map(
  defaultLimits,
  ({ most, seconds }): Limit => ({ most, within: Duration.seconds(seconds) })
)

/** Limits on operations outside any realm. */
const deploymentLimits = {
  /** Sign-ins to the console with a wrong key, per client address (SEC-203). */
  console_sign_ins: { most: 10, within: Duration.minutes(1) }
} as const satisfies Readonly<Record<string, Limit>>

/** A limit that a realm may override. */
export type RealmLimitName = keyof typeof defaultLimits

export type LimitName = RealmLimitName | keyof typeof deploymentLimits

export const limitNames = Object.keys(limits).filter((name): name is RealmLimitName => Object.hasOwn(limits, name))

const allLimits: Readonly<Record<LimitName, Limit>> = { ...limits, ...deploymentLimits }

/** A realm's own limits. The windows are the same as for the defaults. */
export type RealmLimits = { readonly [Name in RealmLimitName]?: number }

/** The maximum value of a limit. */
export const MAX_LIMIT = 1_000_000

/** Maps each per-key limit to the limit on all keys of a realm combined. */
export const totalLimits = { reads: "reads_total", writes: "writes_total" } as const

/**
 * Limits whose default rises to the realm's value of another limit, so that raising a per-key limit needs no second setting
 * (C269).
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
 * Returns whether a limit is raised above both the default and the realm's current value. This requires `admin_all_realms`.
 * Any caller may lower or restore a limit (SEC-88).
 */
export const isRaised = (before: RealmLimits, after: RealmLimits): boolean =>
  limitNames.some((name) => limitOf(name, after).most > Math.max(limitOf(name).most, limitOf(name, before).most))

/** How many units a node takes from the database at a time: 5 % of the limit. */
export const blockSize = ({ most }: Limit): number => Math.max(1, Math.floor(most / 20))

/** A caller who manages one realm tried to raise its limits above the defaults. */
export class LimitsRaised extends Data.TaggedError("LimitsRaised")<{}> {}

/** A rate limit was reached. `retryAfterSeconds` is the time until its window ends. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly limit: LimitName
  readonly most: number
  readonly withinSeconds: number
  readonly retryAfterSeconds: number
}> {}
