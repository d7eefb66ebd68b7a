import { Cause, DateTime, Duration, Effect, Queue } from "effect"
import type { Scope } from "effect/Scope"
import { ActorStates } from "#platform/ActorStates"
import { WakeUps } from "#platform/WakeUps"

/** What an actor does: it works off what has fallen due, on any number of nodes at once. */
export interface Job {
  readonly name: string
  /** Claims a batch of what is due and works it off; how many things that were. 0: nothing is left. */
  readonly batch: Effect.Effect<number>
  /** When the oldest thing fell due, or the next one will; undefined: nothing waits. */
  readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  /**
   * For a job whose pieces must not wait for each other: sets up how a running actor works instead of by batches. It
   * begins, on fibers of its own, what is due and not begun, and says when the next thing will be.
   */
  readonly dispatch?: Effect.Effect<Effect.Effect<DateTime.Utc | undefined>, never, Scope>
}

/** What comes into an actor's mailbox. */
type Message = "Tick" | "Wake"

/** How many things an actor claims at once. */
export const BATCH = 500

/** How long an actor waits for a wake-up before it looks by itself. */
const PERIOD = Duration.seconds(5)

/** How long one that failed waits before it begins anew: at first, and at most. */
const FIRST_PAUSE = Duration.seconds(1)
const LONGEST_PAUSE = Duration.minutes(1)

/** Works off everything that is due now: how many things. */
export const settle = Effect.fnUntraced(function* ({ batch }: Job) {
  let done = 0
  for (let some = yield* batch; some > 0; some = yield* batch) done += some
  return done
})

/** For how long the oldest thing that is due has been waiting, in seconds. */
const lagOf = Effect.fnUntraced(function* ({ nextDue }: Job) {
  const due = yield* nextDue
  const now = yield* DateTime.now
  return due === undefined ? 0 : Math.max(0, (now.epochMilliseconds - due.epochMilliseconds) / 1000)
})

/**
 * Runs a job for ever: at each wake-up, and every few seconds. A failure ends the try, never the actor; the pauses after
 * failures grow.
 */
export const act = Effect.fnUntraced(function* (job: Job) {
  const states = yield* ActorStates
  const mailbox = yield* (yield* WakeUps).mailbox(job.name)
  let restarts = 0
  let pause = FIRST_PAUSE

  const dispatch = job.dispatch === undefined ? undefined : yield* job.dispatch

  const receive = (within: Duration.Duration) =>
    Effect.map(
      Effect.timeoutOption(Queue.take(mailbox), within),
      ({ _tag }): Message => (_tag === "Some" ? "Wake" : "Tick")
    )

  /** Works off what is due: for how long the actor may then wait. */
  const work = Effect.gen(function* () {
    if (dispatch !== undefined) {
      const next = yield* dispatch
      return next === undefined ? PERIOD : Duration.min(DateTime.distance(yield* DateTime.now, next), PERIOD)
    }
    const done = yield* settle(job)
    if (done > 0) yield* Effect.logDebug("actor", { actor: job.name, done })
    yield* states.note(job.name, { ok: true, restarts, lagSeconds: 0 })
    return PERIOD
  })

  const turn = Effect.gen(function* () {
    yield* states.note(job.name, { ok: true, restarts, lagSeconds: yield* lagOf(job) })
    const wait = yield* work
    pause = FIRST_PAUSE
    return yield* receive(wait)
  })

  const begunAnew = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
    restarts += 1
    yield* Effect.logError("actor failed", { actor: job.name, restarts }, cause)
    yield* states.note(job.name, { ok: false, restarts, lagSeconds: 0 })
    yield* Effect.sleep(pause)
    pause = Duration.min(Duration.times(pause, 2), LONGEST_PAUSE)
    return "Tick" as const
  })

  return yield* turn.pipe(
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : begunAnew(cause))),
    Effect.forever
  )
}, Effect.scoped)
