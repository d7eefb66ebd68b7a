import { Data } from "effect"
import type { CommandFailed } from "../CommandFailed.ts"

/**
 * A call that came to nothing, or to less than it should. `kind`: whether the connection failed, or the service has no time for it
 * now, or trying again would be of no use. `retryAfter`: when the service wants to be asked again, in seconds.
 */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly kind: "connection" | "busy" | "final"
  readonly why: CommandFailed
  readonly retryAfter?: number | undefined
}> {}
