import { Worker } from "node:worker_threads"
import { lengthOf } from "#core/mail/MailTemplate"
import { RenderingScheduler } from "#core/mail/RenderingScheduler"
import type { RealmId } from "#domain/Ids"
import type { RenderResult, Task, WorkerMessage } from "./MailWorker.ts"

/** The maximum CPU time of a task on the thread. */
const MAX_CPU_MILLIS = { trial: 200, mail: 500, content: 500 }

/**
 * The maximum wall time of a task. A task that gets no CPU time is waiting for other programs, which is not its
 * template's fault.
 */
const MAX_WALL_MILLIS = 10_000

/** How often the usage of a running task is checked. */
const CHECK_MILLIS = 20

/** The CPU time charged for starting a thread. */
const START_MILLIS = 100

/** The time that the event loop needs to receive a result, per character. */
const MILLIS_PER_CHARACTER = 1 / 16_384

/**
 * How long a task waits for its turn. For an email, less than its lease. The other kinds are limited to a short time,
 * because a request waits for them.
 */
const WAIT_MILLIS = { trial: 5_000, mail: 20_000, content: 5_000 }

/** The idle time after which the thread ends. */
const IDLE_MILLIS = 10_000

/** The memory limits of the thread, in MiB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8, stackSizeMb: 1 }

// The worker's file is next to this module, bundled or not.
const workerUrl = new URL(import.meta.url.endsWith(".ts") ? "./MailWorker.ts" : "./MailWorker.js", import.meta.url)

/** The outcome of a job: a result, no turn in time, or a fault of the thread. */
export type Outcome = RenderResult | { readonly _tag: "Busy" } | { readonly _tag: "Broken"; readonly cause: unknown }

/** The number of characters in a result that the event loop receives from the thread. */
const lengthIn = (outcome: Outcome): number => {
  if (outcome._tag === "Rendered") return lengthOf(outcome.mail)
  return outcome._tag === "Cleaned" ? outcome.text.length : 0
}

interface Job {
  readonly kind: keyof typeof MAX_CPU_MILLIS
  readonly task: Task
  readonly end: (outcome: Outcome) => void
}

export interface ThreadOptions {
  /** The wall time after which a task is postponed, in milliseconds. */
  readonly maxWallMillis?: number
  /** The idle time after which the thread ends. */
  readonly idleMillis?: number
}

/**
 * The current job. `cpuAtStart`: the thread's CPU time when the job started, or undefined if the thread was still
 * starting.
 */
interface RunningJob {
  readonly realmId: RealmId
  readonly job: Job
  readonly startedAt: number
  cpuAtStart: number | undefined
}

/**
 * The thread that renders emails and cleans markup and logos. It starts with the first task and ends when it has been
 * idle for a while. It uses the real clock.
 */
export class RenderingThread {
  readonly #turns = new RenderingScheduler<Job>()
  #worker: Worker | undefined
  #cpuMillis: number | undefined
  #running: RunningJob | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #maxWallMillis: number
  readonly #idleMillis: number

  constructor({ maxWallMillis = MAX_WALL_MILLIS, idleMillis = IDLE_MILLIS }: ThreadOptions = {}) {
    this.#maxWallMillis = maxWallMillis
    this.#idleMillis = idleMillis
  }

  /** Queues a job. Returns a function that removes the job from the queue, for callers that stop waiting for it. */
  submit(realmId: RealmId, kind: Job["kind"], task: Task, end: Job["end"]): () => void {
    const job: Job = {
      kind,
      task,
      end: (outcome) => {
        clearTimeout(timeout)
        end(outcome)
      }
    }
    const cancel = () => {
      clearTimeout(timeout)
      this.#turns.remove(realmId, job)
    }
    const timeout = setTimeout(() => {
      if (this.#running?.job === job) return
      cancel()
      end({ _tag: "Busy" })
    }, WAIT_MILLIS[kind]).unref()
    // Tasks that a request waits for run before the realm's emails.
    if (this.#turns.add(realmId, job, kind === "mail" ? "last" : "first")) this.#runNext()
    else job.end({ _tag: "Busy" })
    return cancel
  }

  close(): void {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    this.#cpuMillis = undefined
    void worker?.terminate()
  }

  /** Schedules a call, replacing any call scheduled before. Doesn't keep the process alive. */
  #schedule(millis: number, call: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(call, millis).unref()
  }

  #runNext(): void {
    if (this.#running !== undefined) return
    const turn = this.#turns.next(performance.now())
    if (turn._tag === "Rest") return this.#schedule(turn.millis, () => this.#runNext())
    if (turn._tag === "Idle") return this.#schedule(this.#idleMillis, () => this.close())
    const { realmId, job } = turn
    this.#running = { realmId, job, startedAt: performance.now(), cpuAtStart: this.#cpuMillis }
    try {
      this.#worker ??= this.#startWorker()
      this.#worker.postMessage(job.task)
      this.#schedule(CHECK_MILLIS, () => void this.#checkUsage())
    } catch (cause) {
      // The system can't start another thread.
      this.close()
      this.#finish(START_MILLIS, { _tag: "Broken", cause })
    }
  }

  #startWorker(): Worker {
    const worker = new Worker(workerUrl, {
      name: "mails",
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: RESOURCE_LIMITS
    })
    const broken = (cause: unknown) => {
      if (this.#worker !== worker) return
      this.close()
      const isFull = cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
      this.#finish(START_MILLIS, isFull ? { _tag: "Unrenderable", why: "long" } : { _tag: "Broken", cause })
    }
    worker.on("error", broken)
    worker.on("exit", (code) => broken(new Error(`The rendering thread exited with code ${code}.`)))
    worker.on("message", ({ cpuMillis, result }: WorkerMessage) => {
      if (this.#worker !== worker) return
      this.#cpuMillis = cpuMillis
      if (this.#running === undefined) return
      if (result === undefined) this.#running.cpuAtStart = cpuMillis
      else this.#finish(cpuMillis - (this.#running.cpuAtStart ?? cpuMillis), result)
    })
    // Must come after the first message listener, which makes the process wait for the thread.
    worker.unref()
    return worker
  }

  /** Checks how much time the current job has used. If it is too much, ends the job and the thread. */
  async #checkUsage(): Promise<void> {
    const [worker, running] = [this.#worker, this.#running]
    if (worker === undefined || running === undefined) return
    // On releases of Node without `cpuUsage` for workers, wall time counts instead.
    const usage = await worker.cpuUsage?.().catch(() => undefined)
    if (this.#running !== running) return
    const elapsed = performance.now() - running.startedAt
    const total = usage === undefined ? undefined : (usage.user + usage.system) / 1_000
    const spent = running.cpuAtStart === undefined ? 0 : total === undefined ? elapsed : total - running.cpuAtStart
    const isSlow = spent > MAX_CPU_MILLIS[running.job.kind]
    if (!isSlow && elapsed <= this.#maxWallMillis) {
      return this.#schedule(CHECK_MILLIS, () => void this.#checkUsage())
    }
    this.close()
    this.#finish(spent + START_MILLIS, isSlow ? { _tag: "Unrenderable", why: "slow" } : { _tag: "Busy" })
  }

  #finish(spent: number, outcome: Outcome): void {
    const running = this.#running
    if (running === undefined) return this.#runNext()
    this.#running = undefined
    this.#turns.charge(running.realmId, spent + lengthIn(outcome) * MILLIS_PER_CHARACTER, performance.now())
    running.job.end(outcome)
    this.#runNext()
  }
}
