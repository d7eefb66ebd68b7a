import { Context, Duration, Effect, Metric } from "effect"
import { Overloaded } from "#domain/Overloaded"

/**
 * Whether a fiber holds a transaction. It waits for no turn then: whoever has the turn may themselves be waiting for the
 * connection. How many hold one is bounded already.
 */
export const HoldsTransaction = Context.Reference<boolean>("sallyport/platform/HoldsTransaction", {
  defaultValue: () => false
})

/** How much is let in at once, and how much may wait. */
export interface AdmissionLimits {
  /** What stands behind it, as metrics call it. */
  readonly name: string
  /** At work at once: all together, and of one key where that is less than its fair share. */
  readonly atOnce: number
  readonly atOnceOfOne?: number
  /** How many may wait: all together, and of one key where that is less than its fair share. 0: who can't begin is refused. */
  readonly places: number
  readonly placesOfOne?: number
  /** How long one waits at most: `PATIENCE`, unless it has been let in before and must not be turned away any more. */
  readonly patience?: Duration.Duration
  /** Whether those who hold a transaction wait like everyone: only where whoever has a turn waits for nothing else. */
  readonly holdsTransactions?: boolean
}

/** Lets work in: so much at once, a bounded queue behind it, and nobody in the way of another key for long. */
export interface Admission {
  /**
   * Runs work when there is room for it. Fails with `Overloaded` where too many wait already, or when the wait has been too
   * long; then nothing was done.
   */
  readonly run: <A, E, R>(key: string, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>
  readonly atWork: number
  readonly waiting: number
}

/** How long anything waits for its turn, unless it says otherwise: those who ask are told within three seconds. */
export const PATIENCE = Duration.millis(2_500)

/** A key may have so many times what it leaves to the others: alone three quarters of all, beside others less. */
const SHARE = 3

const waitingNow = Metric.gauge("admission_waiting", { description: "Operations waiting for their turn, by queue." })

const shed = Metric.counter("admission_shed_total", {
  description: "Operations refused with 503 because a queue was full (full) or the wait too long (late), by queue.",
  incremental: true
})

/** One that has come: begun, or waiting with what begins it. */
interface Ticket {
  readonly lane: Lane
  begun: boolean
  begin: (() => void) | undefined
}

/** All of one key, those waiting in the order they came. */
interface Lane {
  readonly key: string
  atWork: number
  readonly waiting: Set<Ticket>
}

/** Runs work that has words of its own: to be turned away is a defect, answered as a database that is away. */
export const admitted = <A, E, R>({ run }: Admission, key: string, work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Effect.orDie(run(key, Effect.result(work))), Effect.fromResult)

/** Makes an admission. Waiting keys have their turns one after the other, each its oldest first. */
export const makeAdmission = (limits: AdmissionLimits): Admission => {
  const { name, atOnce, places, patience = PATIENCE } = limits
  const {
    holdsTransactions = false,
    atOnceOfOne = Number.POSITIVE_INFINITY,
    placesOfOne = Number.POSITIVE_INFINITY
  } = limits
  const lanes = new Map<string, Lane>()
  /** The keys of which some wait, that whose turn is next first. */
  const turns = new Set<Lane>()
  let atWork = 0
  let waiting = 0

  const gauge = Metric.withAttributes(waitingNow, { queue: name })
  const shedFull = Metric.withAttributes(shed, { queue: name, reason: "full" })
  const shedLate = Metric.withAttributes(shed, { queue: name, reason: "late" })

  const laneOf = (key: string): Lane => {
    const known = lanes.get(key)
    if (known !== undefined) return known
    const lane: Lane = { key, atWork: 0, waiting: new Set() }
    lanes.set(key, lane)
    return lane
  }

  const mayBegin = (lane: Lane) => lane.atWork < Math.min(atOnceOfOne, SHARE * (atOnce - atWork))
  const mayWait = (lane: Lane) => lane.waiting.size < Math.min(placesOfOne, SHARE * (places - waiting))

  const begin = (ticket: Ticket) => {
    ticket.begun = true
    ticket.lane.atWork += 1
    atWork += 1
  }

  const unqueue = (ticket: Ticket) => {
    const { lane } = ticket
    lane.waiting.delete(ticket)
    waiting -= 1
    if (lane.waiting.size === 0) turns.delete(lane)
  }

  /** Lets in whoever can begin now; whose turn it was is last in the round. */
  const letIn = () => {
    for (const lane of turns) {
      if (atWork >= atOnce) return
      const [ticket] = lane.waiting
      if (ticket === undefined || !mayBegin(lane)) continue
      unqueue(ticket)
      if (turns.delete(lane)) turns.add(lane)
      begin(ticket)
      ticket.begin?.()
    }
  }

  const forget = (lane: Lane) => {
    if (lane.atWork === 0 && lane.waiting.size === 0) lanes.delete(lane.key)
  }

  /** Undefined: there is no room. */
  const arrive = (key: string): Ticket | undefined => {
    const lane = laneOf(key)
    const ticket: Ticket = { lane, begun: false, begin: undefined }
    if (lane.waiting.size === 0 && mayBegin(lane)) {
      begin(ticket)
      return ticket
    }
    if (!mayWait(lane)) {
      forget(lane)
      return undefined
    }
    lane.waiting.add(ticket)
    turns.add(lane)
    waiting += 1
    return ticket
  }

  const leave = (ticket: Ticket) => {
    const { lane } = ticket
    if (ticket.begun) {
      lane.atWork -= 1
      atWork -= 1
    } else unqueue(ticket)
    forget(lane)
    letIn()
  }

  const refused = (counter: typeof shed, retryAfterSeconds: number) =>
    Effect.andThen(Metric.update(counter, 1), Effect.fail(new Overloaded({ retryAfterSeconds })))

  const turn = (ticket: Ticket) =>
    Effect.callback<void>((resume) => {
      if (ticket.begun) resume(Effect.void)
      else ticket.begin = () => resume(Effect.void)
    })

  const soon = (begun: Effect.Effect<void>): Effect.Effect<void, Overloaded> =>
    Duration.isFinite(patience)
      ? Effect.timeoutOrElse(begun, {
          duration: patience,
          orElse: () => refused(shedLate, Math.ceil(Duration.toSeconds(patience)))
        })
      : begun

  const waited = (ticket: Ticket) =>
    Effect.andThen(
      Metric.modify(gauge, 1),
      Effect.ensuring(
        soon(turn(ticket)),
        Effect.suspend(() => Metric.modify(gauge, -1))
      )
    )

  const inTurn = <A, E, R>(key: string, work: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore): Effect.Effect<A, E | Overloaded, R> => {
      const ticket = arrive(key)
      if (ticket === undefined) return refused(shedFull, 1)
      const left = Effect.sync(() => leave(ticket))
      return Effect.ensuring(restore(ticket.begun ? work : Effect.andThen(waited(ticket), work)), left)
    })

  return {
    run: (key, work) =>
      Effect.contextWith((context: Context.Context<never>) =>
        Context.get(context, HoldsTransaction) && !holdsTransactions ? work : inTurn(key, work)
      ),
    get atWork() {
      return atWork
    },
    get waiting() {
      return waiting
    }
  }
}
