import { Data } from "effect"

/** The service has too much to do. Nothing was done; the request may be repeated. */
export class Overloaded extends Data.TaggedError("Overloaded")<{ readonly retryAfterSeconds: number }> {}
