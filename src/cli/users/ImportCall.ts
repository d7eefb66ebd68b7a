import { Effect, Option, Predicate, Schema } from "effect"
import { ImportSummary, NDJSON, RefusedRow } from "#api/imports/V2"
import { failureOf } from "#client/Answers"
import { ConnectionFailed, isFailure } from "#client/Errors"
import { RELEASE } from "#server/Command"
import { CommandFailed } from "../CommandFailed.ts"
import { Fetch, type Remote } from "../Remote.ts"
import type { Batch, Cut, RejectedRow as Refused, RowName } from "./Batches.ts"
import { CallFailed } from "./CallFailed.ts"
import { rejectionMessages } from "./RejectionMessages.ts"

/** The query parameters of an import's calls. */
export interface ImportQuery {
  readonly realm: string | undefined
  readonly dryRun: boolean
  readonly events: boolean
}

/** The service's response to a batch. */
export interface ImportResponse {
  readonly refused: ReadonlyArray<Refused>
  readonly summary: typeof ImportSummary.Type
  /** The response's Date header. */
  readonly date: string | null
}

/** Error codes after which an import can continue later. */
const transient: ReadonlySet<string> = new Set([
  "stopping",
  "sender_gone",
  "sender_stalled",
  "import_conflict",
  "unavailable",
  "overloaded",
  "encryption_key_missing"
])

const decodeRefused = Schema.decodeUnknownOption(RefusedRow)
const decodeSummary = Schema.decodeUnknownOption(ImportSummary)

const ROUTE = "POST /v2/imports"

const unreadable = (url: string) =>
  new CallFailed({
    why: new CommandFailed({
      happened: `The service at ${url} sent a response that this release (${RELEASE}) can't read. It is probably newer.`,
      todo: "Install the service's release of sallyport and sallyport-service, and run the same command again."
    }),
    kind: "final"
  })

/** The response was cut off. */
const cutOff = () =>
  new ConnectionFailed({
    route: ROUTE,
    message: "The response was cut off.",
    cause: Object.assign(new Error("The response was cut off."), { code: "ECONNRESET" })
  })

/** Statuses of a busy service, or of a proxy in front of it. */
const busy: ReadonlySet<number | undefined> = new Set([409, 429, 502, 503, 504])

/** Classifies the failure of a call. */
const failedCall = ({ explain }: Pick<Remote, "explain">, error: unknown): Effect.Effect<never, CallFailed> =>
  Effect.flatMap(explain(error), (why) => {
    const failure = isFailure(error) ? error : undefined
    const isCut = failure?._tag === "ConnectionFailed"
    const kind = isCut ? "connection" : busy.has(failure?.status) ? "busy" : "final"
    return Effect.fail(new CallFailed({ why, kind, retryAfter: failure?.retryAfter }))
  })

const pathOf = ({ realm, dryRun, events }: ImportQuery): string => {
  const query = new URLSearchParams({
    ...(realm === undefined ? {} : { realm_id: realm }),
    ...(dryRun ? { dry_run: "true" } : {}),
    ...(events ? { events: "true" } : {})
  })
  return `/v2/imports${query.size === 0 ? "" : `?${query}`}`
}

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Parses the response to a batch. */
const readAnswer = Effect.fnUntraced(function* (remote: Pick<Remote, "url" | "explain">, text: string, batch: Batch) {
  const lines = text.split("\n").filter((line) => line !== "")
  const last = jsonOf(lines.pop() ?? "")
  if (!Predicate.hasProperty(last, "object") || last.object === "refused_row")
    return yield* failedCall(remote, cutOff())
  const summary = Option.getOrUndefined(decodeSummary(last))
  if (summary === undefined) return yield* unreadable(remote.url)
  const found: Array<readonly [sent: RowName, row: typeof RefusedRow.Type]> = []
  for (const line of lines) {
    const row = Option.getOrUndefined(decodeRefused(jsonOf(line)))
    const sent = row === undefined ? undefined : batch.nameOf(row.line)
    if (row === undefined || sent === undefined) return yield* unreadable(remote.url)
    found.push([sent, row])
  }
  if (summary.complete) {
    batch.values.completeCall(new Set(found.map(([{ line }]) => line)))
    const refused = found.map(([sent, row]): Refused => ({ ...sent, errors: rejectionMessages(row, sent.line, batch) }))
    return { refused, summary }
  }
  return yield* new CallFailed({
    why: new CommandFailed({ happened: `The service ended the import: ${summary.errors.join(" ")}` }),
    kind: summary.error_details.some(({ code }) => transient.has(code)) ? "busy" : "final"
  })
})

/** A call that imports the rows of a batch. */
export interface ImportCall {
  readonly answer: Effect.Effect<ImportResponse, CallFailed>
  /** The position up to which the batch has been sent, or undefined if nothing has been sent. */
  readonly sent: () => Cut | undefined
  /** Stops sending. The service then responds for the rows that it received. */
  readonly stop: () => void
}

/** Provides the parts of a body on demand, until sending is stopped. */
class Sending {
  #next = 0
  #isStopped = false

  get parts(): number {
    return this.#next
  }

  stop(): void {
    this.#isStopped = true
  }

  stream(parts: ReadonlyArray<Buffer>, onSent: (bytes: number) => void): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const part = this.#isStopped ? undefined : parts[this.#next]
          if (part === undefined) return controller.close()
          this.#next += 1
          onSent(part.length)
          return controller.enqueue(part)
        }
      },
      { highWaterMark: 0 }
    )
  }
}

/**
 * Starts a call that imports the rows of a batch. Closing the scope aborts the call. `onSent` is called before each
 * part is sent.
 */
export const openCall = Effect.fnUntraced(function* (
  remote: Pick<Remote, "url" | "key" | "explain">,
  query: ImportQuery,
  batch: Batch,
  onSent: (bytes: number) => void
) {
  const { url, key } = remote
  const send = yield* Fetch
  const sending = new Sending()
  const ended = new AbortController()
  yield* Effect.addFinalizer(() => Effect.sync(() => ended.abort()))
  // Doesn't use the SDK, which takes rows as objects. These rows are already serialized, and may be resent unchanged.
  const request = async () => {
    const response = await send(`${url}${pathOf(query)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": NDJSON },
      body: sending.stream(batch.body, onSent),
      duplex: "half",
      redirect: "manual",
      signal: ended.signal
    })
    return { response, text: await response.text() }
  }
  const requested = request()
  // Avoids an unhandled rejection if nobody is waiting when the call is aborted.
  requested.catch(() => undefined)
  let isRefused = false
  const answer = Effect.gen(function* () {
    const { response, text } = yield* Effect.tryPromise({
      try: () => requested,
      catch: (cause) => new ConnectionFailed({ route: ROUTE, message: "The connection failed.", cause })
    }).pipe(Effect.catch((error) => failedCall(remote, error)))
    isRefused = response.status >= 400 && response.status < 500
    if (response.status !== 200) return yield* failedCall(remote, failureOf(ROUTE, response, text))
    const read = yield* readAnswer(remote, text, batch)
    return { ...read, date: response.headers.get("date") } satisfies ImportResponse
  })
  return {
    answer,
    sent: () => (isRefused ? undefined : batch.cuts[sending.parts - 1]),
    stop: () => sending.stop()
  } satisfies ImportCall
})
