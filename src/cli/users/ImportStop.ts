import { Clock, Context, type Duration, Effect, Option } from "effect"
import type { Cut } from "./Batches.ts"
import type { CallPace } from "./CallPace.ts"
import type { ImportAnswer, ImportCall } from "./ImportCall.ts"
import { remark } from "./ProgressReport.ts"
import { duration } from "./Sentences.ts"

/** How long an import that is stopped waits for the answer to its last call. */
export const StopWait = Context.Reference<Duration.Input>("sallyport/cli/StopWait", {
  defaultValue: () => "1 minute"
})

/** npx passes Ctrl-C on to a command that the terminal has told already: what comes so soon is the same Ctrl-C. */
const SAME_MILLIS = 500

/** Completes when a command that is being stopped is told to stop again. */
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

/** What the service did with the part of a batch that it had when the import was stopped. */
export interface StoppedAnswer {
  readonly answer: ImportAnswer
  readonly cut: Cut
}

/** Ends a call early, and waits for the answer to what was sent; undefined if it does not come in time. */
export const stopCall = Effect.fnUntraced(function* (call: ImportCall, pace: CallPace) {
  call.stop()
  const has = call.sent()
  if (has === undefined) return undefined
  const seconds = pace.secondsFor(has.rows, yield* Clock.currentTimeMillis)
  const about = seconds < 1 ? "" : `, which takes about ${duration(seconds)}`
  yield* remark(`Stopping: the service works off the rows that it has${about}. Press Ctrl-C again to leave at once.`)
  const leave = Effect.raceFirst(Effect.sleep(yield* StopWait), yield* StopAgain)
  const answered = yield* Effect.raceFirst(
    Effect.interruptible(Effect.option(call.answer)),
    Effect.interruptible(Effect.as(leave, Option.none<ImportAnswer>()))
  )
  const [answer, cut] = [Option.getOrUndefined(answered), call.sent()]
  if (answer === undefined || cut === undefined || answer.summary.rows !== cut.rows) return undefined
  return { answer, cut } satisfies StoppedAnswer
})
