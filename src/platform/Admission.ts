import { Clock, Context, Duration, Effect, Metric, type Scope } from "effect"
import { Overloaded } from "#domain/Overloaded"

/**
 * Whether the fiber is inside a transaction. Such a fiber skips the queue, because the running jobs might be waiting for
 * the connection that it uses. The number of open transactions is already limited.
 */
export const InTransaction = Context.Reference<boolean>("sallyport/platform/InTransaction", {
  defaultValue: () => false
})

/** The limits of an admission queue. */
export interface AdmissionLimits {
  /** The name of the queue in metrics. */
  readonly name: string
  /** How many jobs may run at the same time, in total and per key (a key's fair share may be lower). */
  readonly concurrency: number
  readonly concurrencyPerKey?: number
  /** How many jobs may wait, in total and per key. With 0, jobs that cannot start immediately are rejected. */
  readonly queueLimit: number
  readonly queueLimitPerKey?: number
  /** The maximum wait of a job, `DEFAULT_MAX_WAIT` by default. Use infinity for work that was already admitted elsewhere. */
  readonly maxWait?: Duration.Duration
  /** Whether jobs inside a transaction wait in the queue too. Safe only if running jobs wait for nothing else. */
  readonly queueInTransaction?: boolean
}

/** An admission queue. It limits the number of running and waiting jobs, and shares capacity fairly between keys. */
export interface Admission {
  /** Runs a job when there is capacity. Fails with `Overloaded` if the queue is full or the wait gets too long. */
  readonly run: <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>
  /** Like `run`, but a rejection is a defect, which is reported like an unavailable database. */
  readonly runOrDie: <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Takes the place of a job until the scope closes. Fails like `run`. */
  readonly hold: (key: string) => Effect.Effect<void, Overloaded, Scope.Scope>
  /** Fails if `run` would now reject a job with this key. */
  readonly check: (key: string) => Effect.Effect<void, Overloaded>
  readonly running: number
  readonly waiting: number
}

/** The default maximum wait. It leaves enough time to respond to callers within three seconds. */
export const DEFAULT_MAX_WAIT = Duration.millis(2_500)

/** A key may use up to this many times the remaining capacity, so at most three quarters of the total. */
const FAIR_SHARE = 3

const waitingNow = Metric.gauge("admission_waiting", { description: "Operations waiting for their turn, by queue." })

const runningNow = Metric.gauge("admission_running", {
  description: "Operations currently running, by queue."
})

const shed = Metric.counter("admission_shed_total", {
  description:
    "Operations rejected with 503, by queue and by reason: full (the queue was full), late (the wait was too long).",
  incremental: true
})

/** A running or waiting job. The callbacks start or reject a waiting job. */
interface Job {
  readonly queue: KeyQueue
  readonly context: Context.Context<never>
  isStarted: boolean
  start: (() => void) | undefined
  rejectLate: (() => void) | undefined
  isLate: boolean
  /** The deadline for the job to start, in nanoseconds of the monotonic clock. */
  waitsUntil: bigint
}

/** The jobs of one key. Waiting jobs are in order of arrival. */
interface KeyQueue {
  readonly key: string
  running: number
  readonly waiting: Set<Job>
}

/** Turns a rejection into a failure or a defect. */
type Reject<E> = (rejection: Overloaded) => Effect.Effect<never, E>

