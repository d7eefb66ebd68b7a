import cluster, { type Worker } from "node:cluster"
import { Clock, Data, Deferred, Duration, Effect, Fiber, Queue, Redacted } from "effect"
import { AsJson } from "../AsJson.ts"
import { printBanner, printRootKey } from "../Banner.ts"
import { WORKER } from "../Command.ts"
import { hasSecretFiles, type Settings } from "../Config.ts"
import type { GeneratedRootKey } from "../GeneratedRootKey.ts"
import { makeLifecycle } from "../Lifecycle.ts"
import { checkPorts } from "../Ports.ts"
import { logs } from "../Telemetry.ts"
import { type Channel, openChannel } from "./Channel.ts"
import { type Crew, makeCrew } from "./Crew.ts"
import type { Ask, Started } from "./Messages.ts"

/** The time limit for a worker's response. A worker's check of its database may take two seconds. */
const PATIENCE = "2500 millis"

/** The wait before a worker that has ended is replaced. It grows if workers end in quick succession. */
const BACKOFF = { first: Duration.millis(100), longest: Duration.seconds(30), forgottenAfter: Duration.seconds(60) }

/** A worker can't start. `message`: the sentence that it would have printed on its own. */
export class WorkerRefused extends Data.TaggedError("WorkerRefused")<{ readonly message: string }> {}

/** The exit code or signal with which a process ended. */
interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** A running process, which may still be starting. */
interface Member {
  readonly worker: Worker
  readonly channel: Channel
  readonly started: Deferred.Deferred<Started, WorkerRefused>
  readonly ended: Deferred.Deferred<End>
  /** Responds to this worker's questions about all workers. */
  readonly answering: Fiber.Fiber<never>
}

const answer = (crew: Crew, channel: Channel, asks: Queue.Dequeue<Ask>) =>
  Queue.take(asks).pipe(
    Effect.flatMap(({ id, subject }) =>
      Effect.forkChild(Effect.flatMap(crew.report(subject), (report) => channel.send({ _tag: "Answer", id, report })))
    ),
    Effect.forever
  )

const endOf = (worker: Worker) => {
  const ended = Deferred.makeUnsafe<End>()
  // A worker's last messages may arrive after its exit, so wait for the channel to close, too.
  let open = 2
  const close = () => {
    open -= 1
    if (open > 0) return
    const { exitCode, signalCode } = worker.process
    Deferred.doneUnsafe(ended, Effect.succeed({ code: exitCode, signal: signalCode }))
  }
  worker.once("exit", close).once("disconnect", close)
  return ended
}

/** Starts a process. When the scope closes, the process is asked to stop, finishes its requests, and ends. */
const fork = (crew: Crew) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const asks = yield* Queue.unbounded<Ask>()
      const started = yield* Deferred.make<Started, WorkerRefused>()
      const worker = cluster.fork()
      const channel = openChannel(worker, PATIENCE, (message) => {
        if (message._tag === "Ask") Queue.offerUnsafe(asks, message)
        else if (message._tag === "Started") Deferred.doneUnsafe(started, Effect.succeed(message))
        else Deferred.doneUnsafe(started, Effect.fail(new WorkerRefused({ message: message.sentence })))
      })
      const answering = yield* Effect.forkDetach(answer(crew, channel, asks))
      return { worker, channel, started, ended: endOf(worker), answering } satisfies Member
    }),
    ({ worker, channel, ended, answering }) =>
      Effect.gen(function* () {
        if (!worker.isDead()) worker.process.kill("SIGTERM")
        yield* Deferred.await(ended)
        // Only now, because readiness still covers workers that are stopping, and they may still ask questions.
        yield* crew.leave(channel)
        yield* Fiber.interrupt(answering)
      })
  )

const endedEarly = ({ code, signal }: End) =>
  Effect.fail(new WorkerRefused({ message: `A worker ended before it was ready (${signal ?? `code ${code}`}).` }))

