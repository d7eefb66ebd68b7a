import { contentOf, failureOf } from "./Answers.ts"
import { Deadline } from "./Deadline.ts"
import { ConnectionFailed } from "./Errors.ts"
import type { FetchResponse } from "./Fetch.ts"
import type { CallOptions } from "./Form.ts"
import { linesOf, RowsBody } from "./Ndjson.ts"
import { type Settings, timeoutAndRetries } from "./Options.ts"
import { authorization, type Prepared } from "./Requests.ts"

const NDJSON = "application/x-ndjson"

/** Rows from any source: a list is sent as one text, as browsers require; a generator or a stream is sent as it produces rows. */
export type RowSource<A extends object> = AsyncIterable<A> | Iterable<A>

const isList = (rows: RowSource<object>): rows is ReadonlyArray<object> => Array.isArray(rows)

const textOf = (rows: ReadonlyArray<object>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

/** Passes rows on and restarts the time limit with each. */
async function* renewing<A extends object>(rows: RowSource<A>, deadline: Deadline): AsyncGenerator<A, void, undefined> {
  for await (const row of rows) {
    deadline.renew()
    yield row
  }
}

/**
 * Yields the lines of a streamed response while sending rows, if there are any. It is requested only once, because a
 * stream can't be sent again. The timeout limits the idle time.
 */
export async function* streamed<A>(
  settings: Settings,
  request: Prepared,
  rows: RowSource<object> | undefined,
  options: CallOptions = {}
): AsyncGenerator<A, void, undefined> {
  const { route, method, url } = request
  options.signal?.throwIfAborted()
  const authorized = await authorization(settings, request)
  const deadline = new Deadline(request, timeoutAndRetries(options, settings).timeout, options.signal)
  let sourceFailed: { readonly error: unknown } | undefined
  async function* watched(source: RowSource<object>) {
    try {
      yield* renewing(source, deadline)
    } catch (error) {
      sourceFailed = { error }
      throw error
    }
  }
  const text = rows !== undefined && isList(rows) ? textOf(rows) : undefined
  const body = rows === undefined || text !== undefined ? undefined : new RowsBody(watched(rows))
  try {
    const response: FetchResponse = await settings.fetch(url, {
      method,
      redirect: "manual",
      signal: deadline.controller.signal,
      headers: {
        ...authorized,
        ...request.headers,
        accept: NDJSON,
        ...(rows === undefined ? {} : { "content-type": NDJSON })
      },
      ...(text === undefined ? {} : { body: text }),
      ...(body === undefined ? {} : { body: body.stream, duplex: "half" })
    })
    if (response.status !== 200) throw failureOf(route, response, await response.text())
    if (response.body === null) throw new ConnectionFailed({ route, message: "The response has no body." })
    for await (const line of linesOf(route, response.body.getReader())) {
      deadline.renew()
      yield contentOf<A>(route, response, line)
    }
  } catch (error) {
    // The source of the rows failed rather than the connection.
    throw sourceFailed === undefined ? deadline.explain(error) : sourceFailed.error
  } finally {
    deadline.end()
    // If reading stops early, this aborts the request, including the upload of rows.
    deadline.controller.abort()
    body?.end()
  }
}
