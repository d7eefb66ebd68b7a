import { Data } from "effect"

/** The clock was asked to go back. */
export class ClockBackwards extends Data.TaggedError("ClockBackwards") {}

/** The clock is already being advanced: due work is still running. */
export class AlreadyAdvancing extends Data.TaggedError("AlreadyAdvancing") {}
