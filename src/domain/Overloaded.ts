import { Data } from "effect"

/**
 * The service is overloaded. Nothing was done, so the request may be repeated. `reason` names the resource that the request
 * waited for, for the log.
 */
export class Overloaded extends Data.TaggedError("Overloaded")<{
  readonly retryAfterSeconds: number
  readonly reason: string
}> {}
