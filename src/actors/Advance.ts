import { DateTime, Effect } from "effect"
import type { Actors } from "./Actors.ts"

/**
 * Turns a clock to a time by way of every instant at which something falls due: each thing is done when it is due, in
 * order, and all of it when this returns. How many things that were.
 */
export const advance = Effect.fnUntraced(function* (
  actors: Actors["Service"],
  setTo: (at: DateTime.Utc) => void,
  at: DateTime.Utc
) {
  let done = yield* actors.settle
  for (;;) {
    const due = yield* actors.nextDue
    if (due === undefined || DateTime.isGreaterThan(due, at)) break
    setTo(DateTime.max(due, yield* DateTime.now))
    const some = yield* actors.settle
    // Another node is at it, or it can't be done: time goes on.
    if (some === 0) break
    done += some
  }
  setTo(at)
  return done + (yield* actors.settle)
})
