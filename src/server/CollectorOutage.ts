import { Effect } from "effect"
import { HttpClient } from "effect/http"

/**
 * Wraps a client for the OpenTelemetry collector to log outages: one line when the collector stops accepting telemetry,
 * and one when it accepts it again. Effect drops telemetry that it can't send, and logs that at level DEBUG only.
 */
export const logOutages = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  let isLost = false

  const reportTaken = Effect.suspend(() => {
    if (!isLost) return Effect.void
    isLost = false
    return Effect.logInfo("Telemetry reaches the collector again.")
  })

  const reportLost = (cause: string) =>
    Effect.suspend(() => {
      if (isLost) return Effect.void
      isLost = true
      return Effect.logError("Telemetry doesn't reach the collector and is lost.").pipe(Effect.annotateLogs({ cause }))
    })

  return HttpClient.transform(client, (answering) =>
    answering.pipe(
      Effect.tap(({ status }) =>
        status >= 200 && status < 300 ? reportTaken : reportLost(`It responds with status ${status}.`)
      ),
      Effect.tapError(({ message }) => reportLost(message))
    )
  )
}
