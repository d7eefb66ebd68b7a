import { Data } from "effect"

/** The clock was asked to go back. */
export class ClockBackwards extends Data.TaggedError("ClockBackwards") {}

/** The clock is being advanced: what falls due is worked off first. */
export class AlreadyAdvancing extends Data.TaggedError("AlreadyAdvancing") {}
