import { Array as Arr, Cause, DateTime, Effect, FiberMap } from "effect"
import type { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import type { WakeUps } from "#platform/WakeUps"
import type { Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/** The maximum number of deliveries to claim at a time for one receiver. */
const MAX_BATCH = 16

/** The number of fibers per node that work on one receiver's backlog. */
const WORKERS = 3

/** An outbox and the way to deliver it. */
interface Outbox<Key> {
  readonly name: "DeliverHooks" | "DeliverLogouts"
  /** All receivers with deliveries, and when the first delivery of each is due. */
  readonly receivers: Effect.Effect<ReadonlyArray<Key & { readonly dueAt: DateTime.Utc }>>
  /** Returns a string that identifies a receiver. */
  readonly textOf: (key: Key) => string
  /** Attempts up to `limit` due deliveries to a receiver. `hasDelivered` is whether at least one succeeded. */
  readonly attemptDue: (
    key: Key,
    limit: number
  ) => Effect.Effect<{ readonly attempts: number; readonly hasDelivered: boolean }>
  readonly logFailure: (key: Key, cause: Cause.Cause<never>) => Effect.Effect<void>
  readonly outage: DatabaseOutage["Service"]
  readonly wakeUps: WakeUps["Service"]
}

/**
 * Delivers an outbox. Each receiver with due deliveries has its own fiber, so that a slow or dead receiver doesn't delay
 * others. After a failure, the fiber tries one delivery at a time until one succeeds.
 */
export const deliverEach = <Key>(outbox: Outbox<Key>): Job => {
  const { name, receivers, textOf, attemptDue, outage, wakeUps } = outbox

  /** Works on a receiver's backlog until it is empty or no delivery succeeds. Returns the number of attempts. */
  const drain = Effect.fnUntraced(function* (key: Key) {
    for (let total = 0; ; ) {
      const { attempts: made, hasDelivered: arrived } = yield* attemptDue(key, MAX_BATCH)
      total += made
      if (!arrived) return total
    }
  })

  /** Attempts a receiver's deliveries until none is due. Returns the number of attempts. */
  const serve = Effect.fnUntraced(function* (key: Key) {
    let total = 0
    let size = 1
    for (;;) {
      const { attempts: made, hasDelivered: arrived } = yield* attemptDue(key, size)
      if (made === 0) return total
      total += made
      // While one fiber waits for the database or the receiver, another one can work.
      if (arrived && made === MAX_BATCH) {
        const counts = yield* Effect.forEach(Arr.range(1, WORKERS), () => drain(key), { concurrency: "unbounded" })
        total += counts.reduce((sum, count) => sum + count, 0)
      }
      size = arrived ? MAX_BATCH : 1
    }
  })

  const logFailure = Effect.fnUntraced(function* (key: Key, cause: Cause.Cause<never>) {
    if (!(yield* outage.reportCause(cause))) yield* outbox.logFailure(key, cause)
  })

  const dueNow = Effect.gen(function* () {
    const now = yield* DateTime.now
    const all = yield* receivers
    const due = all.filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
    const later = all.filter(({ dueAt }) => DateTime.isGreaterThan(dueAt, now))
    return { due, next: earliest(later.map(({ dueAt }) => dueAt)) }
  })

  return {
    name,
    batch: Effect.gen(function* () {
      const { due } = yield* dueNow
      const counts = yield* Effect.forEach(due, serve, { concurrency: "unbounded" })
      return counts.reduce((sum, count) => sum + count, 0)
    }),
    nextDue: Effect.map(receivers, (all) => earliest(all.map(({ dueAt }) => dueAt))),
    dispatch: Effect.gen(function* () {
      const serving = yield* FiberMap.make<string>()
      return Effect.gen(function* () {
        const { due, next } = yield* dueNow
        for (const key of due) {
          // A delivery may become due just before the fiber ends. Another wake-up after the end ensures that it is found.
          const served = Effect.andThen(serve(key), wakeUps.wake(name)).pipe(
            Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : logFailure(key, cause)))
          )
          yield* FiberMap.run(serving, textOf(key), served, { onlyIfMissing: true })
        }
        return next
      })
    })
  }
}
