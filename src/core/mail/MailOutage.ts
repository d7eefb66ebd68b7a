import { Clock, Context, Effect, Layer } from "effect"
import type { MailRefused } from "#platform/Mailer"

/** Logs an outage of the mail server when it begins and when it is over (C102). */
export class MailOutage extends Context.Service<
  MailOutage,
  {
    /** Reports an email that was rejected. */
    reportRejected(refused: MailRefused): Effect.Effect<void>
    /** Reports an email that was accepted. */
    readonly reportSent: Effect.Effect<void>
  }
>()("sallyport/core/MailOutage") {
  static readonly layer = Layer.effect(
    MailOutage,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let outageSince: bigint | undefined
      let failed = 0

      const reportSent = Effect.suspend(() => {
        if (outageSince === undefined) return Effect.void
        const seconds = Math.round(Number(clock.monotonicTimeNanosUnsafe() - outageSince) / 1e9)
        outageSince = undefined
        return Effect.logInfo("The mail server can be reached again.").pipe(
          Effect.annotateLogs({ seconds, failed_attempts: failed })
        )
      })

      const reportRejected = ({ message, isUnavailable }: MailRefused) =>
        Effect.suspend(() => {
          // A server that answers with a rejection is reachable.
          if (!isUnavailable) return reportSent
          if (outageSince !== undefined) {
            failed += 1
            return Effect.void
          }
          outageSince = clock.monotonicTimeNanosUnsafe()
          failed = 1
          return Effect.logError("The mail server can't be reached.").pipe(Effect.annotateLogs({ cause: message }))
        })

      return MailOutage.of({ reportSent, reportRejected })
    })
  )
}
