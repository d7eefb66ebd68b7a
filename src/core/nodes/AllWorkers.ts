import { Context, type Effect } from "effect"
import type { MetricSeries } from "#platform/MetricSeries"
import type { Readiness } from "./Health.ts"

/**
 * Combines the reports of all processes that serve the port (C62), so that a request to any of them gets the same answer.
 * `own`: the report of this process alone.
 */
export const AllWorkers = Context.Reference<{
  readonly readiness: (own: Effect.Effect<Readiness>) => Effect.Effect<Readiness>
  readonly metrics: (own: Effect.Effect<ReadonlyArray<MetricSeries>>) => Effect.Effect<ReadonlyArray<MetricSeries>>
}>("sallyport/core/AllWorkers", { defaultValue: () => ({ readiness: (own) => own, metrics: (own) => own }) })
