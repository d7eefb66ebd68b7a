import { Context, DateTime, Effect, Layer } from "effect"
import { oldestRetainedEvent, retentionEnd } from "#domain/EventRetention"
import type { EventId } from "#domain/Ids"
import { type EventRange, EventRetentionRepo, type SweptEvents } from "#store/events/EventRetentionRepo"

/** The number of events to delete in one batch. */
const BATCH = 500

/** Deletes events when the retention period of the deployment or their realm is over (SEC-101). */
export class EventRetention extends Context.Service<
  EventRetention,
  {
    /** Deletes a batch of events and returns their number. Batches alternate between realms. */
    readonly deleteBatch: Effect.Effect<number>
    /** The time when the retention of the next event ends. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/core/EventRetention") {
  /** `eventRetentionDays` is the deployment's retention period. A realm can set a shorter one. */
  static readonly layer = ({ eventRetentionDays }: { readonly eventRetentionDays: number }) =>
    Layer.effect(
      EventRetention,
      Effect.gen(function* () {
        const repo = yield* EventRetentionRepo

        /**
         * The last event deleted by a sweep, for each retention period. The next batch starts there. Deleted events stay in
         * the indexes until a vacuum, so a scan from the beginning would have to skip them all.
         */
        const positions = new Map<number, EventId>()

        const sweepSomeOf = Effect.fnUntraced(function* (
          days: number,
          deleteSome: (range: EventRange, limit: number) => Effect.Effect<SweptEvents>
        ) {
          const before = oldestRetainedEvent(days, yield* DateTime.now)
          const { deleted, upTo } = yield* deleteSome({ after: positions.get(days), before }, BATCH)
          if (upTo !== undefined) positions.set(days, upTo)
          return deleted
        })

        const deleteBatch = Effect.gen(function* () {
          let deleted = yield* sweepSomeOf(eventRetentionDays, repo.deleteSome)
          for (const days of yield* repo.realmRetentions) {
            if (days >= eventRetentionDays) continue
            deleted += yield* sweepSomeOf(days, (range, limit) => repo.deleteSomeOf(days, range, limit))
          }
          // This sweep may have skipped events that were locked or being delivered, so let the next one start from the oldest
          // event.
          if (deleted === 0) positions.clear()
          return deleted
        })

        const nextDue = Effect.gen(function* () {
          const oldest = yield* repo.oldest
          const ends = (yield* repo.oldestByRetention)
            .filter(({ days }) => days < eventRetentionDays)
            .map(({ id, days }) => retentionEnd(id, days))
          if (oldest !== undefined) ends.push(retentionEnd(oldest, eventRetentionDays))
          return ends.length === 0 ? undefined : ends.reduce(DateTime.min)
        })

        return EventRetention.of({ deleteBatch, nextDue })
      })
    ).pipe(Layer.provide(EventRetentionRepo.layer))
}
