import { Effect } from "effect"
import { HttpClient } from "effect/http"

/**
 * A client for the OpenTelemetry collector that tells of one which is away in two lines of the log: when it takes nothing any
 * more, and when it does again. The framework drops meanwhile what it can't send, and says so at level DEBUG only.
 */
export const reportingOutages = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
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
        status >= 200 && status < 300 ? reportTaken : reportLost(`It answers with status ${status}.`)
      ),
      Effect.tapError(({ message }) => reportLost(message))
    )
  )
}
