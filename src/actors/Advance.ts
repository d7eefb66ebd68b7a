import { DateTime, Effect } from "effect"
import type { Actors } from "./Actors.ts"

/**
 * Advances a clock to a time, and stops at every instant on the way at which an item falls due: items are done in order,
 * each at its own time. Returns how many items that was.
 */
export const advance = Effect.fnUntraced(function* (
  actors: Actors["Service"],
  setTo: (at: DateTime.Utc) => void,
  at: DateTime.Utc
) {
  let done = yield* actors.settle
  for (;;) {
    const due = yield* actors.nextDue
    if (due === undefined || DateTime.isGreaterThan(due, at)) {
      setTo(at)
      return done
    }
    setTo(DateTime.max(due, yield* DateTime.now))
    const some = yield* actors.settle
    done += some
    // Another node has claimed the item, or it cannot be done now: time goes on.
    if (some === 0) break
  }
  setTo(at)
  return done + (yield* actors.settle)
})
