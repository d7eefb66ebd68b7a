import type { Context } from "effect"
import { Effect, Metric } from "effect"
import { type Event, type EventType, eventTypes } from "#domain/Event"
import { isPerson } from "#domain/EventActor"
import { type SessionEnd, sessionEnds } from "#domain/Session"

const eventsRecorded = Metric.counter("events_recorded_total", {
  description: "Events recorded, by type.",
  incremental: true
})

const signups = Metric.counter("signups_total", {
  description: "Users who signed up on the pages of hosted login.",
  incremental: true
})

const sessionsEnded = Metric.counter("sessions_ended_total", {
  description: "Sessions ended before they expired, by reason.",
  incremental: true
})

const byType: ReadonlyMap<EventType, Metric.Counter<number>> = new Map(
  eventTypes.map((event_type) => [event_type, Metric.withAttributes(eventsRecorded, { event_type })])
)

const isSessionEnd = (reason: string): reason is SessionEnd => Object.hasOwn(sessionEnds, reason)

const countOne = ({ eventType, actor, details }: Event, context: Context.Context<never>) => {
  byType.get(eventType)?.updateUnsafe(1, context)
  if (eventType === "user.created" && isPerson(actor)) signups.updateUnsafe(1, context)
  if (eventType !== "session.deleted" || details.reason === undefined || !isSessionEnd(details.reason)) return
  Metric.withAttributes(sessionsEnded, { reason: details.reason }).updateUnsafe(1, context)
}

/** Counts events in the metrics. Call this after their transaction has committed. */
export const countEvents = (events: ReadonlyArray<Event>): Effect.Effect<void> =>
  Effect.contextWith((context: Context.Context<never>) =>
    Effect.sync(() => {
      for (const event of events) countOne(event, context)
    })
  )
