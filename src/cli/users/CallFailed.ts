import { Data } from "effect"
import type { CommandFailed } from "../CommandFailed.ts"

/**
 * A call that failed completely or partly. `kind`: whether the connection failed, the service is busy, or a retry is
 * pointless. `retryAfter`: the delay requested by the service, in seconds.
 */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly kind: "connection" | "busy" | "final"
  readonly why: CommandFailed
  readonly retryAfter?: number | undefined
}> {}
