import { Context, type Effect } from "effect"
import type { MetricSeries } from "#platform/MetricSeries"
import type { Readiness } from "./Health.ts"

/**
 * Combines the reports of all processes that serve the port (C62). A request gets the same answer from each process. `own` is
 * the report of this process.
 */
export const AllWorkers = Context.Reference<{
  readonly readiness: (own: Effect.Effect<Readiness>) => Effect.Effect<Readiness>
  readonly metrics: (own: Effect.Effect<ReadonlyArray<MetricSeries>>) => Effect.Effect<ReadonlyArray<MetricSeries>>
}>("sallyport/core/AllWorkers", { defaultValue: () => ({ readiness: (own) => own, metrics: (own) => own }) })
