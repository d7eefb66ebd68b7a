import { Data } from "effect"

/** The service has too much to do. Nothing was done; the request may be repeated. `reason`: what was waited for, for the log. */
export class Overloaded extends Data.TaggedError("Overloaded")<{
  readonly retryAfterSeconds: number
  readonly reason: string
}> {}
