import { Data } from "effect"

/** There is more to do than can be done in time: nothing was done of this, and it may be asked for again later. */
export class Overloaded extends Data.TaggedError("Overloaded")<{ readonly retryAfterSeconds: number }> {}
