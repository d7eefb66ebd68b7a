import { DateTime, Effect } from "effect"
import type { Actors } from "./Actors.ts"

/**
 * Advances a clock to a time. It stops whenever an item becomes due on the way, so that items are processed in order, each
 * at its own time. Returns the number of items.
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
    // The item was claimed by another node or can't be processed now.
    if (some === 0) break
  }
  setTo(at)
  return done + (yield* actors.settle)
})
