import { Data, DateTime, Duration } from "effect"
import type { HookType } from "./AppHook.ts"
import type { EventType } from "./Event.ts"
import type { EventId, HookId, NotificationId, RealmId } from "./Ids.ts"
import { type Limit, limits } from "./Limit.ts"
import type { Locale } from "./Locale.ts"

export const deliveryStates = ["in_progress", "completed", "failed", "canceled"] as const

export type DeliveryState = (typeof deliveryStates)[number]

/** The delivery of one event to one hook, called a `notification` in the API (C35). */
export interface Delivery {
  readonly id: NotificationId
  /** The event's realm. */
  readonly realmId: RealmId
  readonly eventId: EventId
  readonly hookId: HookId
  /** The hook's realm, or null if the hook receives the events of all realms. */
  readonly hookRealmId: RealmId | null
  readonly hookType: HookType
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: DateTime.Utc
  readonly dueAt: DateTime.Utc
  /**
   * The recipient of an email, if it is fixed. If null, the email is sent to the user's or invitee's address at the time of
   * the attempt.
   */
  readonly addressedTo: string | null
  /**
   * The language of an email that a visitor requested. If null, the language of the user or invitee is used, or else the
   * realm's.
   */
  readonly language: Locale | null
  readonly lastAttemptAt: DateTime.Utc | null
  readonly lastDestination: string | null
  readonly lastResult: string | null
}

/** A delivery together with the event fields that lists show. */
export interface DeliveryOfEvent extends Delivery {
  readonly eventType: EventType
  readonly eventAt: DateTime.Utc
}

/** The delay before each retry. Nine attempts take about 47.6 hours (C37). */
export const retryDelays: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(16)
]

/** How long a delivery is reserved for an attempt. No attempt takes longer. */
export const LEASE = Duration.minutes(2)

/** The maximum jitter, as a fraction of the delay. */
const JITTER = 0.1

/** The maximum `Retry-After` to honor. */
const MAX_RETRY_AFTER = Duration.hours(24)

/** A hook is disabled once all its attempts have failed for this long. */
const DISABLE_AFTER = Duration.days(5)

/** The maximum length of a stored `lastResult`, in characters. It contains the status line and an excerpt of the response. */
export const MAX_RESULT_LENGTH = 1_100

/** The outcome of one attempt. `retryAfter` is the earliest time of a retry, as requested by the receiver. */
export type Outcome =
  | { readonly _tag: "Delivered"; readonly result: string }
  | { readonly _tag: "Refused"; readonly result: string; readonly retryAfter: DateTime.Utc | undefined }
  /** The receiver responded that the endpoint no longer exists, so the hook will be disabled. */
  | { readonly _tag: "Gone"; readonly result: string }
  /** The failure is permanent. A retry would fail too. */
  | { readonly _tag: "Undeliverable"; readonly result: string }
  /** There is nothing to deliver, or no recipient. */
  | { readonly _tag: "Skipped"; readonly result: string }
  /** The delivery is not allowed before this time. The attempt does not count. */
  | { readonly _tag: "Postponed"; readonly until: DateTime.Utc }

/** The outcome of an attempt, with the destination. */
export interface AttemptResult {
  readonly outcome: Outcome
  readonly destination: string | null
}

/** The next state of a delivery. */
export type DeliveryDecision =
  | { readonly state: "completed" | "failed" | "canceled" }
  | { readonly state: "in_progress"; readonly dueAt: DateTime.Utc }

/**
 * Decides the next state of a delivery after its `attempts`-th attempt. `chance` is a random number from 0 to 1 that scales
 * the jitter.
 */
export const decideDelivery = (
  attempts: number,
  outcome: Outcome,
  now: DateTime.Utc,
  chance: number
): DeliveryDecision => {
  if (outcome._tag === "Delivered") return { state: "completed" }
  if (outcome._tag === "Skipped") return { state: "canceled" }
  if (outcome._tag === "Postponed") return { state: "in_progress", dueAt: outcome.until }
  const wait = retryDelays[attempts - 1]
  if (outcome._tag !== "Refused" || wait === undefined) return { state: "failed" }
  const dueAt = DateTime.addDuration(now, Duration.times(wait, 1 + JITTER * chance))
  if (outcome.retryAfter === undefined) return { state: "in_progress", dueAt }
  const requested = DateTime.min(outcome.retryAfter, DateTime.addDuration(now, MAX_RETRY_AFTER))
  return { state: "in_progress", dueAt: DateTime.max(dueAt, requested) }
}

/** Returns whether to disable a hook whose attempts have all failed since `failingSince`. */
export const hasFailedTooLong = (failingSince: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(failingSince, DISABLE_AFTER))

/** The limits on emails from one realm to one recipient (C45). */
export const mailLimits: ReadonlyArray<Limit> = [limits.mails, limits.mails_sustained]

/**
 * When another email may be sent to a recipient, or undefined if it may be sent now. `sent` has the times of earlier
 * emails, latest first.
 */
export const nextMailAllowedAt = (
  sent: ReadonlyArray<DateTime.Utc>,
  now: DateTime.Utc,
  own: ReadonlyArray<Limit> = mailLimits
): DateTime.Utc | undefined => {
  const ends = own.flatMap(({ most, within }) => {
    const oldest = sent[most - 1]
    return oldest === undefined ? [] : [DateTime.addDuration(oldest, within)]
  })
  const latest = ends.reduce((later, end) => DateTime.max(later, end), now)
  return DateTime.isGreaterThan(latest, now) ? latest : undefined
}

export class NotificationNotFound extends Data.TaggedError("NotificationNotFound")<{ readonly id: string }> {}

/** The notification's state does not allow the operation: its delivery is still in progress, or is no longer in progress. */
export class NotificationState extends Data.TaggedError("NotificationState")<{ readonly state: DeliveryState }> {}
