import { Cause, Clock, Context, Effect, Layer } from "effect"
import { type ChangesCursor, RealmChangesRepo } from "#store/realms/RealmChangesRepo"

/** For how long what is known of changes by other processes is good enough, in nanoseconds (C32). */
const FRESHNESS_NANOS = 1_000_000_000n

/** Forgets what is kept in memory of these realms. Undefined: of all. */
export type Forget = (realms: ReadonlySet<string> | undefined) => void

/** Which realms other processes have changed (ADR-0022). Nobody is asked while nobody wants to know. */
export class RealmChanges extends Context.Service<
  RealmChanges,
  {
    /** Whether all changes that are a second old have been told to those who subscribed. */
    isFresh(): boolean
    /** Tells those who subscribed what has changed. False: that can't be found out now. */
    readonly read: Effect.Effect<boolean>
    subscribe(forget: Forget): void
  }
>()("sallyport/core/RealmChanges") {
  static readonly layer = Layer.effect(
    RealmChanges,
    Effect.gen(function* () {
      const repo = yield* RealmChangesRepo
      const clock = yield* Clock.Clock
      const subscribers: Array<Forget> = []
      let known: { readonly cursor: ChangesCursor; readonly at: bigint } | undefined

      const read = Effect.suspend(() => {
        // What is known is as old as the start of the statement.
        const at = clock.monotonicTimeNanosUnsafe()
        return Effect.map(repo.since(known?.cursor), ({ cursor, realms }) => {
          if (realms === undefined || realms.size > 0) for (const forget of subscribers) forget(realms)
          // Of two readings at the same time, the one that began later counts.
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
