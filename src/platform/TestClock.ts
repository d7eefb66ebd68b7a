import { Context, type DateTime, type Effect } from "effect"
import type { EventWithToken } from "#domain/Event"
import type { AlreadyAdvancing, ClockBackwards } from "#domain/TestClock"

/** The clock of a service in test mode, which callers advance. */
export class TestClock extends Context.Service<
  TestClock,
  {
    readonly now: Effect.Effect<DateTime.Utc>
    /** Advances the clock, and runs in order of time all work that becomes due. Returns the events of every realm. */
    advanceTo(at: DateTime.Utc): Effect.Effect<ReadonlyArray<EventWithToken>, ClockBackwards | AlreadyAdvancing>
  }
>()("sallyport/platform/TestClock") {}
