import cluster from "node:cluster"
import { Effect, Predicate, Queue, Redacted } from "effect"
import { AllWorkers } from "#core/nodes/AllWorkers"
import { Health } from "#core/nodes/Health"
import { processMetrics } from "#http/operations/Metrics"
import { WorkerCount } from "#platform/WorkerCount"
import type { StartFacts } from "../Banner.ts"
import { UnknownCommand, WORKER } from "../Command.ts"
import { type Settings, settings } from "../Config.ts"
import { databaseTodoAtStart } from "../DatabaseAdvice.ts"
import { run } from "../Run.ts"
import { type Channel, openChannel } from "./Channel.ts"
import type { Ask, Report } from "./Messages.ts"

/** The time limit for the primary to ask all workers. In the container image, probes time out after three seconds. */
const PATIENCE = "2800 millis"

/**
 * The combined report of all workers, requested from the primary. If the primary doesn't respond, the worker reports
 * only itself, as not ready.
 */
const reportedByAll = (channel: Channel): typeof AllWorkers.Service => ({
  readiness: (own) =>
    channel.ask("Readiness").pipe(
      Effect.flatMap((report) => (report._tag === "Readiness" ? Effect.succeed(report.readiness) : own)),
      Effect.catchTag("NoAnswer", () => Effect.map(own, (readiness) => ({ ...readiness, ready: false })))
    ),
  metrics: (own) =>
    channel.ask("Metrics").pipe(
      Effect.flatMap((report) => (report._tag === "Metrics" ? Effect.succeed(report.series) : own)),
      Effect.catchTag("NoAnswer", () => own)
    )
})

/** Responds to the primary's questions about this worker. */
const answer = Effect.fnUntraced(function* (channel: Channel, asks: Queue.Dequeue<Ask>) {
  const { readiness } = yield* Health
  const metrics = yield* processMetrics
  const reportOn = {
    Readiness: Effect.map(readiness, (readiness): Report => ({ _tag: "Readiness", readiness })),
    Metrics: Effect.map(metrics, (series): Report => ({ _tag: "Metrics", series }))
  }
  return yield* Queue.take(asks).pipe(
    Effect.flatMap(({ id, subject }) =>
      Effect.forkChild(Effect.flatMap(reportOn[subject], (report) => channel.send({ _tag: "Answer", id, report })))
    ),
    Effect.forever
  )
})

const serveWithChannel = (channel: Channel, asks: Queue.Dequeue<Ask>, config: Settings) => {
  const started = Effect.fnUntraced(function* ({ rootKey, ...facts }: StartFacts) {
    yield* Effect.forkScoped(answer(channel, asks))
    const key = rootKey?._tag === "Shown" ? { ...rootKey, key: Redacted.value(rootKey.key) } : rootKey
    yield* channel.send({ _tag: "Started", ...facts, rootKey: key })
  })
  // The primary logs the start and stop for all workers.
  return run(config, { started, stopping: Effect.void }).pipe(
    Effect.provideService(AllWorkers, reportedByAll(channel)),
    Effect.provideService(WorkerCount, config.workers)
  )
}

/** Runs one of several processes that serve the port. The primary that started it prints what it reports. */
export const runWorker = Effect.gen(function* () {
  const { worker } = cluster
  if (worker === undefined) return yield* new UnknownCommand({ command: WORKER })
  const asks = yield* Queue.unbounded<Ask>()
  const channel = openChannel(worker, PATIENCE, (message) => {
    if (message._tag === "Ask") Queue.offerUnsafe(asks, message)
  })
  return yield* Effect.flatMap(settings, (config) => serveWithChannel(channel, asks, config)).pipe(
    Effect.tapError((error) => {
      const todo = databaseTodoAtStart(error)
      return channel.send({
        _tag: "Refused",
        sentence: [error.message, todo].filter(Predicate.isNotUndefined).join("\n")
      })
    })
  )
})