/** Creates an admission queue. Keys with waiting jobs take turns (round robin). The jobs of a key run in order of arrival. */
export const makeAdmission = (limits: AdmissionLimits): Admission => {
  const { name, concurrency, queueLimit, maxWait = DEFAULT_MAX_WAIT } = limits
  const {
    queueInTransaction = false,
    concurrencyPerKey = Number.POSITIVE_INFINITY,
    queueLimitPerKey = Number.POSITIVE_INFINITY
  } = limits
  const queues = new Map<string, KeyQueue>()
  /** The keys with waiting jobs, in the order of their turns. */
  const roundRobin = new Set<KeyQueue>()
  /** The waiting jobs, starting with the longest wait. */
  const waitingByAge = new Set<Job>()
  let isWatched = false
  let running = 0
  let waiting = 0

  const gauge = Metric.withAttributes(waitingNow, { queue: name })
  const runningGauge = Metric.withAttributes(runningNow, { queue: name })
  const shedQueueFull = Metric.withAttributes(shed, { queue: name, reason: "full" })
  const shedLate = Metric.withAttributes(shed, { queue: name, reason: "late" })
  const maxWaitNanos = Duration.isFinite(maxWait) ? Duration.toNanosUnsafe(maxWait) : undefined

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
    job.isStarted = true
    job.queue.running += 1
    running += 1
    runningGauge.modifyUnsafe(1, job.context)
  }

  const dequeue = (job: Job) => {
    const { queue } = job
    queue.waiting.delete(job)
    waitingByAge.delete(job)
    waiting -= 1
    if (queue.waiting.size === 0) roundRobin.delete(queue)
  }

  /** Starts all waiting jobs that there is capacity for. A key that had its turn moves to the end. */
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

  /** Adds a job, or returns undefined if the queue is full. */
  const admit = (key: string, context: Context.Context<never>): Job | undefined => {
    const queue = queueOf(key)
    const job: Job = {
      queue,
      context,
      isStarted: false,
      start: undefined,
      rejectLate: undefined,
      isLate: false,
      waitsUntil: 0n
    }
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
    if (job.isStarted) {
      queue.running -= 1
      running -= 1
      runningGauge.modifyUnsafe(-1, job.context)
    } else dequeue(job)
    discard(queue)
    dispatch()
  }

  const fullRejection = new Overloaded({ retryAfterSeconds: 1, reason: `${name}: too many at once` })
  const lateRejection = new Overloaded({
    retryAfterSeconds: Math.ceil(Duration.toSeconds(maxWait)),
    reason: `${name}: waited too long for a turn`
  })

  const reject = <E>(counter: typeof shed, rejection: Overloaded, refuse: Reject<E>) =>
    Effect.andThen(Metric.update(counter, 1), refuse(rejection))

  /** Rejects jobs that have waited too long, and ends when none is waiting. One timer is enough for all jobs. */
  const watch = Effect.gen(function* () {
    const clock = yield* Clock.Clock
    for (;;) {
      const [oldest] = waitingByAge
      if (oldest === undefined) break
      const left = oldest.waitsUntil - clock.monotonicTimeNanosUnsafe()
      if (left > 0n) yield* Effect.sleep(Duration.nanos(left))
      else {
        waitingByAge.delete(oldest)
        oldest.isLate = true
        oldest.rejectLate?.()
      }
    }
    isWatched = false
  })

  const untilStarted = <E>(job: Job, context: Context.Context<never>, refuse: Reject<E>) =>
    Effect.callback<void, E>((resume) => {
      if (job.isStarted) return resume(Effect.void)
      if (job.isLate) return resume(reject(shedLate, lateRejection, refuse))
      const stopWaiting = () => gauge.modifyUnsafe(-1, context)
      gauge.modifyUnsafe(1, context)
      job.start = () => {
        stopWaiting()
        resume(Effect.void)
      }
      job.rejectLate = () => {
        stopWaiting()
        resume(reject(shedLate, lateRejection, refuse))
      }
      return Effect.sync(stopWaiting)
    })

  const waitInQueue = <E>(job: Job, context: Context.Context<never>, refuse: Reject<E>): Effect.Effect<void, E> => {
    const isStarted = untilStarted(job, context, refuse)
    if (maxWaitNanos === undefined) return isStarted
    job.waitsUntil = Context.get(context, Clock.Clock).monotonicTimeNanosUnsafe() + maxWaitNanos
    waitingByAge.add(job)
    if (isWatched) return isStarted
    isWatched = true
    return Effect.andThen(Effect.forkDetach(watch), isStarted)
  }

  const runQueued = <A, E, R, E2>(
    key: string,
    work: Effect.Effect<A, E, R>,
    refuse: Reject<E2>
  ): Effect.Effect<A, E | E2, R> => {
    let job: Job | undefined
    // The finalizer is registered before the job is admitted, so that the job is released even if the fiber is interrupted.
    return Effect.onExitPrimitive(
      Effect.contextWith((context: Context.Context<never>): Effect.Effect<A, E | E2, R> => {
        if (!queueInTransaction && Context.get(context, InTransaction)) return work
        job = admit(key, context)
        if (job === undefined) return reject(shedQueueFull, fullRejection, refuse)
        return job.isStarted ? work : Effect.andThen(waitInQueue(job, context, refuse), work)
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
        Effect.contextWith((context: Context.Context<never>) => Effect.sync(() => admit(key, context))),
        (job) => Effect.sync(() => (job === undefined ? undefined : release(job)))
      ),
      (job) => {
        if (job === undefined) return reject(shedQueueFull, fullRejection, Effect.fail)
        if (job.isStarted) return Effect.void
        return Effect.contextWith((context: Context.Context<never>) => waitInQueue(job, context, Effect.fail))
      }
    )

  const isFull = (key: string): boolean => {
    const queue = queues.get(key) ?? newQueue(key)
    return !(queue.waiting.size === 0 && mayStart(queue)) && !mayWait(queue)
  }

  return {
    run: (key, work) => runQueued(key, work, Effect.fail),
    runOrDie: (key, work) => runQueued(key, work, Effect.die),
    check: (key) => (isFull(key) ? reject(shedQueueFull, fullRejection, Effect.fail) : Effect.void),
    hold,
    get running() {
      return running
    },
    get waiting() {
      return waiting
    }
  }
}
