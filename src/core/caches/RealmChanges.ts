import { Cause, Clock, Context, Effect, Layer } from "effect"
import { type ChangesCursor, RealmChangesRepo } from "#store/realms/RealmChangesRepo"

/** How long a read of other processes' changes counts as recent, in nanoseconds (C32). */
const FRESHNESS_NANOS = 1_000_000_000n

/** Evicts the cached values of these realms, or of all realms if undefined. */
export type Evict = (realms: ReadonlySet<string> | undefined) => void

/**
 * Finds out which realms other processes have changed (ADR-0022). Queries the database only on demand, so an idle process
 * sends no queries.
 */
export class RealmChanges extends Context.Service<
  RealmChanges,
  {
    /** Returns whether the subscribers have been notified of all changes older than a second. */
    isFresh(): boolean
    /** Reads new changes and notifies the subscribers. Returns false if the changes can't be read. */
    readonly read: Effect.Effect<boolean>
    subscribe(forget: Evict): void
  }
>()("sallyport/core/RealmChanges") {
  static readonly layer = Layer.effect(
    RealmChanges,
    Effect.gen(function* () {
      const repo = yield* RealmChangesRepo
      const clock = yield* Clock.Clock
      const subscribers: Array<Evict> = []
      let known: { readonly cursor: ChangesCursor; readonly at: bigint } | undefined

      const read = Effect.suspend(() => {
        // Read the clock first, because the statement only sees changes that were committed before it started.
        const at = clock.monotonicTimeNanosUnsafe()
        return Effect.map(repo.since(known?.cursor), ({ cursor, realms }) => {
          if (realms === undefined || realms.size > 0) for (const forget of subscribers) forget(realms)
          // If two reads overlap, the one that began later wins.
          if (known === undefined || known.at <= at) known = { cursor, at }
          return true
        })
      }).pipe(
        Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.succeed(false)))
      )

      return RealmChanges.of({
        isFresh: () => known !== undefined && known.at + FRESHNESS_NANOS > clock.monotonicTimeNanosUnsafe(),
        read,
        subscribe: (forget) => {
          subscribers.push(forget)
        }
      })
    })
  )
}
