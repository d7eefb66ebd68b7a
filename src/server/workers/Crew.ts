import type { Duration } from "effect"
import { Effect, Metric, Option } from "effect"
import type { Readiness } from "#core/nodes/Health"
import { type MetricSeries, ownSeries } from "#platform/MetricSeries"
import { recordProcessUsage, watchProcess } from "#platform/ProcessUsage"
import type { Channel } from "./Channel.ts"
import type { Ask, Report } from "./Messages.ts"
import { totalMetrics, totalReadiness, withoutGauges } from "./Totals.ts"

/** The maximum age of a cached readiness, so that simultaneous probes don't each ask every worker. */
const READINESS_AGE: Duration.Input = "100 millis"

const running = Metric.gauge("workers", { description: "Processes that serve requests." })
const ended = Metric.counter("workers_ended_total", {
  description: "Processes that ended unexpectedly and were replaced.",
  incremental: true
})

/** The started workers, and their combined reports. */
export interface Crew {
  readonly join: (channel: Channel) => Effect.Effect<void>
  readonly leave: (channel: Channel) => Effect.Effect<void>
  /** Counts a worker that ended without being asked to. */
  readonly countEnd: Effect.Effect<void>
  readonly report: (subject: Ask["subject"]) => Effect.Effect<Report>
}

/** Creates a crew without workers. `count`: how many workers there should be. */
export const makeCrew = Effect.fnUntraced(function* (count: number) {
  yield* watchProcess
  /** The workers, each with its last reported metrics. */
  const members = new Map<Channel, ReadonlyArray<MetricSeries>>()
  /** The totals of the workers that have ended. */
  let endedTotals: ReadonlyArray<MetricSeries> = []

  const reports = Effect.fnUntraced(function* (subject: Ask["subject"]) {
    const answered = Effect.fnUntraced(function* (member: Channel) {
      return { member, report: Option.getOrUndefined(yield* Effect.option(member.ask(subject))) }
    })
    return yield* Effect.forEach([...members.keys()], answered, { concurrency: "unbounded" })
  })

  const readiness = yield* Effect.cachedWithTTL(
    Effect.map(reports("Readiness"), (all): Report => {
      const answered: ReadonlyArray<Readiness> = all.flatMap(({ report }) =>
        report?._tag === "Readiness" ? report.readiness : []
      )
      return { _tag: "Readiness", readiness: totalReadiness(answered, count) }
    }),
    READINESS_AGE
  )

  const metrics = Effect.gen(function* () {
    for (const { member, report } of yield* reports("Metrics")) {
      // If a worker doesn't respond in time, its last report counts.
      if (report?._tag === "Metrics" && members.has(member)) members.set(member, report.series)
    }
    yield* Metric.update(running, members.size)
    yield* recordProcessUsage
    const series = totalMetrics([...members.values(), endedTotals, yield* ownSeries])
    return { _tag: "Metrics", series } satisfies Report
  })

  const crew: Crew = {
    join: (channel) => Effect.sync(() => members.set(channel, [])),
    leave: (channel) =>
      Effect.sync(() => {
        endedTotals = totalMetrics([endedTotals, withoutGauges(members.get(channel) ?? [])])
        members.delete(channel)
      }),
    countEnd: Metric.update(ended, 1),
    report: (subject) => (subject === "Readiness" ? readiness : metrics)
  }
  return crew
})
