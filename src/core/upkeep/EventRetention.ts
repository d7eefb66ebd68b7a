import { Context, DateTime, Effect, Layer } from "effect"
import { oldestRetainedEvent, retentionEnd } from "#domain/EventRetention"
import type { EventId } from "#domain/Ids"
import { type EventRange, EventRetentionRepo, type SweptEvents } from "#store/events/EventRetentionRepo"

/** How many events are deleted at once. */
const BATCH = 500

/** Deletes events at the end of the deployment's or their realm's retention period (SEC-101). */
export class EventRetention extends Context.Service<
  EventRetention,
  {
    /** Deletes a batch, taking turns between realms, and returns how many. */
    readonly sweepSome: Effect.Effect<number>
    /** When the retention of the next event ends. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/core/EventRetention") {
  /** `eventRetentionDays`: the deployment's retention period; realms may choose a shorter one. */
  static readonly layer = ({ eventRetentionDays }: { readonly eventRetentionDays: number }) =>
    Layer.effect(
      EventRetention,
      Effect.gen(function* () {
        const repo = yield* EventRetentionRepo

        /**
         * The last event that a sweep has deleted, by retention period. The next batch starts there, because deleted
         * events stay in the indexes until a vacuum and a scan from the beginning would have to skip them all.
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

        const sweepSome = Effect.gen(function* () {
          let deleted = yield* sweepSomeOf(eventRetentionDays, repo.deleteSome)
          for (const days of yield* repo.realmRetentions) {
            if (days >= eventRetentionDays) continue
            deleted += yield* sweepSomeOf(days, (range, limit) => repo.deleteSomeOf(days, range, limit))
          }
          // The next sweep starts from the oldest event: this one may have skipped events that were being delivered or
          // locked.
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

        return EventRetention.of({ sweepSome, nextDue })
      })
    ).pipe(Layer.provide(EventRetentionRepo.layer))
}
