import { Effect, Layer } from "effect"
import type { Agent, Dispatcher } from "undici"
import { decodeUtf8 } from "#domain/Utf8"
import {
  OUTBOUND_HEADER,
  Outbound,
  OutboundFailed,
  type OutboundPost,
  type OutboundRequest,
  type OutboundResponse,
  ResponseTooLarge
} from "#platform/Outbound"
import { targetProblem } from "#platform/OutboundPolicy"
import { connector, NotConnected, publicSockets, type SocketOptions, unrestrictedSockets } from "./OutboundSockets.ts"

export interface OutboundOptions {
  /** Whether requests may go to addresses in private networks. */
  readonly allowPrivateTargets: boolean
}

/** The time limit of a POST, in milliseconds of real time. */
const POST_TIMEOUT = 15_000

/** The time limit of a query, in milliseconds of real time. It is shorter, because a person waits for the result. */
const QUERY_TIMEOUT = 10_000

/** The maximum number of bytes read from the response to a query. */
const MAX_BODY = 256 * 1_024

/** The maximum number of bytes read from the response to a POST. */
const MAX_EXCERPT = 1_024

/** The maximum number of open connections to one origin, shared by all realms. */
const CONNECTIONS = 32

/** Decodes UTF-8 to a text of at most `MAX_EXCERPT` bytes, without NUL, which databases reject. */
const textOf = (bytes: Uint8Array): string => {
  // With `stream`, a character that is cut off at the end of the bytes is dropped.
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD")
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(MAX_EXCERPT)).read)
}

/** The reason for aborting requests. */
const ABORTED = new Error("Enough.")

const isTimeout = (error: Error): boolean => "code" in error && String(error.code).endsWith("TIMEOUT")

const failure = (error: Error): OutboundFailed => {
  if (error instanceof NotConnected) return new OutboundFailed({ reason: error.reason })
  return new OutboundFailed({ reason: isTimeout(error) ? "timed_out" : "broken_off" })
}

/** A response with the requested part of its body. */
interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

interface Limits {
  /** In milliseconds of real time. */
  readonly limit: number
  /** In bytes. Anything beyond them is not read. */
  readonly maxBytes: number
}

/** Sends a request. Completes when the response ends, when enough bytes have arrived, or when time is up. */
const request = (agent: Agent, { method, url, headers, body }: OutboundRequest, { limit, maxBytes }: Limits) =>
  Effect.callback<RawResponse, OutboundFailed>((resume) => {
    const { origin, pathname, search } = new URL(url)
    const marked = { ...headers, [OUTBOUND_HEADER]: "1" }
    const chunks: Array<Uint8Array> = []
    let read = 0
    let head: Omit<RawResponse, "body"> = { status: 0, headers: {} }
    let sent: Dispatcher.DispatchController | undefined
    let settled = false

    let ended = false

    const close = () => {
      settled = true
      clearTimeout(timer)
      if (!ended) sent?.abort(ABORTED)
    }
    const end = (result: Effect.Effect<RawResponse, OutboundFailed>) => {
      if (settled) return
      close()
      resume(result)
    }
    const answered = () => end(Effect.succeed({ ...head, body: Buffer.concat(chunks) }))
    const timer = setTimeout(() => end(Effect.fail(new OutboundFailed({ reason: "timed_out" }))), limit)

    agent.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers: marked,
        body: body ?? null,
        headersTimeout: 0,
        bodyTimeout: 0
      },
      {
        onRequestStart: (controller) => {
          sent = controller
          if (settled) close()
        },
        onResponseStart: (_, status, fields) => {
          head = { status, headers: fields }
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk.subarray(0, maxBytes - read))
          read = Math.min(maxBytes, read + chunk.length)
          if (read === maxBytes) answered()
        },
        onResponseEnd: () => {
          ended = true
          answered()
        },
        onResponseError: (_, error) => end(Effect.fail(failure(error)))
      }
    )
    return Effect.sync(close)
  })

/** The first value of a header. */
const headerOf = ({ headers }: RawResponse, name: string): string | undefined => [headers[name] ?? []].flat()[0]

/**
 * Decodes a response's body as UTF-8, or else in its declared charset. Returns an empty text if the bytes are valid in
 * neither.
 */
const bodyTextOf = (response: RawResponse): string => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headerOf(response, "content-type") ?? "")?.[1]
  try {
    return decodeUtf8(response.body) ?? new TextDecoder(charset, { fatal: true }).decode(response.body)
  } catch {
    return ""
  }
}

const sendPost = (agent: Agent, post: OutboundPost, limit: number) =>
  Effect.map(request(agent, { ...post, method: "POST" }, { limit, maxBytes: MAX_EXCERPT }), (response) => ({
    status: response.status,
    retryAfter: headerOf(response, "retry-after"),
    excerpt: textOf(response.body)
  }))

const sendQuestion = (agent: Agent, question: OutboundRequest, limit: number) => {
  const maxBytes = Math.min(MAX_BODY, question.maxBytes ?? MAX_BODY)
  return Effect.flatMap(
    request(agent, question, { limit, maxBytes: maxBytes + 1 }),
    (response): Effect.Effect<OutboundResponse, ResponseTooLarge> => {
      if (response.body.length > maxBytes) return Effect.fail(new ResponseTooLarge())
      return Effect.succeed({
        status: response.status,
        contentType: headerOf(response, "content-type"),
        cacheControl: headerOf(response, "cache-control"),
        body: bodyTextOf(response)
      })
    }
  )
}

/** The spans of calls omit the URL, which may contain a secret. */
const inSpan = (method: string) => Effect.withSpan(`outbound ${method}`, { kind: "client" })

/** Sends requests with undici, which ignores the environment's proxy settings. Tests set `sockets` and `limit`. */
export const layer = (
  { allowPrivateTargets }: OutboundOptions,
  { limit, ...sockets }: Partial<SocketOptions> = {}
): Layer.Layer<Outbound> =>
  Layer.effect(
    Outbound,
    Effect.gen(function* () {
      const closing = new AbortController()
      const base = allowPrivateTargets ? unrestrictedSockets : publicSockets
      let opened: Promise<Agent> | undefined
      const open = async () => {
        // In the bundle, a CommonJS package has only a default export.
        const { Agent } = (await import("undici")).default
        const connect = connector({ ...base, limit: limit ?? POST_TIMEOUT, ...sockets }, closing.signal)
        return new Agent({ connect, connections: CONNECTIONS, allowH2: false, keepAliveMaxTimeout: 60_000 })
      }
      yield* Effect.addFinalizer(() =>
        Effect.promise(async () => {
          closing.abort()
          await (await opened)?.destroy()
        })
      )
      const withAgent = <A, E>(url: string, use: (agent: Agent) => Effect.Effect<A, E>) =>
        targetProblem(url, allowPrivateTargets) === undefined
          ? Effect.flatMap(
              Effect.promise(() => (opened ??= open())),
              use
            )
          : Effect.fail(new OutboundFailed({ reason: "forbidden" }))
      return Outbound.of({
        post: (post) => inSpan("POST")(withAgent(post.url, (agent) => sendPost(agent, post, limit ?? POST_TIMEOUT))),
        request: (question) =>
          inSpan(question.method)(
            withAgent(question.url, (agent) =>
              sendQuestion(agent, question, Math.min(limit ?? QUERY_TIMEOUT, question.timeLimit ?? QUERY_TIMEOUT))
            )
          )
      })
    })
  )
