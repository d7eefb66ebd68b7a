import { Data, Duration } from "effect"

/** What a service limits: everything below; only how many mails go to one recipient; or nothing. */
export type Limited = "all" | "mails" | "nothing"

/** How often something may be done, in windows of fixed length (decision 45). */
export interface Limit {
  readonly most: number
  readonly within: Duration.Duration
}

/** The limits, with what they are unless a realm says otherwise (decision 45). */
export const limits = {
  /** Management reads, for each key. */
  reads: { most: 1_000, within: Duration.seconds(10) },
  /** Management writes, for each key. */
  writes: { most: 500, within: Duration.seconds(10) },
  /** Attempts with a password or a code, for each identifier as it was typed. */
  attempts: { most: 10, within: Duration.minutes(1) },
  /** Operations of hosted login on credentials, for each address. */
  hosted: { most: 5, within: Duration.seconds(10) },
  hosted_sustained: { most: 30, within: Duration.minutes(5) },
  /** Mails, for each recipient. */
  mails: { most: 3, within: Duration.minutes(1) },
  mails_sustained: { most: 10, within: Duration.hours(1) },
  /** Mails that visitors ask for without any key, for each realm (SEC-94). */
  visitor_mails: { most: 200, within: Duration.minutes(10) },
  visitor_mails_sustained: { most: 1_000, within: Duration.hours(1) },
  /** Invitations, for each org. */
  invitations: { most: 100, within: Duration.hours(1) }
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof limits

export const limitNames = Object.keys(limits).filter((name): name is LimitName => Object.hasOwn(limits, name))

/** What a realm has in place of the defaults: how often, in the same windows. */
export type RealmLimits = { readonly [Name in LimitName]?: number }

/** The highest a limit may be set. */
export const MOST = 1_000_000

/** The limit of a realm; without one, the default. */
export const limitOf = (name: LimitName, own: RealmLimits = {}): Limit => ({
  ...limits[name],
  most: own[name] ?? limits[name].most
})

/**
 * Whether a limit goes above both the default and what a realm has already: that is for who manages all realms, while every
 * realm may lower its own, and put them back (SEC-88).
 */
export const isRaised = (before: RealmLimits, after: RealmLimits): boolean =>
  limitNames.some((name) => limitOf(name, after).most > Math.max(limitOf(name).most, limitOf(name, before).most))

/** How much a node takes of a limit at once: a twentieth, so that the look at the database is one of many. */
export const blockOf = ({ most }: Limit): number => Math.max(1, Math.floor(most / 20))

/** A realm's limits go above the defaults, and the caller manages that realm only. */
export class LimitsRaised extends Data.TaggedError("LimitsRaised")<{}> {}

/** Too often: the limit that was reached, and when its window ends. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  readonly limit: LimitName
  readonly most: number
  readonly withinSeconds: number
  readonly retryAfterSeconds: number
}> {}