/** Runs one process until it ends. Calls `onStart` when the process accepts requests. */
const serveOnce = Effect.fnUntraced(function* (crew: Crew, onStart: (started: Started) => Effect.Effect<void>) {
  const { channel, started, ended } = yield* fork(crew)
  const facts = yield* Effect.raceFirst(Deferred.await(started), Effect.flatMap(Deferred.await(ended), endedEarly))
  yield* crew.join(channel)
  yield* onStart(facts)
  return yield* Deferred.await(ended)
}, Effect.scoped)

/** Keeps one worker running: whenever its process ends, another one is started. Only the first start can fail. */
const keepRunning = Effect.fnUntraced(function* (crew: Crew, onFirstStart: (started: Started) => Effect.Effect<void>) {
  const clock = yield* Clock.Clock
  let wait = BACKOFF.first
  let startedAt = clock.currentTimeMillisUnsafe()
  let end: object = yield* serveOnce(crew, onFirstStart)
  for (;;) {
    yield* crew.countEnd
    if (clock.currentTimeMillisUnsafe() - startedAt > Duration.toMillis(BACKOFF.forgottenAfter)) wait = BACKOFF.first
    yield* Effect.logError("A worker has ended and will be replaced.").pipe(
      Effect.annotateLogs({ ...end, wait_ms: Duration.toMillis(wait) })
    )
    yield* Effect.sleep(wait)
    wait = Duration.min(Duration.times(wait, 2), BACKOFF.longest)
    startedAt = clock.currentTimeMillisUnsafe()
    end = yield* serveOnce(crew, () => Effect.void).pipe(
      Effect.catchTag("WorkerRefused", ({ message }) => Effect.succeed({ refused: message }))
    )
  }
})

/** The location of the root key, if this worker's start has generated one. */
const rootKeyOf = ({ rootKey }: Started): GeneratedRootKey | undefined =>
  rootKey?._tag === "Shown" ? { ...rootKey, key: Redacted.make(rootKey.key) } : rootKey

/**
 * Runs the service in several processes that share the port (C62). This process serves no requests: it starts the
 * others, replaces those that end, and totals their reports. The first worker prepares the database before the others
 * start.
 */
export const runPrimary = Effect.fnUntraced(function* (config: Settings) {
  yield* checkPorts(config)
  // Each worker accepts connections directly, so the end of a worker doesn't break connections that are still being distributed.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ args: (yield* AsJson) ? [WORKER, "--json"] : [WORKER], serialization: "advanced" })
  const lifecycle = yield* makeLifecycle(config)
  const crew = yield* makeCrew(config.workers)
  // Each worker rereads its secrets from their files.
  if (!process.stderr.isTTY && (yield* hasSecretFiles)) {
    process.on("SIGHUP", () => Object.values(cluster.workers ?? {}).forEach((worker) => worker?.process.kill("SIGHUP")))
  }
  const first = yield* Deferred.make<Started>()
  let missing = config.workers
  const onStart = Effect.fnUntraced(function* (started: Started) {
    yield* Deferred.succeed(first, started)
    missing -= 1
    if (missing > 0) return
    const shared = yield* Deferred.await(first)
    const { workers, testMode } = config
    const facts = { ...shared, workers, testMode, rootKey: rootKeyOf(shared) }
    yield* printBanner(facts)
    yield* lifecycle.ready(facts)
  })
  // The key is in the database already, and would be lost if another worker's failure prevented showing it.
  const showRootKey = Effect.gen(function* () {
    const rootKey = missing > 0 && (yield* Deferred.isDone(first)) ? rootKeyOf(yield* Deferred.await(first)) : undefined
    if (rootKey !== undefined) yield* printRootKey(rootKey)
  })
  const others = Effect.forEach(
    Array.from({ length: config.workers - 1 }),
    () => Effect.andThen(Deferred.await(first), keepRunning(crew, onStart)),
    { concurrency: "unbounded", discard: true }
  )
  const untilStopped = Effect.onInterrupt(Effect.never, () => (missing > 0 ? Effect.void : lifecycle.stopping))
  return yield* Effect.all([keepRunning(crew, onStart), others, untilStopped], {
    concurrency: "unbounded",
    discard: true
  }).pipe(
    Effect.onError(() => showRootKey),
    Effect.onInterrupt(() => lifecycle.stopped)
  )
}, Effect.provide(logs))
