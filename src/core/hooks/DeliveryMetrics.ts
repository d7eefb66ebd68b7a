import { Clock, Context, DateTime, Effect, Layer, Metric } from "effect"
import { type HookType, hookTypes } from "#domain/AppHook"
import type { Outcome } from "#domain/Delivery"
import { type Backlog, DeliveryBacklogRepo } from "#store/hooks/DeliveryBacklogRepo"

const attempts = Metric.counter("delivery_attempts_total", {
  description:
    "Attempts to deliver emails and webhooks, by kind and result: delivered, refused (will be retried), undeliverable, gone, postponed, skipped.",
  incremental: true
})

const ended = Metric.counter("deliveries_ended_total", {
  description:
    "Emails and webhooks that need no further attempt, by kind and state: completed, failed, canceled. Those canceled with their hook are not counted.",
  incremental: true
})

const waiting = Metric.gauge("deliveries_waiting", {
  description: "Emails and webhooks waiting for their next attempt, by kind. At most 10,000 are counted."
})

const oldest = Metric.gauge("deliveries_oldest_seconds", {
  description: "The age of the oldest waiting email or webhook, by kind; 0 if none is waiting."
})

/** How long a count is cached, in milliseconds, so that concurrent scrapes share it. */
const FRESH_FOR = 5_000

/** Counts an attempt in the metrics. */
export const countAttempt = (kind: HookType, result: Outcome["_tag"]): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(attempts, { kind, result: result.toLowerCase() }), 1)

/** Counts a delivery that has reached its final state in the metrics. */
export const countEnd = (kind: HookType, state: "completed" | "failed" | "canceled"): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(ended, { kind, state }), 1)

/** The metrics about waiting deliveries. */
export class DeliveryMetrics extends Context.Service<
  DeliveryMetrics,
  {
    /** Records how many deliveries are waiting, and the age of the oldest. Does nothing if the database does not respond. */
    readonly record: Effect.Effect<void>
  }
>()("sallyport/core/DeliveryMetrics") {
  static readonly layer = Layer.effect(
    DeliveryMetrics,
    Effect.gen(function* () {
      const repo = yield* DeliveryBacklogRepo
      const clock = yield* Clock.Clock
      let countedAt: number | undefined

      const recordOf = Effect.fnUntraced(function* (backlog: ReadonlyArray<Backlog>) {
        const now = yield* DateTime.now
        for (const kind of hookTypes) {
          const found = backlog.find(({ hookType }) => hookType === kind)
          const age = found === undefined ? 0 : (now.epochMilliseconds - found.oldest.epochMilliseconds) / 1000
          yield* Metric.update(Metric.withAttributes(waiting, { kind }), found?.waiting ?? 0)
          yield* Metric.update(Metric.withAttributes(oldest, { kind }), Math.max(0, age))
        }
      })

      return DeliveryMetrics.of({
        record: Effect.suspend(() => {
          const now = clock.currentTimeMillisUnsafe()
          if (countedAt !== undefined && now - countedAt < FRESH_FOR) return Effect.void
          countedAt = now
          return Effect.flatMap(repo.backlog, (backlog) => (backlog === undefined ? Effect.void : recordOf(backlog)))
        })
      })
    })
  )
}
