import { Array as Arr, Cause, DateTime, Effect, FiberMap } from "effect"
import type { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import type { WakeUps } from "#platform/WakeUps"
import type { Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/** The maximum number of deliveries that are claimed at once for one receiver. */
const MAX_BATCH = 16

/** How many fibers of a node work on the backlog of one receiver. */
const WORKERS = 3

/** An outbox, and how to deliver it. */
interface Outbox<Key> {
  readonly name: "DeliverHooks" | "DeliverLogouts"
  /** All receivers with something to deliver, and when the first delivery is due. */
  readonly receivers: Effect.Effect<ReadonlyArray<Key & { readonly dueAt: DateTime.Utc }>>
  /** A text that identifies a receiver. */
  readonly textOf: (key: Key) => string
  /** Attempts up to `limit` due deliveries to a receiver. `hasDelivered`: whether at least one arrived. */
  readonly attemptDue: (
    key: Key,
    limit: number
  ) => Effect.Effect<{ readonly attempts: number; readonly hasDelivered: boolean }>
  readonly logFailure: (key: Key, cause: Cause.Cause<never>) => Effect.Effect<void>
  readonly outage: DatabaseOutage["Service"]
  readonly wakeUps: WakeUps["Service"]
}

/**
 * Delivers an outbox with one fiber per receiver that has due deliveries, so that a slow or dead receiver delays no
 * other. After a failure, the fiber tries one delivery at a time until one arrives.
 */
export const deliverEach = <Key>(outbox: Outbox<Key>): Job => {
  const { name, receivers, textOf, attemptDue, outage, wakeUps } = outbox

  /** Works on a receiver's backlog until it is empty or a delivery fails. Returns the number of attempts. */
  const drain = Effect.fnUntraced(function* (key: Key) {
    for (let total = 0; ; ) {
      const { attempts: made, hasDelivered: arrived } = yield* attemptDue(key, MAX_BATCH)
      total += made
      if (!arrived) return total
    }
  })

  /** Makes a receiver's deliveries until none is due. Returns the number of attempts. */
  const serve = Effect.fnUntraced(function* (key: Key) {
    let total = 0
    let size = 1
    for (;;) {
      const { attempts: made, hasDelivered: arrived } = yield* attemptDue(key, size)
      if (made === 0) return total
      total += made
      // While one fiber waits for the database or the receiver, another can work.
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
          // A delivery may become due just before its receiver's fiber ends, so a wake-up after the end finds it.
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
