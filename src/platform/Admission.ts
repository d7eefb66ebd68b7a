import { Context, Duration, Effect, Metric, type Scope } from "effect"
import { Overloaded } from "#domain/Overloaded"

/**
 * Whether the fiber is inside a transaction. Such a fiber does not queue: the running job may itself be waiting for a
 * connection. The number of open transactions is limited already.
 */
export const InTransaction = Context.Reference<boolean>("sallyport/platform/InTransaction", {
  defaultValue: () => false
})

/** The limits of an admission queue. */
export interface AdmissionLimits {
  /** The name of the queue in metrics. */
  readonly name: string
  /** How many jobs run at once: altogether, and per key if that is less than the key's fair share. */
  readonly concurrency: number
  readonly concurrencyPerKey?: number
  /**
   * How many jobs may wait: altogether, and per key if that is less than the key's fair share. 0: jobs that can't start
   * are rejected.
   */
  readonly queueLimit: number
  readonly queueLimitPerKey?: number
  /** How long a job waits at most. Default: `DEFAULT_MAX_WAIT`; infinite for work that was admitted before. */
  readonly maxWait?: Duration.Duration
  /** Whether jobs inside a transaction queue too. Only safe if running jobs wait for nothing else. */
  readonly queueInTransaction?: boolean
}

/** An admission queue: limits concurrency, bounds the queue, and shares fairly between keys. */
export interface Admission {
  /**
   * Runs a job once there is capacity. Fails with `Overloaded` if the queue is full or the wait too long; the job has
   * not started then.
   */
  readonly run: <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>
  /** Takes the place of a job until the scope closes. Fails as `run` does. */
  readonly hold: (key: string) => Effect.Effect<void, Overloaded, Scope.Scope>
  /** Fails if `run` would refuse a job of this key now. */
  readonly check: (key: string) => Effect.Effect<void, Overloaded>
  readonly running: number
  readonly waiting: number
}

/** How long a job waits by default, so that callers get an answer within three seconds. */
export const DEFAULT_MAX_WAIT = Duration.millis(2_500)

/** A key may use up to this many times the remaining capacity: three quarters when alone, less beside others. */
const FAIR_SHARE = 3

const waitingNow = Metric.gauge("admission_waiting", { description: "Operations waiting for their turn, by queue." })

const shed = Metric.counter("admission_shed_total", {
  description: "Operations refused with 503 because a queue was full (full) or the wait too long (late), by queue.",
  incremental: true
})

/** A job that is running, or waiting with the callback that starts it. */
interface Job {
  readonly queue: KeyQueue
  started: boolean
  start: (() => void) | undefined
}

/** The jobs of one key; those waiting are in order of arrival. */
interface KeyQueue {
  readonly key: string
  running: number
  readonly waiting: Set<Job>
}

/** Runs a job with failures of its own. A rejection is a defect, answered like an unavailable database. */
export const runOrDie = <A, E, R>({ run }: Admission, key: string, work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.orDie(run(key, Effect.result(work))), Effect.fromResult)

