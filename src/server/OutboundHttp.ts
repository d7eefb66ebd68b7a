import { Effect, Layer } from "effect"
import type { Agent, Dispatcher } from "undici"
import {
  AnswerTooLarge,
  Outbound,
  OutboundFailed,
  type OutboundPost,
  type OutboundQuestion,
  type OutboundReply
} from "#platform/Outbound"
import { targetProblem } from "#platform/OutboundPolicy"
import { anySockets, NotConnected, opener, publicSockets, type Sockets } from "./OutboundSockets.ts"

/** Where posts may go. */
export interface OutboundOptions {
  readonly allowPrivateTargets: boolean
}

/** How long one post may take, in real milliseconds: nobody turns this clock. */
const LIMIT = 15_000

/** And one question: a person is waiting for its answer. */
const QUESTION_LIMIT = 10_000

/** How much of the answer to a question is read, in bytes. */
const WHOLE = 256 * 1_024

/** How much of an answer is read, in bytes. */
const EXCERPT = 1_024

/** How many connections one origin gets: all realms that name it share them. */
const CONNECTIONS = 32

/** Bytes as text that any database and any reader takes, and no longer than they are. */
const textOf = (bytes: Uint8Array): string => {
  // With more to come, a character that is cut in the middle is left out.
  const text = new TextDecoder().decode(bytes, { stream: true }).replaceAll("\0", "\uFFFD")
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(EXCERPT)).read)
}

/** Why a request is ended whose answer has said enough. */
const ENOUGH = new Error("Enough.")

const isTimeout = (error: Error): boolean => "code" in error && String(error.code).endsWith("TIMEOUT")

const failure = (error: Error): OutboundFailed => {
  if (error instanceof NotConnected) return new OutboundFailed({ reason: error.reason })
  return new OutboundFailed({ reason: isTimeout(error) ? "timed_out" : "broken_off" })
}

/** An answer as it came in: as much of its body as was wanted. */
interface Heard {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Uint8Array
}

interface Bounds {
  /** In real milliseconds. */
  readonly limit: number
  /** In bytes: nobody waits for what comes after them. */
  readonly most: number
}

/** One request, until its answer has ended, has said enough, or takes too long. */
const request = (agent: Agent, { method, url, headers, body }: OutboundQuestion, { limit, most }: Bounds) =>
  Effect.callback<Heard, OutboundFailed>((resume) => {
    const { origin, pathname, search } = new URL(url)
    const chunks: Array<Uint8Array> = []
    let read = 0
    let head: Omit<Heard, "body"> = { status: 0, headers: {} }
    let sent: Dispatcher.DispatchController | undefined
    let over = false

    let ended = false

    const leave = () => {
      over = true
      clearTimeout(timer)
      if (!ended) sent?.abort(ENOUGH)
    }
    const end = (result: Effect.Effect<Heard, OutboundFailed>) => {
      if (over) return
      leave()
      resume(result)
    }
    const answered = () => end(Effect.succeed({ ...head, body: Buffer.concat(chunks) }))
    const timer = setTimeout(() => end(Effect.fail(new OutboundFailed({ reason: "timed_out" }))), limit)

    agent.dispatch(
      { origin, path: pathname + search, method, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart: (controller) => {
          sent = controller
          if (over) leave()
        },
        onResponseStart: (_, status, fields) => {
          head = { status, headers: fields }
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk.subarray(0, most - read))
          read = Math.min(most, read + chunk.length)
          if (read === most) answered()
        },
        onResponseEnd: () => {
          ended = true
          answered()
        },
        onResponseError: (_, error) => end(Effect.fail(failure(error)))
      }
    )
    return Effect.sync(leave)
  })

/** The first of a header's values. */
const headerOf = ({ headers }: Heard, name: string): string | undefined => [headers[name] ?? []].flat()[0]

const posted = (agent: Agent, post: OutboundPost, limit: number) =>
  Effect.map(request(agent, { ...post, method: "POST" }, { limit, most: EXCERPT }), (heard) => ({
    status: heard.status,
    retryAfter: headerOf(heard, "retry-after"),
    excerpt: textOf(heard.body)
  }))

const asked = (agent: Agent, question: OutboundQuestion, limit: number) =>
  Effect.flatMap(
    request(agent, question, { limit, most: WHOLE + 1 }),
    (heard): Effect.Effect<OutboundReply, AnswerTooLarge> => {
      if (heard.body.length > WHOLE) return Effect.fail(new AnswerTooLarge())
      const body = new TextDecoder().decode(heard.body)
      return Effect.succeed({ status: heard.status, contentType: headerOf(heard, "content-type"), body })
    }
  )

/** Requests through undici, which no proxy of the environment diverts. `sockets` and `limit` are for who puts it to the test. */
export const layer = (
  { allowPrivateTargets }: OutboundOptions,
  { limit, ...sockets }: Partial<Sockets> = {}
): Layer.Layer<Outbound> =>
  Layer.effect(
    Outbound,
    Effect.gen(function* () {
      const closing = new AbortController()
      const base = allowPrivateTargets ? anySockets : publicSockets
      let opened: Promise<Agent> | undefined
      const open = async () => {
        // Bundled, a package in the older module format has its default export only.
        const { Agent } = (await import("undici")).default
        const connect = opener({ ...base, limit: limit ?? LIMIT, ...sockets }, closing.signal)
        return new Agent({ connect, connections: CONNECTIONS, allowH2: false, keepAliveMaxTimeout: 60_000 })
      }
      yield* Effect.addFinalizer(() =>
        Effect.promise(async () => {
          closing.abort()
          await (await opened)?.destroy()
        })
      )
      const reaching = <A, E>(url: string, use: (agent: Agent) => Effect.Effect<A, E>) =>
        targetProblem(url, allowPrivateTargets) === undefined
          ? Effect.flatMap(
              Effect.promise(() => (opened ??= open())),
              use
            )
          : Effect.fail(new OutboundFailed({ reason: "forbidden" }))
      return Outbound.of({
        post: (post) => reaching(post.url, (agent) => posted(agent, post, limit ?? LIMIT)),
        ask: (question) => reaching(question.url, (agent) => asked(agent, question, limit ?? QUESTION_LIMIT))
      })
    })
  )
