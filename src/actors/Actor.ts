import { Cause, Clock, DateTime, Duration, Effect, Queue } from "effect"
import type { Scope } from "effect/Scope"
import { DatabaseOutage } from "#core/nodes/DatabaseOutage"
import { NodeClock } from "#core/nodes/NodeClock"
import { PatientClock } from "#core/nodes/PatientClock"
import { CurrentActor } from "#domain/EventActor"
import { ActorStates, countRestarts } from "#platform/ActorStates"
import { countDatabaseErrors } from "#platform/DatabaseErrors"
import { unavailabilityIn } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"

/** The work of an actor, which processes due items. Any number of nodes may share it. */
export interface Job {
  readonly name: string
  /** Claims and processes a batch of due items. Returns the number of items, 0 if none are left. */
  readonly batch: Effect.Effect<number>
  /**
   * When the oldest item became due, or when the next one will; undefined if there are no items. It is no schedule: `batch`
   * runs every few seconds. Work at intervals needs a due time in a table.
   */
  readonly nextDue: Effect.Effect<DateTime.Utc | undefined>
  /**
   * For jobs whose items must not wait for each other. A running actor uses it instead of `batch`. The outer effect sets it
   * up. The inner effect starts a fiber for each due item that has none yet, and returns the time at which the next item is
   * due.
   */
  readonly dispatch?: Effect.Effect<Effect.Effect<DateTime.Utc | undefined>, never, Scope>
}

/** A message in an actor's mailbox. */
type Message = "Tick" | "Wake"

/** The maximum number of items to claim at a time. */
export const BATCH = 500

/** How long an actor waits for a wake-up before it checks for work. */
const PERIOD = Duration.seconds(5)

/** The wait after a first failure, and the maximum wait after several. */
const FIRST_BACKOFF = Duration.seconds(1)
const MAX_BACKOFF = Duration.minutes(1)

/** Makes a job the actor of the events that an effect records. */
const asActor = ({ name }: Job) => Effect.provideService(CurrentActor, { actor: { type: "system", id: name } })

/** Processes all due items as long as `mayContinue` returns true. Returns the number of items. */
export const settle = (job: Job, mayContinue: () => boolean = () => true): Effect.Effect<number> =>
  asActor(job)(
    Effect.gen(function* () {
      let done = 0
      for (let some = yield* job.batch; some > 0; some = mayContinue() ? yield* job.batch : 0) done += some
      return done
    })
  )

/** How long the oldest due item has been waiting, in seconds. */
const lagOf = Effect.fnUntraced(function* ({ nextDue }: Job) {
  const due = yield* nextDue
  const now = yield* DateTime.now
  return due === undefined ? 0 : Math.max(0, (now.epochMilliseconds - due.epochMilliseconds) / 1000)
})

/**
 * Runs a job forever, at each wake-up and every few seconds. A failure ends only the current cycle. The actor continues,
 * but waits longer after each further failure. It does nothing while the node's clock is wrong (C224).
 */
export const act = Effect.fnUntraced(function* (job: Job) {
  const states = yield* ActorStates
  const outage = yield* DatabaseOutage
  const clock = yield* NodeClock
  const mailbox = yield* (yield* WakeUps).mailbox(job.name)
  let restarts = 0
  yield* countRestarts(job.name, 0)
  let backoff = FIRST_BACKOFF

  const dispatch = job.dispatch === undefined ? undefined : yield* job.dispatch

  const receive = (within: Duration.Duration) =>
    Effect.map(
      Effect.timeoutOption(Queue.take(mailbox), within),
      ({ _tag }): Message => (_tag === "Some" ? "Wake" : "Tick")
    )

  /** Processes due items. Returns how long the actor may wait before the next cycle. */
  const work = Effect.gen(function* () {
    if (dispatch !== undefined) {
      const next = yield* asActor(job)(dispatch)
      return next === undefined ? PERIOD : Duration.min(DateTime.distance(yield* DateTime.now, next), PERIOD)
    }
    const done = yield* settle(job, () => !clock.isWrong())
    if (done > 0) {
      yield* Effect.logDebug("A background job finished a run.").pipe(Effect.annotateLogs({ actor: job.name, done }))
    }
    yield* states.report(job.name, { ok: true, restarts, lagSeconds: 0 })
    return PERIOD
  })

  const cycle = Effect.gen(function* () {
    yield* clock.untilRight
    yield* states.report(job.name, { ok: true, restarts, lagSeconds: yield* lagOf(job) })
    const wait = yield* work
    backoff = FIRST_BACKOFF
    return yield* receive(wait)
  })

  const restart = Effect.fnUntraced(function* (cause: Cause.Cause<unknown>) {
    restarts += 1
    yield* countRestarts(job.name, 1)
    yield* countDatabaseErrors(cause)
    const isDatabaseAway = yield* outage.reportCause(cause)
    if (!isDatabaseAway) {
      const refusal = unavailabilityIn(cause)
      const trace = refusal === undefined ? cause : Cause.empty
      const details = refusal === undefined ? {} : { cause: refusal.reason }
      yield* Effect.logError("A background job failed and will be retried.", trace).pipe(
        Effect.annotateLogs({ actor: job.name, restarts, ...details })
      )
    }
    yield* states.report(job.name, { ok: false, restarts, lagSeconds: 0 })
    const pause = Effect.sleep(backoff)
    yield* isDatabaseAway ? Effect.raceFirst(pause, outage.ended) : pause
    backoff = Duration.min(Duration.times(backoff, 2), MAX_BACKOFF)
    return "Tick" as const
  })

  return yield* cycle.pipe(
    Effect.catchCause((cause) => (Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : restart(cause))),
    Effect.forever,
    Effect.provideService(Clock.Clock, new PatientClock(yield* Clock.Clock, clock.untilRight))
  )
}, Effect.scoped)
