import { expect, test } from "vitest"
import type { Readiness } from "#core/nodes/Health"
import { slotsOf } from "#core/passwords/PasswordHasher"
import type { MetricSeries } from "#platform/MetricSeries"
import { totalMetrics, totalReadiness, withoutGauges } from "#server/workers/Totals"
import { poolsOf, transactionsOf } from "#sql/Postgres"

const named = (id: string, attributes?: Readonly<Record<string, string>>) => ({
  id,
  description: undefined,
  attributes
})

const counter = (count: number, attributes?: Readonly<Record<string, string>>): MetricSeries => ({
  ...named("http_requests_total", attributes),
  type: "Counter",
  state: { count, incremental: true }
})

const gauge = (id: string, value: number): MetricSeries => ({ ...named(id), type: "Gauge", state: { value } })

const histogram = (counts: readonly [number, number], sum: number, min: number, max: number): MetricSeries => ({
  ...named("http_request_duration_seconds"),
  type: "Histogram",
  state: {
    buckets: [
      [0.1, counts[0]],
      [1, counts[1]]
    ],
    count: counts[1],
    min,
    max,
    sum
  }
})

test("sums counters with the same name and labels", () => {
  const [get, post] = [
    { method: "GET", route: "/" },
    { method: "POST", route: "/" }
  ]
  const others = [counter(5, { route: "/", method: "GET" }), counter(1, post)]
  expect(totalMetrics([[counter(2, get)], others])).toEqual([counter(7, get), counter(1, post)])
})

test("sums histograms bucket by bucket", () => {
  expect(totalMetrics([[histogram([1, 3], 1.2, 0.05, 0.9)], [histogram([2, 2], 0.1, 0.01, 0.06)]])).toEqual([
    histogram([3, 5], 1.2 + 0.1, 0.01, 0.9)
  ])
})

test("sums usage, reports the longest lag and the worst health, and counts database readings once", () => {
  const all = totalMetrics([
    [
      gauge("process_resident_memory_bytes", 70),
      gauge("actor_lag_seconds", 9),
      gauge("actor_ok", 1),
      gauge("secrets_at_rest", 4)
    ],
    [
      gauge("process_resident_memory_bytes", 30),
      gauge("actor_lag_seconds", 2),
      gauge("actor_ok", 0),
      gauge("secrets_at_rest", 4)
    ]
  ])
  expect(all).toEqual([
    gauge("process_resident_memory_bytes", 100),
    gauge("actor_lag_seconds", 9),
    gauge("actor_ok", 0),
    gauge("secrets_at_rest", 4)
  ])
})

test("preserves the counts of an ended worker, but not its usage", () => {
  const counted = [counter(2), histogram([1, 1], 1, 1, 1)]
  expect(withoutGauges([...counted, gauge("process_resident_memory_bytes", 70)])).toEqual(counted)
})

const ready: Readiness = {
  ready: true,
  database: "ok",
  clock: "ok",
  clockSkewSeconds: 0,
  draining: false,
  missingKeys: [],
  actors: { DeliverHooks: { ok: true, restarts: 1, lagSeconds: 3 } }
}

test("is ready if every worker is running and ready", () => {
  const failed = { DeliverHooks: { ok: false, restarts: 2, lagSeconds: 0 } }
  expect(totalReadiness([ready, { ...ready, actors: failed }], 2)).toEqual({
    ...ready,
    actors: { DeliverHooks: { ok: false, restarts: 3, lagSeconds: 3 } }
  })
  expect(totalReadiness([ready], 2)).toEqual({ ...ready, ready: false })
  expect(totalReadiness([ready, { ...ready, ready: false, draining: true }], 2)).toMatchObject({
    ready: false,
    draining: true
  })
  expect(totalReadiness([{ ...ready, ready: false, database: "unreachable" }, ready], 2)).toMatchObject({
    ready: false,
    database: "unreachable"
  })
})

test("reports the database as unreachable if no worker responds in time", () => {
  expect(totalReadiness([], 2)).toMatchObject({ ready: false, database: "unreachable" })
  const without = { ...ready, ready: false, missingKeys: ["0a1b2c3d"] }
  expect(totalReadiness([without, ready, without], 3)).toMatchObject({ ready: false, missingKeys: ["0a1b2c3d"] })
})

test("divides the cores for hashing and the default connections among workers", () => {
  const slots = [
    [2, 1],
    [2, 2],
    [1, 1],
    [8, 1],
    [8, 2],
    [8, 8],
    [2, 4]
  ] as const
  expect(slots.map(([cores, workers]) => slotsOf(cores, workers))).toEqual([2, 1, 1, 2, 2, 1, 1])
  expect([1, 2, 4, 16].map((processes) => poolsOf({ processes }))).toEqual([
    { fast: 10, slow: 4, health: 1 },
    { fast: 5, slow: 2, health: 1 },
    { fast: 3, slow: 2, health: 1 },
    { fast: 2, slow: 2, health: 1 }
  ])
  expect(poolsOf({ poolSize: 25, processes: 4 })).toEqual({ fast: 25, slow: 2, health: 1 })
  expect([10, 5, 2].map(transactionsOf)).toEqual([8, 4, 1])
})
