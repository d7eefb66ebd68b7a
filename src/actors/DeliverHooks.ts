import { Array as Arr, Cause, DateTime, Effect, FiberMap } from "effect"
import { Deliveries } from "#core/hooks/Deliveries"
import { DatabaseOutage } from "#core/upkeep/DatabaseOutage"
import { WakeUps } from "#platform/WakeUps"
import type { HookKey } from "#store/AppHooksRepo"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import type { Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/** How many deliveries of one hook are claimed at once, at most. */
const MAX_BATCH = 16

/** How many fibers of one node work on the backlog of one hook. */
const WORKERS = 3

/**
 * Delivers the outbox: one fiber for each hook with due deliveries, so that a slow or dead destination delays no other.
 * After a failure the fiber tries one delivery at a time until one arrives.
 */
export const DeliverHooks = Effect.gen(function* () {
  const repo = yield* DeliveriesRepo
  const deliveries = yield* Deliveries
  const outage = yield* DatabaseOutage
  const wakeUps = yield* WakeUps

  /** Works on the backlog of a hook until it is empty or a delivery fails. Returns how many attempts that was. */
  const drain = Effect.fnUntraced(function* (key: HookKey) {
    for (let total = 0; ; ) {
      const { attempts: made, delivered: arrived } = yield* deliveries.attemptDue(key, MAX_BATCH)
      total += made
      if (!arrived) return total
    }
  })

  /** Makes the deliveries of a hook until none is due. Returns how many attempts that was. */
  const serve = Effect.fnUntraced(function* (key: HookKey) {
    let total = 0
    let size = 1
    for (;;) {
      const { attempts: made, delivered: arrived } = yield* deliveries.attemptDue(key, size)
      if (made === 0) return total
      total += made
      // While one fiber waits for the database or the receiver, another one works.
      if (arrived && made === MAX_BATCH) {
        const counts = yield* Effect.forEach(Arr.range(1, WORKERS), () => drain(key), { concurrency: "unbounded" })
        total += counts.reduce((sum, count) => sum + count, 0)
      }
      size = arrived ? MAX_BATCH : 1
    }
  })

  const logFailure = Effect.fnUntraced(function* (hook: string, cause: Cause.Cause<never>) {
    if (yield* outage.reportCause(cause)) return
    yield* Effect.logError("The deliveries of a hook failed and will be tried again.", cause).pipe(
      Effect.annotateLogs({ hook })
    )
  })

  const dueNow = Effect.gen(function* () {
    const now = yield* DateTime.now
    const hooks = yield* repo.dueHooks
    const due = hooks.filter(({ dueAt }) => DateTime.isLessThanOrEqualTo(dueAt, now))
    const later = hooks.filter(({ dueAt }) => DateTime.isGreaterThan(dueAt, now))
    return { due, next: earliest(later.map(({ dueAt }) => dueAt)) }
  })

  const job: Job = {
    name: "DeliverHooks",
    batch: Effect.gen(function* () {
      const { due } = yield* dueNow
      const counts = yield* Effect.forEach(due, serve, { concurrency: "unbounded" })
      return counts.reduce((sum, count) => sum + count, 0)
    }),
    nextDue: Effect.map(repo.dueHooks, (hooks) => earliest(hooks.map(({ dueAt }) => dueAt))),
    dispatch: Effect.gen(function* () {
      const serving = yield* FiberMap.make<string>()
      return Effect.gen(function* () {
        const { due, next } = yield* dueNow
        for (const key of due) {
          // A delivery may fall due just before the fiber of its hook ends: the wake-up after the end finds it.
          const served = Effect.andThen(serve(key), wakeUps.wake("DeliverHooks")).pipe(
            Effect.tapCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.void : logFailure(key.id, cause)))
          )
          yield* FiberMap.run(serving, `${key.realmId} ${key.id}`, served, { onlyIfMissing: true })
        }
        return next
      })
    })
  }
  return job
})
