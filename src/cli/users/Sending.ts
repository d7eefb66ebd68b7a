import { Context, Duration, Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import type { CallFailed } from "./CallFailed.ts"
import { duration } from "./Messages.ts"
import { remark } from "./ProgressReport.ts"

/** The delays before a call is resent: a minute in total. */
export const Waits = Context.Reference<ReadonlyArray<Duration.Input>>("sallyport/cli/Waits", {
  defaultValue: () => ["1 second", "2 seconds", "4 seconds", "8 seconds", "15 seconds", "30 seconds"]
})

/** The final failure after all retries. Completed calls remain valid, and the next run resumes after them. */
const finalFailure = ({ why }: CallFailed, isReached: boolean): CommandFailed => {
  if (!isReached) return why
  const again = "Then run the same command again to resume."
  return new CommandFailed({ happened: why.happened, todo: why.todo === undefined ? again : `${why.todo} ${again}` })
}

/**
 * Resends a call while the service is unavailable or busy, and reports each retry. `isBegun`: whether an earlier call
 * succeeded. If the service has never responded, its URL is probably wrong.
 */
export const withRetries = Effect.fnUntraced(function* <A, R>(send: Effect.Effect<A, CallFailed, R>, isBegun: boolean) {
  const waits = yield* Waits
  let isReached = isBegun
  for (let tries = 0; ; tries++) {
    const sent = yield* Effect.result(send)
    if (sent._tag === "Success") return sent.success
    const failed = sent.failure
    const wait = waits[tries]
    isReached ||= failed.kind === "busy"
    const isFinal = failed.kind === "final" || (failed.kind === "connection" && !isReached)
    if (isFinal || wait === undefined) return yield* finalFailure(failed, isReached)
    const pause = failed.retryAfter === undefined ? Duration.fromInputUnsafe(wait) : Duration.seconds(failed.retryAfter)
    yield* remark(`${failed.why.happened} Retrying in ${duration(Duration.toSeconds(pause))}.`)
    yield* Effect.sleep(pause)
  }
})