/** Makes an admission queue. Keys with waiting jobs are served round robin, each in order of arrival. */
export const makeAdmission = (limits: AdmissionLimits): Admission => {
  const { name, concurrency, queueLimit, maxWait = DEFAULT_MAX_WAIT } = limits
  const {
    queueInTransaction = false,
    concurrencyPerKey = Number.POSITIVE_INFINITY,
    queueLimitPerKey = Number.POSITIVE_INFINITY
  } = limits
  const queues = new Map<string, KeyQueue>()
  /** The keys with waiting jobs, next in line first. */
  const roundRobin = new Set<KeyQueue>()
  let running = 0
  let waiting = 0

  const gauge = Metric.withAttributes(waitingNow, { queue: name })
  const shedQueueFull = Metric.withAttributes(shed, { queue: name, reason: "full" })
  const shedLate = Metric.withAttributes(shed, { queue: name, reason: "late" })

  const newQueue = (key: string): KeyQueue => ({ key, running: 0, waiting: new Set() })

  const queueOf = (key: string): KeyQueue => {
    const existing = queues.get(key)
    if (existing !== undefined) return existing
    const queue = newQueue(key)
    queues.set(key, queue)
    return queue
  }

  const mayStart = (queue: KeyQueue) =>
    queue.running < Math.min(concurrencyPerKey, FAIR_SHARE * (concurrency - running))
  const mayWait = (queue: KeyQueue) =>
    queue.waiting.size < Math.min(queueLimitPerKey, FAIR_SHARE * (queueLimit - waiting))

  const start = (job: Job) => {
    job.started = true
    job.queue.running += 1
    running += 1
  }

  const dequeue = (job: Job) => {
    const { queue } = job
    queue.waiting.delete(job)
    waiting -= 1
    if (queue.waiting.size === 0) roundRobin.delete(queue)
  }

  /** Starts the waiting jobs that fit. A key that was served moves to the end of the round. */
  const dispatch = () => {
    for (const queue of roundRobin) {
      if (running >= concurrency) return
      const [job] = queue.waiting
      if (job === undefined || !mayStart(queue)) continue
      dequeue(job)
      if (roundRobin.delete(queue)) roundRobin.add(queue)
      start(job)
      job.start?.()
    }
  }

  const discard = (queue: KeyQueue) => {
    if (queue.running === 0 && queue.waiting.size === 0) queues.delete(queue.key)
  }

  /** Undefined: the queue is full. */
  const admit = (key: string): Job | undefined => {
    const queue = queueOf(key)
    const job: Job = { queue, started: false, start: undefined }
    if (queue.waiting.size === 0 && mayStart(queue)) {
      start(job)
      return job
    }
    if (!mayWait(queue)) {
      discard(queue)
      return undefined
    }
    queue.waiting.add(job)
    roundRobin.add(queue)
    waiting += 1
    return job
  }

  const release = (job: Job) => {
    const { queue } = job
    if (job.started) {
      queue.running -= 1
      running -= 1
    } else dequeue(job)
    discard(queue)
    dispatch()
  }

  const reject = (counter: typeof shed, retryAfterSeconds: number, reason: string) =>
    Effect.andThen(Metric.update(counter, 1), Effect.fail(new Overloaded({ retryAfterSeconds, reason })))

  const untilStarted = (job: Job) =>
    Effect.callback<void>((resume) => {
      if (job.started) resume(Effect.void)
      else job.start = () => resume(Effect.void)
    })

  const withTimeout = (started: Effect.Effect<void>): Effect.Effect<void, Overloaded> =>
    Duration.isFinite(maxWait)
      ? Effect.timeoutOrElse(started, {
          duration: maxWait,
          orElse: () => reject(shedLate, Math.ceil(Duration.toSeconds(maxWait)), `${name}: waited too long for a turn`)
        })
      : started

  const waitInQueue = (job: Job) =>
    Effect.andThen(
      Metric.modify(gauge, 1),
      Effect.ensuring(
        withTimeout(untilStarted(job)),
        Effect.suspend(() => Metric.modify(gauge, -1))
      )
    )

  const runQueued = <A, E, R>(key: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | Overloaded, R> => {
    let job: Job | undefined
    // The finalizer is in place before the job is admitted, so that no interruption leaves the job unreleased.
    return Effect.onExitPrimitive(
      Effect.suspend((): Effect.Effect<A, E | Overloaded, R> => {
        job = admit(key)
        if (job === undefined) return reject(shedQueueFull, 1, `${name}: too many at once`)
        return job.started ? work : Effect.andThen(waitInQueue(job), work)
      }),
      () => {
        if (job !== undefined) release(job)
        return undefined
      }
    )
  }

  const hold = (key: string) =>
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => admit(key)),
        (job) => Effect.sync(() => (job === undefined ? undefined : release(job)))
      ),
      (job) => {
        if (job === undefined) return reject(shedQueueFull, 1, `${name}: too many at once`)
        return job.started ? Effect.void : waitInQueue(job)
      }
    )

  const isFull = (key: string): boolean => {
    const queue = queues.get(key) ?? newQueue(key)
    return !(queue.waiting.size === 0 && mayStart(queue)) && !mayWait(queue)
  }

  return {
    run: (key, work) =>
      Effect.contextWith((context: Context.Context<never>) =>
        Context.get(context, InTransaction) && !queueInTransaction ? work : runQueued(key, work)
      ),
    check: (key) => (isFull(key) ? reject(shedQueueFull, 1, `${name}: too many at once`) : Effect.void),
    hold,
    get running() {
      return running
    },
    get waiting() {
      return waiting
    }
  }
}
