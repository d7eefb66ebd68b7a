import { table, whole } from "../../test/harness/Figures.ts"
import type { Window } from "../load/Rounds.ts"
import { deliveryRows } from "./DeliveryRows.ts"
import { exchangeRows } from "./ExchangeRows.ts"
import { realmDeletionRows } from "./ExpiryRows.ts"
import { loginRows, refusalRows } from "./LoginRows.ts"
import type { Results } from "./Results.ts"
import { renderedTable, targetVerdict } from "./ResultTable.ts"
import { pair, spread, verdict } from "./Table.ts"
import { templateRows } from "./TemplateRows.ts"

/** The cases on the service and on the plain server. */
const caseTable = (rows: Results["rows"]): string => {
  const names = rows[0]?.others.map(({ name }) => name) ?? []
  const head = [
    "",
    ...names.flatMap((name) => [`CPU per request, × ${name}`, "target"]),
    "CPU per request, µs",
    "requests per second",
    "server's core, %",
    "p50, ms",
    "p99, ms",
    "wrong responses"
  ]
  return table(
    head,
    rows.map(({ title, service, others, wrong }) => {
      const windows = [service, ...others.map(({ window }) => window)]
      const all = (pick: (window: Window) => string) => windows.map(pick).join(" / ")
      return [
        title,
        ...others.flatMap(({ cpuRatio, target }) => [spread(cpuRatio, 2), verdict(target, cpuRatio.median)]),
        all(({ cpuMicros }) => cpuMicros.toFixed(0)),
        all(({ throughput }) => whole(throughput)),
        all(({ corePercent }) => corePercent.toFixed(0)),
        all(({ p50 }) => p50.toFixed(1)),
        all(({ p99 }) => p99.toFixed(1)),
        String(wrong)
      ]
    })
  )
}

/** Renders the results as Markdown. */
export const markdown = (results: Results): string => {
  const { at, quick, machine, pace, rows, memory, logins, startupTimes } = results
  const parts = [
    `Measured ${at}${quick ? " with --quick: a first impression, no more" : ""}.`,
    `${machine.cpu}, ${machine.cores} cores; Node ${machine.node}; PostgreSQL ${machine.postgres}; ` +
      `${machine.placement}. ${pace.connections} connections, ${pace.rounds} rounds of ` +
      `${pace.windowMillis / 1_000} s; the median, and the minimum and maximum of the rounds. Several figures in a cell: service / plain.`
  ]
  if (rows.length > 0) parts.push(caseTable(rows))
  if (memory.length > 0) {
    parts.push(
      table(
        ["resident memory, MiB", "started", "after the load", "peak", "target"],
        memory.map(({ name, started, loaded, peak, targets }) => [
          name,
          ...[started, loaded, peak].map(String),
          targets === undefined
            ? ""
            : `${targetVerdict(started <= targets.started, `started ≤ ${targets.started}`)}; ${targetVerdict(loaded <= targets.loaded, `loaded ≤ ${targets.loaded}`)}`
        ])
      )
    )
  }
  if (results.limits.length > 0) {
    parts.push(
      table(
        ["limits on / off", "CPU per request, × off", "target", "CPU per request, µs", "p99, ms", "wrong responses"],
        results.limits.flatMap(({ title, service, others, wrong }) =>
          others.map(({ window, cpuRatio, target }) => [
            title,
            spread(cpuRatio, 3),
            verdict(target, cpuRatio.median),
            pair(service.cpuMicros, window.cpuMicros, 0),
            pair(service.p99, window.p99, 1),
            String(wrong)
          ])
        )
      )
    )
  }
  for (const rush of logins) {
    parts.push(table([`logins on ${rush.connections} connections at once`, "", "target"], loginRows(rush)))
  }
  parts.push(...results.tables.map(renderedTable))
  for (const times of results.refusalTimes) {
    parts.push(table([`failed hosted logins, ${times.samples} of each kind`, "", "target"], refusalRows(times)))
  }
  for (const exchanges of results.codeExchanges) {
    parts.push(table(["code exchanges with scope openid", "", "target"], exchangeRows(exchanges)))
  }
  const delivered = deliveryRows(results.throughputs, results.isolations)
  if (delivered.length > 0) parts.push(table(["deliveries", "", "target"], delivered))
  const slowTemplates = templateRows(results.slowTemplates)
  if (slowTemplates.length > 0) parts.push(table(["templates", "", "target"], slowTemplates))
  const cleared = realmDeletionRows(results.realmDeletions, results.invitationExpiries)
  if (cleared.length > 0) parts.push(table(["deletion and expiry", "", "target"], cleared))
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
