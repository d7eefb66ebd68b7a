import { Clock, Data, Effect, Option, Predicate, Schema } from "effect"
import { ImportSummary, RefusedRow } from "#api/imports/V2"
import { RELEASE } from "#server/Command"
import { CommandFailed } from "../CommandFailed.ts"
import { Fetch, type Remote } from "../Remote.ts"
import { refusedBy, unreachable } from "../RemoteFailure.ts"
import type { Batch, RefusedRow as Refused } from "./Batches.ts"

/** The query of the calls of an import. */
export interface ImportQuery {
  readonly realm: string | undefined
  readonly dryRun: boolean
  readonly events: boolean
}

/** What the service did with the rows of a batch. */
export interface ImportAnswer {
  readonly refused: ReadonlyArray<Refused>
  readonly summary: typeof ImportSummary.Type
  /** How far this machine's clock is ahead of the service's, in seconds. */
  readonly ahead: number
}

/**
 * A call that came to nothing, or to less than it should. `kind`: whether the connection failed, or the service has no time for it
 * now, or trying again would be of no use. `retryAfter`: when the service wants to be asked again, in seconds.
 */
export class CallFailed extends Data.TaggedError("CallFailed")<{
  readonly kind: "connection" | "busy" | "final"
  readonly why: CommandFailed
  readonly retryAfter?: number | undefined
}> {}

/** Why the service ends an import that can go on later. */
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

const unreadable = (url: string) =>
  new CallFailed({
    why: new CommandFailed({
      happened: `The service at ${url} answers in a way that this release (${RELEASE}) can't read. It is probably of a newer one.`,
      todo: "Install the release of the service, as in npm install sallyport@latest, and run the same command again."
    }),
    kind: "final"
  })

const lost = (url: string) =>
  new CallFailed({
    why: new CommandFailed({
      happened: `The connection to the service at ${url} was lost.`,
      todo: "Look at the log of the service."
    }),
    kind: "connection"
  })

const pathOf = ({ realm, dryRun, events }: ImportQuery): string => {
  const query = new URLSearchParams({
    ...(realm === undefined ? {} : { realm_id: realm }),
    ...(dryRun ? { dry_run: "true" } : {}),
    ...(events ? { events: "true" } : {})
  })
  return `/v2/imports${query.size === 0 ? "" : `?${query}`}`
}

/** The parts of a body as they are asked for. */
const streamOf = (parts: ReadonlyArray<Buffer>, onSent: (bytes: number) => void): ReadableStream<Uint8Array> => {
  let next = 0
  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const part = parts[next]
        if (part === undefined) return controller.close()
        next += 1
        onSent(part.length)
        return controller.enqueue(part)
      }
    },
    { highWaterMark: 0 }
  )
}

const jsonOf = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

const textsIn = (body: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(body, "errors") && Array.isArray(body.errors)
    ? body.errors.filter((error) => typeof error === "string")
    : []

/** What an answer of another status than 200 means. */
const refusal = (url: string, response: Response, text: string): CallFailed => {
  const { status, headers } = response
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  const body = jsonOf(text)
  return new CallFailed({
    why: refusedBy(url, {
      status,
      errors: textsIn(body),
      requestId: headers.get("x-request-id") ?? undefined,
      retryAfter
    }),
    retryAfter,
    kind: [409, 429, 502, 503, 504].includes(status) ? "busy" : "final"
  })
}

/** Reads the answer to a batch. */
const answerOf = (url: string, text: string, batch: Batch): Effect.Effect<Omit<ImportAnswer, "ahead">, CallFailed> => {
  const lines = text.split("\n").filter((line) => line !== "")
  const last = jsonOf(lines.pop() ?? "")
  if (!Predicate.hasProperty(last, "object") || last.object === "refused_row") return Effect.fail(lost(url))
  const summary = Option.getOrUndefined(decodeSummary(last))
  if (summary === undefined) return Effect.fail(unreadable(url))
  const refused: Array<Refused> = []
  for (const line of lines) {
    const row = Option.getOrUndefined(decodeRefused(jsonOf(line)))
    const sent = row === undefined ? undefined : batch.nameOf(row.line)
    if (row === undefined || sent === undefined) return Effect.fail(unreadable(url))
    refused.push({ ...sent, errors: row.errors })
  }
  if (summary.complete) return Effect.succeed({ refused, summary })
  return Effect.fail(
    new CallFailed({
      why: new CommandFailed({ happened: `The service ended the import: ${summary.errors.join(" ")}` }),
      kind: summary.error_details.some(({ code }) => transient.has(code)) ? "busy" : "final"
    })
  )
}

/** Imports the rows of a batch with one call. `onSent` hears of each part that is sent. */
export const importBatch = Effect.fnUntraced(function* (
  { url, key }: Pick<Remote, "url" | "key">,
  query: ImportQuery,
  batch: Batch,
  onSent: (bytes: number) => void
) {
  const fetch = yield* Fetch
  const now = yield* Clock.currentTimeMillis
  const response = yield* Effect.tryPromise({
    try: (signal) =>
      fetch(`${url}${pathOf(query)}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
        body: streamOf(batch.body, onSent),
        duplex: "half",
        signal
      }),
    catch: (cause) => new CallFailed({ why: unreachable(url, cause), kind: "connection" })
  })
  const text = yield* Effect.tryPromise({
    try: () => response.text(),
    catch: () => lost(url)
  })
  if (response.status !== 200) return yield* refusal(url, response, text)
  const sentAt = Date.parse(response.headers.get("date") ?? "")
  const ahead = Number.isNaN(sentAt) ? 0 : Math.round((now - sentAt) / 1000)
  return { ...(yield* answerOf(url, text, batch)), ahead }
})
