import { Data, DateTime, Duration } from "effect"
import type { HookType } from "./AppHook.ts"
import type { EventId, HookId, NotificationId, RealmId } from "./Ids.ts"
import { type Limit, limits } from "./Limit.ts"

export const deliveryStates = ["in_progress", "completed", "failed", "canceled"] as const

export type DeliveryState = (typeof deliveryStates)[number]

/** What is delivered of one event to one hook: the `notifications` of an event read (decision 35). */
export interface Delivery {
  readonly id: NotificationId
  /** The event's realm. */
  readonly realmId: RealmId
  readonly eventId: EventId
  readonly hookId: HookId
  /** Null: the hook hears all realms. */
  readonly hookRealmId: RealmId | null
  readonly hookType: HookType
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: DateTime.Utc
  readonly dueAt: DateTime.Utc
  /** Whom a mail is for, where that is not to change with the user; null: whoever the event concerns by then. */
  readonly addressedTo: string | null
  readonly lastAttemptAt: DateTime.Utc | null
  readonly lastDestination: string | null
  readonly lastResult: string | null
}

/** How long each attempt waits after the one before: nine attempts in about 47.6 hours (decision 37). */
export const waits: ReadonlyArray<Duration.Duration> = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(16)
]

/** By how much of a wait chance may lengthen it. */
const JITTER = 0.1

/** The longest that a receiver may ask us to wait. */
const LONGEST_WAIT = Duration.hours(24)

/** For how long every attempt of a hook must fail until it is made inactive. */
const PATIENCE = Duration.days(5)

/** The longest text kept of an answer, in characters of its sentence and its excerpt. */
export const RESULT_LENGTH = 1_100

/** How one attempt ended. `retryAfter`: the earliest that the receiver wants another. */
export type Outcome =
  | { readonly _tag: "Delivered"; readonly result: string }
  | { readonly _tag: "Refused"; readonly result: string; readonly retryAfter: DateTime.Utc | undefined }
  /** The receiver wants nothing from this hook ever again. */
  | { readonly _tag: "Gone"; readonly result: string }
  /** No other attempt would end otherwise. */
  | { readonly _tag: "Hopeless"; readonly result: string }
  /** There is nothing to deliver, or nobody to deliver it to. */
  | { readonly _tag: "Pointless"; readonly result: string }
  /** It may not be tried before then; this was no attempt. */
  | { readonly _tag: "Postponed"; readonly until: DateTime.Utc }

/** How an attempt ended, and where it went. */
export interface Attempted {
  readonly outcome: Outcome
  readonly destination: string | null
}

/** What becomes of a delivery. */
export type Verdict =
  | { readonly state: "completed" | "failed" | "canceled" }
  | { readonly state: "in_progress"; readonly dueAt: DateTime.Utc }

/** What becomes of a delivery after its `attempts`-th attempt. `chance`: from 0 to 1, lengthens the wait. */
export const verdict = (attempts: number, outcome: Outcome, now: DateTime.Utc, chance: number): Verdict => {
  if (outcome._tag === "Delivered") return { state: "completed" }
  if (outcome._tag === "Pointless") return { state: "canceled" }
  if (outcome._tag === "Postponed") return { state: "in_progress", dueAt: outcome.until }
  const wait = waits[attempts - 1]
  if (outcome._tag !== "Refused" || wait === undefined) return { state: "failed" }
  const dueAt = DateTime.addDuration(now, Duration.times(wait, 1 + JITTER * chance))
  if (outcome.retryAfter === undefined) return { state: "in_progress", dueAt }
  const asked = DateTime.min(outcome.retryAfter, DateTime.addDuration(now, LONGEST_WAIT))
  return { state: "in_progress", dueAt: DateTime.max(dueAt, asked) }
}

/** Whether a hook whose attempts have all failed since then is to be made inactive. */
export const isGivenUp = (failingSince: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(failingSince, PATIENCE))

/** How many mails one recipient gets of a realm at most (decision 45). */
export const mailLimits: ReadonlyArray<Limit> = [limits.mails, limits.mails_sustained]

/** From when on another mail may go to a recipient, given when the last ones went, the latest first; undefined: at once. */
export const mailAllowedAt = (
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

/** The notification is under way already, or is not any more. */
export class NotificationState extends Data.TaggedError("NotificationState")<{ readonly state: DeliveryState }> {}
