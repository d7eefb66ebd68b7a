import { Clock, Context, type Duration, Effect, Option } from "effect"
import type { Cut } from "./Batches.ts"
import type { CallPace } from "./CallPace.ts"
import type { ImportCall, ImportResponse } from "./ImportCall.ts"
import { duration } from "./Messages.ts"
import { remark } from "./ProgressReport.ts"

/** How long a stopped import waits for the response to its last call. */
export const StopWait = Context.Reference<Duration.Input>("sallyport/cli/StopWait", {
  defaultValue: () => "1 minute"
})

/** npx repeats the Ctrl-C that the terminal has already sent. A second signal within this time counts as the same one. */
const SAME_MILLIS = 500

/** Completes when a command that is already stopping is interrupted again. */
export const StopAgain = Context.Reference<Effect.Effect<void>>("sallyport/cli/StopAgain", {
  defaultValue: () =>
    Effect.callback<void>((resume) => {
      const from = performance.now() + SAME_MILLIS
      const stop = () => {
        if (performance.now() >= from) resume(Effect.void)
      }
      process.on("SIGINT", stop).on("SIGTERM", stop)
      return Effect.sync(() => process.off("SIGINT", stop).off("SIGTERM", stop))
    })
})

/** The service's response to a partly sent batch. */
export interface StoppedResponse {
  readonly answer: ImportResponse
  readonly cut: Cut
}

/** Ends a call early and waits for its response. Returns undefined if the response doesn't arrive in time. */
export const stopCall = Effect.fnUntraced(function* (call: ImportCall, pace: CallPace) {
  call.stop()
  const has = call.sent()
  if (has === undefined) return undefined
  const seconds = pace.secondsFor(has.rows, yield* Clock.currentTimeMillis)
  const about = seconds < 1 ? "" : `, which takes about ${duration(seconds)}`
  yield* remark(
    `Stopping after the service has processed the rows it received${about}. Press Ctrl-C again to quit immediately.`
  )
  const leave = Effect.raceFirst(Effect.sleep(yield* StopWait), yield* StopAgain)
  const answered = yield* Effect.raceFirst(
    Effect.interruptible(Effect.option(call.answer)),
    Effect.interruptible(Effect.as(leave, Option.none<ImportResponse>()))
  )
  const [answer, cut] = [Option.getOrUndefined(answered), call.sent()]
  if (answer === undefined || cut === undefined || answer.summary.rows !== cut.rows) return undefined
  return { answer, cut } satisfies StoppedResponse
})
