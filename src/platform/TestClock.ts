import { Context, type DateTime, type Effect } from "effect"
import type { EventWithToken } from "#domain/Event"
import type { AlreadyAdvancing, ClockBackwards } from "#domain/TestClock"

/** The clock of a service in test mode, which callers advance. */
export class TestClock extends Context.Service<
  TestClock,
  {
    readonly now: Effect.Effect<DateTime.Utc>
    /** Advances the clock to a time, and runs in order of time all work that becomes due. Returns the events of every realm. */
    advanceTo(at: DateTime.Utc): Effect.Effect<ReadonlyArray<EventWithToken>, ClockBackwards | AlreadyAdvancing>
    /** The same by some seconds from the time it is. The clock runs, so that time has passed before a caller can name it. */
    advanceBy(seconds: number): Effect.Effect<ReadonlyArray<EventWithToken>, AlreadyAdvancing>
  }
>()("sallyport/platform/TestClock") {}
