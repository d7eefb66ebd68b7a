import type { Readiness } from "#core/nodes/Health"
import type { ActorState } from "#platform/ActorStates"
import type { MetricSeries } from "#platform/MetricSeries"

/** The way to combine a gauge of several workers, if not by adding. */
const gaugeRules: Readonly<Record<string, (one: number, other: number) => number>> = {
  actor_lag_seconds: Math.max,
  actor_ok: Math.min,
  build_info: Math.max,
  // All workers run on the same machine.
  clock_skew_seconds: (one, other) => (Math.abs(one) < Math.abs(other) ? other : one),
  event_loop_lag_seconds: Math.max,
  // Read from the database that all workers share.
  deliveries_oldest_seconds: Math.max,
  database_rows_estimated: Math.max,
  deliveries_waiting: Math.max,
  replica_lag_seconds: Math.max,
  secrets_at_rest: Math.max
}

const sum = (one: number, other: number): number => one + other

/** Combines two series with the same name and labels. */
const combined = (one: MetricSeries, other: MetricSeries): MetricSeries => {
  if (one.type === "Counter" && other.type === "Counter") {
    return { ...one, state: { ...one.state, count: one.state.count + other.state.count } }
  }
  if (one.type === "Gauge" && other.type === "Gauge") {
    const rule = gaugeRules[one.id] ?? sum
    return { ...one, state: { value: rule(one.state.value, other.state.value) } }
  }
  if (one.type === "Histogram" && other.type === "Histogram") {
    const buckets = one.state.buckets.map(
      ([boundary, count], index) => [boundary, count + (other.state.buckets[index]?.[1] ?? 0)] as const
    )
    const state = {
      buckets,
      count: one.state.count + other.state.count,
      min: Math.min(one.state.min, other.state.min),
      max: Math.max(one.state.max, other.state.max),
      sum: one.state.sum + other.state.sum
    }
    return { ...one, state }
  }
  return one
}

const identityOf = ({ id, type, attributes }: MetricSeries): string =>
  JSON.stringify([id, type, Object.entries(attributes ?? {}).sort()])

/** Combines the metrics of several processes. */
export const totalMetrics = (processes: ReadonlyArray<ReadonlyArray<MetricSeries>>): ReadonlyArray<MetricSeries> => {
  const totals = new Map<string, MetricSeries>()
  for (const series of processes.flat()) {
    const identity = identityOf(series)
    const known = totals.get(identity)
    totals.set(identity, known === undefined ? series : combined(known, series))
  }
  return [...totals.values()]
}

/**
 * Returns the series of a process that still count after it has ended. If totals fell, it would look as if the whole
 * service had restarted.
 */
export const withoutGauges = (series: ReadonlyArray<MetricSeries>): ReadonlyArray<MetricSeries> =>
  series.filter(({ type }) => type !== "Gauge")

const totalActor = (one: ActorState, other: ActorState): ActorState => ({
  ok: one.ok && other.ok,
  restarts: one.restarts + other.restarts,
  lagSeconds: Math.max(one.lagSeconds, other.lagSeconds)
})

/**
 * Combines the readiness of all workers: the service is ready if each worker is. `count`: how many workers there should
 * be.
 */
export const totalReadiness = (workers: ReadonlyArray<Readiness>, count: number): Readiness => {
  const actors = new Map<string, ActorState>()
  for (const [name, state] of workers.flatMap((each) => Object.entries(each.actors))) {
    const known = actors.get(name)
    actors.set(name, known === undefined ? state : totalActor(known, state))
  }
  return {
    ready: workers.length === count && workers.every(({ ready }) => ready),
    // A worker that doesn't respond in time may be waiting for the database. A worker that does respond knows its state.
    database: workers.length > 0 && workers.every(({ database }) => database === "ok") ? "ok" : "unreachable",
    clock: workers.every(({ clock }) => clock === "ok") ? "ok" : "wrong",
    clockSkewSeconds: workers.reduce(
      (most, { clockSkewSeconds: own }) => (Math.abs(own) > Math.abs(most) ? own : most),
      0
    ),
    missingKeys: [...new Set(workers.flatMap(({ missingKeys }) => missingKeys))],
    draining: workers.some(({ draining }) => draining),
    actors: Object.fromEntries(actors)
  }
}
