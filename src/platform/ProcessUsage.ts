import { monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks"
import { Context, Effect, Metric } from "effect"

const resident = Metric.gauge("process_resident_memory_bytes", { description: "Resident memory of the process." })
const heap = Metric.gauge("process_heap_bytes", { description: "Memory reserved by the JavaScript heap." })
const heapUsed = Metric.gauge("process_heap_used_bytes", {
  description: "Memory used by JavaScript objects, including garbage that is not yet collected."
})
const external = Metric.gauge("process_external_memory_bytes", {
  description: "Memory of buffers outside the JavaScript heap."
})
const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "CPU time the process has used.",
  incremental: true
})
const lag = Metric.gauge("event_loop_lag_seconds", {
  description: "Delay of the event loop, by quantile, in the last ten seconds or since the last scrape."
})
const collections = Metric.histogram("gc_duration_seconds", {
  description: "Pauses of the garbage collector, by kind: minor, major, incremental, weak_callbacks.",
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
})

const quantiles = [0.5, 0.99, 1].map((quantile) => ({
  quantile,
  gauge: Metric.withAttributes(lag, { quantile: String(quantile) })
}))

/** The sampling interval of the event loop, in milliseconds. */
const RESOLUTION = 20

/** The minimum period over which the lag is measured, in nanoseconds. Scrapers within the same period get the same values. */
const PERIOD = 10_000_000_000n

/** The kinds of garbage collection, by their numbers in `perf_hooks.constants`. */
const kinds: ReadonlyMap<unknown, string> = new Map([
  [1, "minor"],
  [4, "major"],
  [8, "incremental"],
  [16, "weak_callbacks"]
])

const observeCollections = () => {
  const byKind = new Map(
    [...kinds.values()].map((kind) => [kind, Metric.withAttributes(collections, { kind })] as const)
  )
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const detail: unknown = Reflect.get(entry, "detail")
      const kind = typeof detail === "object" && detail !== null ? kinds.get(Reflect.get(detail, "kind")) : undefined
      byKind.get(kind ?? "")?.updateUnsafe(entry.duration / 1000, Context.empty())
    }
  })
  observer.observe({ entryTypes: ["gc"] })
}

/** The delays of a timer, in nanoseconds. */
type Delays = ReturnType<typeof monitorEventLoopDelay>

interface Watch {
  readonly delays: Delays
  startedAt: bigint
  /** The CPU time already counted in the metrics, in microseconds. */
  counted: number
}

/** The watch is shared, because a process can run several services but must be watched only once. */
let watch: Watch | undefined

const ensureWatch = (): Watch => {
  if (watch !== undefined) return watch
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  observeCollections()
  watch = { delays, startedAt: process.hrtime.bigint(), counted: 0 }
  return watch
}

/** A quantile of a timer's delays, in seconds. The timer's own interval is subtracted. */
const lagAt = (delays: Delays, quantile: number): number =>
  delays.count === 0 ? 0 : Math.max(0, delays.percentile(quantile * 100) / 1e6 - RESOLUTION) / 1000

const recordLag = Effect.suspend(() => {
  const current = ensureWatch()
  const now = process.hrtime.bigint()
  if (now - current.startedAt < PERIOD) return Effect.void
  const values = quantiles.map(({ quantile, gauge }) => Metric.update(gauge, lagAt(current.delays, quantile)))
  current.delays.reset()
  current.startedAt = now
  return Effect.all(values, { discard: true })
})

const recordCpu = Effect.suspend(() => {
  const current = ensureWatch()
  const { user, system } = process.cpuUsage()
  const added = user + system - current.counted
  current.counted += added
  return Metric.update(cpu, added / 1_000_000)
})

/** Starts watching this process's event loop and garbage collector. */
export const watchProcess: Effect.Effect<void> = Effect.gen(function* () {
  ensureWatch()
  for (const { gauge } of quantiles) yield* Metric.update(gauge, 0)
})

/** Updates the metrics for this process's memory, CPU time and event loop lag. */
export const recordProcessUsage: Effect.Effect<void> = Effect.gen(function* () {
  const usage = process.memoryUsage()
  yield* Metric.update(resident, usage.rss)
  yield* Metric.update(heap, usage.heapTotal)
  yield* Metric.update(heapUsed, usage.heapUsed)
  yield* Metric.update(external, usage.external)
  yield* recordCpu
  yield* recordLag
})
