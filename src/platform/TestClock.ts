import { Context, type DateTime, type Effect } from "effect"
import type { EventWithToken } from "#domain/Event"
import type { AlreadyAdvancing, ClockBackwards } from "#domain/TestClock"

/** The clock of a service in test mode, which callers advance. */
export class TestClock extends Context.Service<
  TestClock,
  {
    readonly now: Effect.Effect<DateTime.Utc>
    /** Advances the clock to a time, and runs all work that becomes due, in order of time. Returns the events of every realm. */
    advanceTo(at: DateTime.Utc): Effect.Effect<ReadonlyArray<EventWithToken>, ClockBackwards | AlreadyAdvancing>
    /**
     * The same, by a number of seconds from the current time. The clock keeps running, so a caller cannot compute the exact
     * target time.
     */
    advanceBy(seconds: number): Effect.Effect<ReadonlyArray<EventWithToken>, AlreadyAdvancing>
  }
>()("sallyport/platform/TestClock") {}
