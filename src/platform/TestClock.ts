import { Context, type DateTime, type Effect } from "effect"
import type { ReadEvent } from "#domain/Event"
import type { AlreadyAdvancing, ClockBackwards } from "#domain/TestClock"

/** The clock of a service in test mode, which its callers turn. */
export class TestClock extends Context.Service<
  TestClock,
  {
    readonly now: Effect.Effect<DateTime.Utc>
    /** Turns the clock, and does in time order all that falls due on the way: the events of it, of every realm. */
    advanceTo(at: DateTime.Utc): Effect.Effect<ReadonlyArray<ReadEvent>, ClockBackwards | AlreadyAdvancing>
  }
>()("sallyport/platform/TestClock") {}
