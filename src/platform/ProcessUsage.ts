import { Effect, Metric } from "effect"

const memory = Metric.gauge("process_resident_memory_bytes", { description: "Memory the process holds." })
const cpu = Metric.gauge("process_cpu_seconds", { description: "CPU time the process has used." })

/** Records in the metrics how much memory and CPU time this process uses. */
export const recordProcessUsage: Effect.Effect<void> = Effect.gen(function* () {
  yield* Metric.update(memory, process.memoryUsage.rss())
  const { user, system } = process.cpuUsage()
  yield* Metric.update(cpu, (user + system) / 1_000_000)
})
