import { Array as Arr, Cause, DateTime, Effect, FiberMap } from "effect"
import { Deliveries } from "#core/hooks/Deliveries"
import { WakeUps } from "#platform/WakeUps"
import type { HookKey } from "#store/AppHooksRepo"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import type { Job } from "./Actor.ts"
import { earliest } from "./Earliest.ts"

/** How many attempts for one hook are claimed at once. */
const WIDEST = 16

/** How many claim at once, on one node, where there is a backlog. */
const HANDS = 3

/**
 * Delivers what the outbox holds: one actor for each hook that something is due to, so that a slow or dead destination
 * delays no other. Where nothing arrives an actor tries one delivery at a time, until one does.
 */
export const DeliverHooks = Effect.gen(function* () {
  const repo = yield* DeliveriesRepo
  const deliveries = yield* Deliveries
  const wakeUps = yield* WakeUps

  /** One of the hands that work off a backlog, until it is gone or nothing arrives. */
  const hand = Effect.fnUntraced(function* (key: HookKey) {
    for (let total = 0; ; ) {
      const { made, arrived } = yield* deliveries.attemptSome(key, WIDEST)
      total += made
      if (!arrived) return total
    }
  })

  /** The actor of one hook: at work until nothing is due to it. How many attempts it made. */
  const serve = Effect.fnUntraced(function* (key: HookKey) {
    let total = 0
    let width = 1
    for (;;) {
      const { made, arrived } = yield* deliveries.attemptSome(key, width)
      if (made === 0) return total
      total += made
      // While one hand waits for the database or the receiver another one works.
      if (arrived && made === WIDEST) {
        const counts = yield* Effect.forEach(Arr.range(1, HANDS), () => hand(key), { concurrency: "unbounded" })
        total += counts.reduce((sum, count) => sum + count, 0)
      }
      width = arrived ? WIDEST : 1
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
