import { Data } from "effect"

/**
 * The service is overloaded. Nothing was done, and the request may be repeated. `reason`: what the request waited for, for the
 * log.
 */
export class Overloaded extends Data.TaggedError("Overloaded")<{
  readonly retryAfterSeconds: number
  readonly reason: string
}> {}
