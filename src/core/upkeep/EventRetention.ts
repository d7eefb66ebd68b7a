import { Context, DateTime, Effect, Layer } from "effect"
import { oldestRetainedEvent, retentionEnd } from "#domain/EventRetention"
import { EventRetentionRepo } from "#store/EventRetentionRepo"

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

        const sweepSome = Effect.gen(function* () {
          const now = yield* DateTime.now
          let gone = yield* repo.deleteSome(oldestRetainedEvent(eventRetentionDays, now), BATCH)
          for (const days of yield* repo.realmRetentions) {
            if (days < eventRetentionDays) gone += yield* repo.deleteSomeOf(days, oldestRetainedEvent(days, now), BATCH)
          }
          return gone
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
