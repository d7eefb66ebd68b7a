import { IncomingMessage } from "node:http"
import { Context, Effect, Layer, type Scope, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { WireError } from "#api/Errors"
import { NDJSON } from "#api/imports/V2"
import type { RealmId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import { wireErrors } from "./Errors.ts"

/** The maximum number of concurrent streamed calls across all workers. */
const MAX_CALLS = 16

/** The maximum number of queued calls. They wait only briefly. */
const QUEUE_LIMIT = 16

/** A connection without traffic for this long is closed, because the caller is no longer reading. */
const IDLE_MILLIS = 60_000

/**
 * Admits streamed calls, which take long: one at a time per realm and node, shared fairly between realms. A second call waits
 * briefly, because its caller may have just disconnected from the first and be sending the same rows again.
 */
export class StreamedCalls extends Context.Service<
  StreamedCalls,
  {
    /** Waits for a free slot and occupies it until the response has been sent. */
    readonly enter: Effect.Effect<void, WireError, CurrentRealm | HttpServerRequest.HttpServerRequest | Scope.Scope>
  }
>()("sallyport/http/StreamedCalls") {
  static readonly layer = Layer.effect(
    StreamedCalls,
    Effect.gen(function* () {
      const admission = makeAdmission({
        name: "streamed",
        concurrency: shareOf(MAX_CALLS, yield* WorkerCount),
        concurrencyPerKey: 1,
        queueLimit: QUEUE_LIMIT
      })
      const running = new Set<RealmId>()
      const mark = (id: RealmId) =>
        Effect.acquireRelease(
          Effect.sync(() => running.add(id)),
          () => Effect.sync(() => running.delete(id))
        )
      return StreamedCalls.of({
        enter: Effect.gen(function* () {
          const { id } = yield* CurrentRealm
          const { source } = yield* HttpServerRequest.HttpServerRequest
          if (source instanceof IncomingMessage) source.socket.setTimeout(IDLE_MILLIS)
          yield* Effect.mapError(admission.hold(id), (overloaded) =>
            running.has(id) ? wireErrors.ImportRunning() : wireErrors.Overloaded(overloaded)
          )
          yield* mark(id)
        })
      })
    })
  )
}

const utf8 = new TextEncoder()

/** A response with one JSON text per line. */
export const ndjsonResponse = <E>(lines: Stream.Stream<object, E>) =>
  HttpServerResponse.stream(
    Stream.mapArray(lines, (some) => [utf8.encode(some.map((line) => `${JSON.stringify(line)}\n`).join(""))] as const),
    { contentType: NDJSON }
  )
