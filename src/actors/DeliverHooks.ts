import { Cause, DateTime, Effect, FiberMap } from "effect"
import type { HookKey } from "#core/hooks/AppHooksRepo"
import { Deliveries } from "#core/hooks/Deliveries"
import { DeliveriesRepo } from "#core/hooks/DeliveriesRepo"
import { WakeUps } from "#core/WakeUps"
import type { Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/** How many attempts for one hook are under way at once, on one node. */
const WIDEST = 32

/**
 * Delivers what the outbox holds: one actor for each hook that something is due to, so that a slow or dead destination
 * delays no other. Where nothing arrives an actor tries one delivery at a time, until one does.
 */
export const DeliverHooks = Effect.gen(function* () {
  const repo = yield* DeliveriesRepo
  const deliveries = yield* Deliveries
  const wakeUps = yield* WakeUps

  /** The actor of one hook: at work until nothing is due to it. How many attempts it made. */
  const serve = Effect.fnUntraced(function* (key: HookKey) {
    let total = 0
    let width = WIDEST
    for (;;) {
      const { made, arrived } = yield* deliveries.attemptSome(key, width)
      if (made === 0) return total
      total += made
      width = arrived ? Math.min(width * 2, WIDEST) : 1
    }
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
          // What fell due while its actor was about to end is seen by the look that its end brings about.
          const served = Effect.andThen(serve(key), wakeUps.wake("DeliverHooks")).pipe(
            Effect.tapCause((cause) =>
              Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("delivery failed", { hook: key.id }, cause)
            )
          )
          yield* FiberMap.run(serving, `${key.realmId} ${key.id}`, served, { onlyIfMissing: true })
        }
        return next
      })
    })
  }
  return job
})
