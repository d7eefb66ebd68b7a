import { Context, type DateTime, type Effect } from "effect"
import type { EventWithToken } from "#domain/Event"
import type { AlreadyAdvancing, ClockBackwards } from "#domain/TestClock"

/** The clock of a service in test mode. Callers can advance it. */
export class TestClock extends Context.Service<
  TestClock,
  {
    readonly now: Effect.Effect<DateTime.Utc>
    /** Advances the clock to a time and runs all work that becomes due, in order of time. Returns the events of all realms. */
    advanceTo(at: DateTime.Utc): Effect.Effect<ReadonlyArray<EventWithToken>, ClockBackwards | AlreadyAdvancing>
    /**
     * Advances the clock by a number of seconds. Callers cannot compute the exact target time themselves, because the clock
     * keeps running.
     */
    advanceBy(seconds: number): Effect.Effect<ReadonlyArray<EventWithToken>, AlreadyAdvancing>
  }
>()("sallyport/platform/TestClock") {}
