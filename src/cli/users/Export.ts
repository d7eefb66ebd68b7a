import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { Clock, Effect } from "effect"
import { failureOf } from "#client/Answers"
import { ConnectionFailed, isFailure } from "#client/Errors"
import type { BodyReader } from "#client/Fetch"
import { RELEASE } from "#server/Command"
import { CommandFailed, WrongUsage } from "../CommandFailed.ts"
import { Fetch, type Remote } from "../Remote.ts"
import { WorkDone } from "../WorkDone.ts"
import { Disk, diskReason, writing } from "./Disk.ts"
import { type ExportFormat, ExportLines } from "./ExportLines.ts"
import { count } from "./Messages.ts"
import { showProgress } from "./ProgressReport.ts"
import { StandardStreams } from "./StandardStreams.ts"

/** The parameters of an export. */
export interface ExportJob {
  readonly realm: string | undefined
  /** The output file, or undefined for stdout. */
  readonly file: string | undefined
  readonly format: ExportFormat
  readonly gzip: boolean
}

/** The result of an export. */
export interface Exported {
  readonly users: number
  /** Whether the export contains passwords. */
  readonly secrets: boolean
  readonly seconds: number
}

const again = "Run the command again. An export always starts from the beginning."

const connectionLost = (url: string, users: number) =>
  new CommandFailed({
    happened: `The connection to the service at ${url} was lost after ${count(users, "user")}.`,
    todo: again
  })

/** Yields the bytes of a response. Throws `failure` if the connection breaks. */
async function* received(reader: BodyReader, failure: () => CommandFailed): AsyncGenerator<Uint8Array> {
  let isRead = false
  try {
    while (true) {
      const { done, value } = await reader.read().catch(() => Promise.reject(failure()))
      isRead = done
      if (done) return
      if (value !== undefined) yield value
    }
  } finally {
    if (!isRead) await reader.cancel().catch(() => undefined)
  }
}

const ROUTE = "GET /v2/exports"

/** Requests an export and returns the response's body. */
const requested = Effect.fnUntraced(function* (realm: string | undefined, { url, key, explain }: Remote) {
  const send = yield* Fetch
  const query = realm === undefined ? "" : `?${new URLSearchParams({ realm_id: realm })}`
  const fetched = Effect.tryPromise({
    try: async (signal) => {
      const headers = { authorization: `Bearer ${key}` }
      const response = await send(`${url}/v2/exports${query}`, { method: "GET", headers, redirect: "manual", signal })
      if (response.status === 200 && response.body !== null) return response.body.getReader()
      throw failureOf(ROUTE, response, await response.text())
    },
    catch: (error) =>
      isFailure(error) ? error : new ConnectionFailed({ route: ROUTE, message: "The connection failed.", cause: error })
  })
  return yield* Effect.catch(fetched, (failure) => Effect.flatMap(explain(failure), Effect.fail))
})

/** The target of an export: `keep` completes it, `drop` discards it. */
interface Sink {
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly keep: Effect.Effect<void, CommandFailed>
}

/** A file that gets its final name only when complete. */
const fileSink = Effect.fnUntraced(function* (path: string) {
  const disk = yield* Disk
  const part = `${path}.part`
  const todo = `Free up disk space or choose another file, then run the command again.`
  const file = yield* writing(part, todo, () => disk.open(part, "w"))
  let isKept = false
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      if (isKept) return
      await file.close().catch(() => undefined)
      await disk.remove(part).catch(() => undefined)
    })
  )
  return {
    write: async (bytes) => {
      try {
        await file.appendFile(bytes)
      } catch (error) {
        throw new CommandFailed({ happened: `Can't write ${part}. ${diskReason(error)}.`, todo })
      }
    },
    keep: writing(path, todo, async () => {
      await file.sync()
      await file.close()
      await disk.rename(part, path)
      isKept = true
    })
  } satisfies Sink
})

const outputSink = Effect.map(StandardStreams, ({ output }): Sink => {
  const written = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      output.write(bytes, (error) => (error === undefined || error === null ? resolve() : reject(error)))
    })
  return {
    write: (bytes) =>
      written(bytes).catch((error) => {
        throw new CommandFailed({
          happened: `Can't write to stdout. ${diskReason(error)}.`,
          todo: again
        })
      }),
    keep: Effect.void
  }
})

/** Exports the users of a realm. */
export const exportUsers = Effect.fn("cli.exportUsers")(function* (
  { realm, file, format, gzip }: ExportJob,
  remote: Remote
) {
  const { url } = remote
  const { note } = yield* WorkDone
  const began = yield* Clock.currentTimeMillis
  const lines = new ExportLines(format)
  yield* note(() =>
    file === undefined
      ? `${count(lines.users, "user")} written, but the export is incomplete: the last line is missing.`
      : `No file was written.`
  )
  const body = yield* requested(realm, remote)
  const sink = file === undefined ? yield* outputSink : yield* fileSink(file)
  yield* showProgress("Exporting", () => ({
    done: lines.users,
    total: lines.users,
    refused: 0,
    share: undefined,
    shareBefore: 0
  }))
  const source = lines.written(received(body, () => connectionLost(url, lines.users)))
  const write = async (bytes: AsyncIterable<Uint8Array>) => {
    for await (const some of bytes) await sink.write(some)
  }
  yield* Effect.catch(
    Effect.tryPromise({
      try: (signal) => (gzip ? pipeline(source, createGzip(), write, { signal }) : pipeline(source, write, { signal })),
      catch: (error) => error
    }),
    (error) => (error instanceof CommandFailed || error instanceof WrongUsage ? Effect.fail(error) : Effect.die(error))
  )
  if (lines.secrets === undefined) {
    return yield* new CommandFailed({
      happened: `The service at ${url} uses an export format that this release (${RELEASE}) can't read. It is probably newer.`,
      todo: "Install the service's release of sallyport and sallyport-service, and run the command again."
    })
  }
  if (!lines.isWhole) return yield* connectionLost(url, lines.users)
  yield* sink.keep
  const seconds = ((yield* Clock.currentTimeMillis) - began) / 1000
  return { users: lines.users, secrets: lines.secrets, seconds } satisfies Exported
}, Effect.scoped)
