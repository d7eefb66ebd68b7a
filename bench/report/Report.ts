import { deliveryRows } from "./DeliveryRows.ts"
import { exchangeRows } from "./ExchangeRows.ts"
import { realmDeletionRows } from "./ExpiryRows.ts"
import { loginRows, refusalRows } from "./LoginRows.ts"
import type { Results } from "./Results.ts"
import { pair, spread, table, verdict, whole } from "./Table.ts"
import { templateRows } from "./TemplateRows.ts"

/** Renders the results as Markdown. */
export const markdown = (results: Results): string => {
  const { at, quick, machine, pace, rows, memory, logins, startupTimes } = results
  const parts = [
    `Measured ${at}${quick ? " with --quick: a first impression, no more" : ""}.`,
    `${machine.cpu}, ${machine.cores} cores; Node ${machine.node}; PostgreSQL ${machine.postgres}; ` +
      `${machine.placement}. ${pace.connections} connections, ${pace.rounds} rounds of ` +
      `${pace.windowMillis / 1_000} s; the median, and the least and most of the rounds. Pairs: service / baseline.`
  ]
  if (rows.length > 0) {
    parts.push(
      table(
        [
          "",
          "CPU per request, × baseline",
          "target",
          "requests per CPU-second, × baseline",
          "CPU per request, µs",
          "requests per CPU-second",
          "requests per second",
          "server's core, %",
          "p50, ms",
          "p99, ms",
          "wrong answers"
        ],
        rows.map(({ title, target, cpuRatio, perCpuSecondRatio, service, baseline, wrong }) => [
          title,
          spread(cpuRatio, 2),
          verdict(target, cpuRatio.median),
          spread(perCpuSecondRatio, 2),
          pair(service.cpuMicros, baseline.cpuMicros, 0),
          `${whole(service.perCpuSecond)} / ${whole(baseline.perCpuSecond)}`,
          `${whole(service.throughput)} / ${whole(baseline.throughput)}`,
          pair(service.corePercent, baseline.corePercent, 0),
          pair(service.p50, baseline.p50, 1),
          pair(service.p99, baseline.p99, 1),
          String(wrong)
        ])
      )
    )
  }
  if (memory.length > 0) {
    parts.push(
      table(
        ["resident memory, MiB", "started", "after the load", "peak"],
        memory.map(({ name, started, loaded, peak }) => [name, ...[started, loaded, peak].map(String)])
      )
    )
  }
  if (results.limits.length > 0) {
    parts.push(
      table(
        ["limits on / off", "CPU per request, × off", "target", "CPU per request, µs", "p99, ms", "wrong answers"],
        results.limits.map(({ title, target, cpuRatio, service, baseline, wrong }) => [
          title,
          spread(cpuRatio, 3),
          verdict(target, cpuRatio.median),
          pair(service.cpuMicros, baseline.cpuMicros, 0),
          pair(service.p99, baseline.p99, 1),
          String(wrong)
        ])
      )
    )
  }
  for (const rush of logins) {
    parts.push(table([`logins on ${rush.connections} connections at once`, "", "target"], loginRows(rush)))
  }
  for (const { title, rows, wrong } of results.overloads) {
    parts.push(table([title, "", "target"], [...rows, ["wrong answers", String(wrong), ""]]))
  }
  for (const times of results.refusalTimes) {
    parts.push(table([`refusals of hosted login, ${times.samples} of each`, "", "target"], refusalRows(times)))
  }
  for (const exchanges of results.codeExchanges) {
    parts.push(table(["code exchanges with scope openid", "", "target"], exchangeRows(exchanges)))
  }
  const delivered = deliveryRows(results.throughputs, results.isolations)
  if (delivered.length > 0) parts.push(table(["deliveries", "", "target"], delivered))
  const slowTemplates = templateRows(results.slowTemplates)
  if (slowTemplates.length > 0) parts.push(table(["templates", "", "target"], slowTemplates))
  const cleared = realmDeletionRows(results.realmDeletions, results.invitationExpiries)
  if (cleared.length > 0) parts.push(table(["clearing and expiry", "", "target"], cleared))
  if (startupTimes.length > 0) {
    parts.push(
      table(
        ["from start to first 200, ms", "/healthz", "authenticated GET", "target"],
        startupTimes.map(({ title, target, alive, authenticated }) => [
          title,
          spread(alive, 0),
          spread(authenticated, 0),
          verdict(target, authenticated.median)
        ])
      )
    )
  }
  return parts.join("\n\n")
}
