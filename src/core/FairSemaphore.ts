import { Deferred, type Duration, Effect } from "effect"

/** One turn: had, or waited for. */
interface Turn<Asked> {
  readonly asked: Asked
  readonly begun: Deferred.Deferred<void>
  granted: boolean
}

/** How long somebody waits for a turn, and what they are told then. */
export interface Patience<E> {
  readonly for: Duration.Input
  readonly late: Effect.Effect<never, E>
}

/**
 * A semaphore whose permits go round among owners: however many turns one of them waits for, another's first comes after
 * at most one of each. `fits`: whether one more may run beside those that do.
 */
export class FairSemaphore<Asked extends { readonly owner: string }> {
  readonly #fits: (asked: Asked, running: ReadonlyArray<Asked>) => boolean
  readonly #running = new Set<Turn<Asked>>()
  /** In the order in which owners have their next turn. */
  readonly #waiting = new Map<string, Array<Turn<Asked>>>()

  constructor(fits: (asked: Asked, running: ReadonlyArray<Asked>) => boolean) {
    this.#fits = fits
  }

  /** Runs `effect` when it has its turn; `patience`: fails if that takes too long. */
  withTurn<A, E, R, L = never>(
    asked: Asked,
    effect: Effect.Effect<A, E, R>,
    patience?: Patience<L>
  ): Effect.Effect<A, E | L, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(this.#take(asked, patience)), (turn) =>
        Effect.ensuring(
          restore(effect),
          Effect.sync(() => this.#release(turn))
        )
      )
    )
  }

  #take<L>(asked: Asked, patience: Patience<L> | undefined): Effect.Effect<Turn<Asked>, L> {
    return Effect.suspend(() => {
      const turn: Turn<Asked> = { asked, begun: Deferred.makeUnsafe(), granted: false }
      const queue = this.#waiting.get(asked.owner)
      if (queue === undefined) this.#waiting.set(asked.owner, [turn])
      else queue.push(turn)
      this.#advance()
      if (turn.granted) return Effect.succeed(turn)

      const begun = Deferred.await(turn.begun)
      const waited =
        patience === undefined
          ? begun
          : Effect.raceFirst(
              begun,
              Effect.delay(
                Effect.suspend(() => (turn.granted ? begun : patience.late)),
                patience.for
              )
            )
      return Effect.onExit(Effect.as(waited, turn), (exit) =>
        exit._tag === "Success"
          ? Effect.void
          : Effect.sync(() => (turn.granted ? this.#release(turn) : this.#leave(turn)))
      )
    })
  }

  /** Gives out all the turns that there are to be had. */
  #advance(): void {
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#leave(next)
      const others = this.#waiting.get(next.asked.owner)
      if (others !== undefined) {
        // Whoever had a turn comes after everybody else.
        this.#waiting.delete(next.asked.owner)
        this.#waiting.set(next.asked.owner, others)
      }
      next.granted = true
      this.#running.add(next)
      Deferred.doneUnsafe(next.begun, Effect.void)
    }
  }

  #next(): Turn<Asked> | undefined {
    const running = Array.from(this.#running, ({ asked }) => asked)
    for (const queue of this.#waiting.values()) {
      const next = queue.find(({ asked }) => this.#fits(asked, running))
      if (next !== undefined) return next
    }
    return undefined
  }

  #leave(turn: Turn<Asked>): void {
    const { owner } = turn.asked
    const rest = this.#waiting.get(owner)?.filter((other) => other !== turn) ?? []
    if (rest.length === 0) this.#waiting.delete(owner)
    else this.#waiting.set(owner, rest)
  }

  #release(turn: Turn<Asked>): void {
    this.#running.delete(turn)
    this.#advance()
  }
}
