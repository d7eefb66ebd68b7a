import { Context, DateTime, Effect, Layer } from "effect"
import { eventEnd, firstEventKept } from "#domain/EventRetention"
import { EventRetentionRepo } from "#store/EventRetentionRepo"

/** How many events go at once. */
const BATCH = 500

/** Clears events away that were kept for as long as the deployment, or their realm, keeps them (SEC-101). */
export class EventRetention extends Context.Service<
  EventRetention,
  {
    /** Clears some away, in turns of the realms: how many. */
    readonly sweepSome: Effect.Effect<number>
    /** When the next one is kept no longer. */
    readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  }
>()("sallyport/core/EventRetention") {
  /** `eventRetentionDays`: for how long the deployment keeps events; realms may keep theirs for less. */
  static readonly layer = ({ eventRetentionDays }: { readonly eventRetentionDays: number }) =>
    Layer.effect(
      EventRetention,
      Effect.gen(function* () {
        const repo = yield* EventRetentionRepo

        const sweepSome = Effect.gen(function* () {
          const now = yield* DateTime.now
          let gone = yield* repo.deleteSome(firstEventKept(eventRetentionDays, now), BATCH)
          for (const days of yield* repo.ownDays) {
            if (days < eventRetentionDays) gone += yield* repo.deleteSomeOf(days, firstEventKept(days, now), BATCH)
          }
          return gone
        })

        const nextDue = Effect.gen(function* () {
          const oldest = yield* repo.oldest
          const ends = (yield* repo.oldestOfOwn)
            .filter(({ days }) => days < eventRetentionDays)
            .map(({ id, days }) => eventEnd(id, days))
          if (oldest !== undefined) ends.push(eventEnd(oldest, eventRetentionDays))
          return ends.length === 0 ? undefined : ends.reduce(DateTime.min)
        })

        return EventRetention.of({ sweepSome, nextDue })
      })
    ).pipe(Layer.provide(EventRetentionRepo.layer))
}
